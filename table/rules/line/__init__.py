"""The line engine: tiles joined to a layout, in games where ends must match."""

from .layout import Joint, Line, Played, Port, Position
from .round import LineRound, Move
from .rules import Fault, LineRules, Outcome

__all__ = ["Fault", "Joint", "Line", "LineRound", "LineRules", "Move", "Outcome", "Played", "Port", "Position"]
