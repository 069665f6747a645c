"""Every choice a table of Tien Gow players may make, with the default the referee plays by.

As text, an option is `key=value`; the three parts of `last_trick_multiplier` are written `four:4,supreme:2`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Literal, get_args

Direction = Literal["ccw", "cw"]
StarterMethod = Literal["lot", "first"]
BankerFactor = Literal["fixed_2", "streak"]
MultipliersApplyTo = Literal["all_final", "winnings_only"]
OPEN = 0  # deals_per_match: the table goes on until it stops

_CHOICES: dict[str, tuple[str, ...]] = {
    "direction": get_args(Direction),
    "starter_method": get_args(StarterMethod),
    "banker_factor": get_args(BankerFactor),
    "multipliers_apply_to": get_args(MultipliersApplyTo),
}
_MULTIPLIERS = ("four", "supreme", "little_three")
_HIGHEST = 100  # a stake nobody plays for; keeps a slip of the keyboard from becoming a score


@dataclass(frozen=True, slots=True)
class TrickOptions:
    """The defaults are the referee's reading of the source; each names the decision it can be changed against."""

    direction: Direction = "ccw"  # A-002-9
    starter_method: StarterMethod = "lot"  # A-002-12
    deals_per_match: int = 1  # A-002-11; OPEN for a table that goes on
    banker_factor: BankerFactor = "fixed_2"  # A-002-5
    banker_surplus_doubled: bool = True  # A-002-5: a losing banker with more than four columns
    quick_death: bool = True  # A-002-13: singles only
    immediate_supreme: int = 2
    immediate_four: int = 4
    immediate_on_last_trick: bool = True  # A-002-2
    last_trick_four: int = 2  # A-002-4
    last_trick_supreme: int = 2
    last_trick_little_three: int = 2  # A-002-8
    sweep_multiplier: int = 2
    multipliers_apply_to: MultipliersApplyTo = "all_final"  # A-002-3
    responsibility: bool = True  # A-002-6
    reveal_discards: bool = False

    @classmethod
    def from_text(cls, options: Mapping[str, str]) -> TrickOptions:
        """Options as typed. Raises ValueError with a sentence that names the option and what it may be."""
        values: dict[str, object] = {}
        kinds = {field.name: type(field.default) for field in fields(cls)}
        for key, text in options.items():
            if key == "last_trick_multiplier":
                values.update(_multipliers(text))
            elif key not in kinds or key.startswith("last_trick_"):
                raise ValueError(f"tien-gow has no option '{key}'; it has {', '.join(option_names())}")
            elif key in _CHOICES:
                values[key] = _chosen(key, text)
            elif kinds[key] is bool:
                values[key] = _switch(key, text)
            elif key == "deals_per_match" and text == "open":
                values[key] = OPEN
            else:
                values[key] = _number(key, text, least=0 if key.startswith("immediate_") else 1)
        return cls(**values)  # type: ignore[arg-type]  # each value was read by the kind of its field

    def as_text(self) -> dict[str, str]:
        """Every option as it would be typed, defaults included."""
        shown: dict[str, str] = {}
        for field in fields(self):
            value = getattr(self, field.name)
            if field.name.startswith("last_trick_"):
                parts = ((part, getattr(self, f"last_trick_{part}")) for part in _MULTIPLIERS)
                shown["last_trick_multiplier"] = ",".join(f"{part}:{number}" for part, number in parts)
            elif field.name == "deals_per_match" and value == OPEN:
                shown[field.name] = "open"
            else:
                shown[field.name] = str(value).lower() if isinstance(value, bool) else str(value)
        return shown


def option_names() -> tuple[str, ...]:
    return tuple(TrickOptions().as_text())


def _chosen(key: str, text: str) -> str:
    if text not in _CHOICES[key]:
        raise ValueError(f"option {key} is {' or '.join(_CHOICES[key])}, not '{text}'")
    return text


def _switch(key: str, text: str) -> bool:
    if text not in ("true", "false"):
        raise ValueError(f"option {key} is true or false, not '{text}'")
    return text == "true"


def _number(key: str, text: str, least: int) -> int:
    if not (text.isascii() and text.isdigit() and least <= int(text[:9]) <= _HIGHEST):
        also = " or open" if key == "deals_per_match" else ""
        raise ValueError(f"option {key} is a whole number from {least} to {_HIGHEST}{also}, not '{text}'")
    return int(text)


def _multipliers(text: str) -> dict[str, object]:
    values: dict[str, object] = {}
    for piece in text.split(","):
        part, colon, number = piece.strip().partition(":")
        if not colon or part not in _MULTIPLIERS:
            raise ValueError(
                f"option last_trick_multiplier is written like four:2,supreme:2,little_three:2, not '{text}'"
            )
        values[f"last_trick_{part}"] = _number(f"last_trick_multiplier {part}", number, least=1)
    return values
