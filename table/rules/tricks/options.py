"""Every choice a table of Tien Gow players may make, with the default the referee plays by.

As text, an option is `key=value`; the parts of `last_trick_multiplier` are written `four:4,supreme:2`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, cast

from ..options import Option, Value, read_options

Direction = Literal["ccw", "cw"]
StarterMethod = Literal["lot", "first"]
BankerFactor = Literal["fixed_2", "streak"]
MultipliersApplyTo = Literal["all_final", "winnings_only"]
OPEN = 0  # deals_per_match: the table goes on until it stops
_PARTS = ("four", "supreme", "little_three")
_HIGHEST = 100  # a stake nobody plays for; keeps a slip of the keyboard from becoming a score


@dataclass(frozen=True, slots=True)
class Multipliers(Option):
    """The option with three parts; those not named keep their default."""

    def read(self, text: str) -> Value:
        """All three parts in order, as text. Raises ValueError with a sentence."""
        parts = _parts(str(self.default))
        for piece in text.split(","):
            part, colon, number = piece.strip().partition(":")
            if not colon or part not in _PARTS or not (number.isascii() and number.isdigit()):
                raise ValueError(f"option {self.key} is written like {self.default}, not '{text}'")
            if not 1 <= int(number) <= _HIGHEST:
                raise ValueError(f"option {self.key} takes numbers from 1 to {_HIGHEST}, not '{number}'")
            parts[part] = int(number)
        return ",".join(f"{part}:{parts[part]}" for part in _PARTS)


TIEN_GOW = (
    Option("direction", "ccw", "which way the turn goes, as the camera sees it", ("ccw", "cw")),
    Option("starter_method", "lot", "the first banker is drawn, or is whoever leads first", ("lot", "first")),
    Option("deals_per_match", 1, "deals in a match; 0: until the table stops", most=1000),
    Option("banker_factor", "fixed_2", "the banker's double, or 2, 3, 4 while it keeps winning", ("fixed_2", "streak")),
    Option("banker_surplus_doubled", True, "a losing banker with over four columns collects double"),
    Option("quick_death", True, "no columns yet: the last single is discarded face down"),
    Option("immediate_supreme", 2, "paid at once for a led Supreme", most=_HIGHEST),
    Option("immediate_four", 4, "paid at once for a trick won with a four", most=_HIGHEST),
    Option("immediate_on_last_trick", True, "those are due in the last trick too"),
    Multipliers(
        "last_trick_multiplier",
        "four:2,supreme:2,little_three:2",
        "final payments times this, by what won the last trick",
    ),
    Option("sweep_multiplier", 2, "final payments times this for all eight columns", least=1, most=_HIGHEST),
    Option(
        "multipliers_apply_to",
        "all_final",
        "multiply also what the winner pays out, or only what it wins",
        ("all_final", "winnings_only"),
    ),
    Option("responsibility", True, "a led last Little Three caught by Big Six pays for the others"),
    Option("reveal_discards", False, "all discards are turned up after the deal for an audit"),
)


@dataclass(frozen=True, slots=True)
class TrickOptions:
    """The choices as values; each default names the decision it can be changed against."""

    direction: Direction = "ccw"  # A-002-9
    starter_method: StarterMethod = "lot"  # A-002-12
    deals_per_match: int = 1  # A-002-11; OPEN for a table that goes on
    banker_factor: BankerFactor = "fixed_2"  # A-002-5
    banker_surplus_doubled: bool = True  # A-002-5
    quick_death: bool = True  # A-002-13: singles only
    immediate_supreme: int = 2
    immediate_four: int = 4
    immediate_on_last_trick: bool = True  # A-002-2
    last_trick_multiplier: str = "four:2,supreme:2,little_three:2"  # A-002-4, A-002-8
    sweep_multiplier: int = 2
    multipliers_apply_to: MultipliersApplyTo = "all_final"  # A-002-3
    responsibility: bool = True  # A-002-6
    reveal_discards: bool = False

    @classmethod
    def from_text(cls, options: Mapping[str, str]) -> TrickOptions:
        """Options as typed. Raises ValueError with a sentence that names the option and what it may be."""
        return cls(**read_options("tien-gow", TIEN_GOW, options))  # type: ignore[arg-type]  # read by each one's kind

    def last_trick(self, part: Literal["four", "supreme", "little_three"]) -> int:
        """What a last trick won with that multiplies the final payments by."""
        return _parts(self.last_trick_multiplier)[part]


def _parts(text: str) -> dict[str, int]:
    pairs = (cast(tuple[str, str], piece.split(":")) for piece in text.split(","))
    return {part: int(number) for part, number in pairs}
