"""Where the pips of a tile are: the layouts of real sets, shared by what draws tiles and what reads them.

Western halves 0..12 on a 3 x 3 or 3 x 4 grid; Chinese tiles as whole-tile figures (pips crowd to the ends, 3-3 is a
cross-like column, 6-6 is half red, 1 and 4 are red). Tile frame: u along the tile from half a (0) to half b (1), v
across (0..1).
"""

from __future__ import annotations

from typing import Protocol

# Rows are cells of a 3-column grid seen with the tile upright, half a on top: (row, column) in 0..1.
_C, _L, _R = 0.5, 0.0, 1.0
WESTERN: dict[int, list[tuple[float, float]]] = {
    0: [],
    1: [(0.5, _C)],
    2: [(0.0, _L), (1.0, _R)],
    3: [(0.0, _L), (0.5, _C), (1.0, _R)],
    4: [(0.0, _L), (0.0, _R), (1.0, _L), (1.0, _R)],
    5: [(0.0, _L), (0.0, _R), (0.5, _C), (1.0, _L), (1.0, _R)],
    6: [(r, c) for r in (0.0, 0.5, 1.0) for c in (_L, _R)],
    7: [(r, c) for r in (0.0, 0.5, 1.0) for c in (_L, _R)] + [(0.5, _C)],
    8: [(r, c) for r in (0.0, 0.5, 1.0) for c in (_L, _R)] + [(0.0, _C), (1.0, _C)],
    9: [(r, c) for r in (0.0, 0.5, 1.0) for c in (_L, _C, _R)],
    10: [(r / 3, c) for r in range(4) for c in (_L, _R)] + [(0.0, _C), (1.0, _C)],
    11: [(r / 3, c) for r in range(4) for c in (_L, _R)] + [(0.0, _C), (0.5, _C), (1.0, _C)],
    12: [(r / 3, c) for r in range(4) for c in (_L, _C, _R)],
}


class PipLayout(Protocol):
    """How one set of tiles places its pips; lengths in parts of the tile's width."""

    @property
    def chinese(self) -> bool: ...
    @property
    def spread(self) -> float: ...
    @property
    def turned(self) -> bool: ...
    @property
    def mirrored(self) -> bool: ...
    @property
    def variant(self) -> int: ...
    @property
    def crowded(self) -> float: ...
    @property
    def pitch(self) -> float: ...


def pips_of(layout: PipLayout, a: int, b: int) -> list[tuple[float, float, int, bool]]:
    """Pips of face a-b as (u, v, half's value, is red), half a first."""
    return _chinese_pips(layout, a, b) if layout.chinese else _western_pips(layout, a, b)


def _western_pips(layout: PipLayout, a: int, b: int) -> list[tuple[float, float, int, bool]]:
    out = []
    across = layout.spread
    along = 0.5 * min(0.86, across * 1.02)
    for half, value in enumerate((a, b)):
        cells = list(WESTERN[value])
        if value in (10, 11) and layout.variant & (1 if value == 10 else 2):
            middle = (1 / 3, 2 / 3) if value == 10 else (1 / 6, 0.5, 5 / 6)
            cells = [cell for cell in cells if cell[1] != _C] + [(row, _C) for row in middle]
        if layout.turned and value >= 6:
            cells = [(c, r) for r, c in cells]
        if layout.mirrored:
            cells = [(r, 1 - c) for r, c in cells]
        for row, column in cells:
            u = 0.25 + (row - 0.5) * along
            v = 0.5 + (column - 0.5) * across
            out.append((u, v, value, False) if half == 0 else (1 - u, 1 - v, value, False))
    return out


def _chinese_half(layout: PipLayout, value: int, end: float, pitch: float, left: float) -> list[tuple[float, float]]:
    right = 1 - left
    if value == 1:
        return [(end, 0.5)]
    if value == 2:
        return [(end, left), (end, right)]
    if value == 3:
        line = [(end, left), (end + pitch, 0.5), (end + 2 * pitch, right)]
        return [(u, 1 - v) for u, v in line] if layout.mirrored else line
    if value == 4:
        return [(end + r * pitch, v) for r in range(2) for v in (left, right)]
    if value == 5:
        return [(end, left), (end, right), (end + pitch, 0.5), (end + 2 * pitch, left), (end + 2 * pitch, right)]
    return [(end + r * pitch, v) for r in range(3) for v in (left, right)]


def _chinese_pips(layout: PipLayout, a: int, b: int) -> list[tuple[float, float, int, bool]]:
    end = 0.10 + layout.crowded * 0.04
    pitch = (0.5 - end) / 2.5 * layout.pitch
    left = 0.5 - layout.spread * 0.36
    if a == b == 4 and not layout.variant & 4:
        rows = [end, end + (1 - 2 * end) / 3, 1 - end - (1 - 2 * end) / 3, 1 - end]
        return [(u, v, 4, True) for u in rows for v in (left, 1 - left)]
    if a == b == 3 and not layout.variant & 8:
        rows = [end, 0.5 - pitch * 0.95, 0.5 + pitch * 0.95, 1 - end]
        return [(u, 0.5, 3, False) for u in rows] + [(0.5, left, 3, False), (0.5, 1 - left, 3, False)]
    out = []
    for half, value in enumerate((a, b)):
        for u, v in _chinese_half(layout, value, end, pitch, left):
            red = value in (1, 4) or (a == b == 6 and v < 0.5)
            out.append((u, v, value, red) if half == 0 else (1 - u, 1 - v, value, red))
    return out
