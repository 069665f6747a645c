"""The room of the LED and button board: `open_board` is the door.

frames (bytes) and messages (values), session (the rules of the conversation, no I/O), ports and link (the port and its
thread), meaning (lamps and buttons in the game's words), simulator (the firmware as a process), flash (the firmware
onto a chip). firmware/PROTOCOL.md describes what goes over the wire. Nothing here decides anything about a game.
"""

from table.board.board import Board, BoardEvent, Press, open_board
from table.board.meaning import LOOKS, PATTERNS, rim_fraction
from table.board.simulator import Simulator, SimulatorFault, simulator_available

__all__ = [
    "LOOKS",
    "PATTERNS",
    "Board",
    "BoardEvent",
    "Press",
    "Simulator",
    "SimulatorFault",
    "open_board",
    "rim_fraction",
    "simulator_available",
]
