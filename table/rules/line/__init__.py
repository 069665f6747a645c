"""The line engine: tiles joined to a layout, in games where ends must match."""

from .layout import Joint, Line, Played, Port, Position
from .rules import Fault, LineRules, Outcome

__all__ = ["Fault", "Joint", "Line", "LineRules", "Outcome", "Played", "Port", "Position"]
