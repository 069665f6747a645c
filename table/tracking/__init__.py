"""Sightings over time -> facts: what settled, what it was before, which arm did it.

Knows vision and calibration and the vocabulary of facts; knows no rules. Start reading at `tracker.Tracker`.
"""

from table.tracking.tracker import Tracker

__all__ = ["Tracker"]
