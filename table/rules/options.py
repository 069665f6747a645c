"""The switches a game can be played with: names, values, defaults, and reading them from `KEY=VALUE` text.

Every value is text outside and a checked value inside; an unknown key or a value out of range is a ValueError with a
sentence for people.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

Value = str | int | bool | tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Option:
    """One switch. `values` are the words it takes; else `least` and `most` bound a number, or many."""

    key: str
    default: Value
    about: str
    values: tuple[str, ...] = ()
    least: int = 0
    most: int = 10_000
    many: bool = False

    def read(self, text: str) -> Value:
        """The value that a text stands for. Raises ValueError naming the option and what it takes."""
        word = text.strip()
        if isinstance(self.default, bool):
            if word.lower() in ("true", "yes", "on", "1"):
                return True
            if word.lower() in ("false", "no", "off", "0"):
                return False
            raise ValueError(f"option {self.key} is true or false, not '{text}'")
        if self.values:
            if word in self.values:
                return word
            raise ValueError(f"option {self.key} is one of {', '.join(self.values)}, not '{text}'")
        if self.many:
            return tuple(self._number(part, text) for part in word.split(","))
        return self._number(word, text)

    def _number(self, word: str, text: str) -> int:
        digits = word.strip()
        if not (digits.isascii() and digits.isdigit() and self.least <= int(digits) <= self.most):
            kind = "a list of numbers like 9,8,7" if self.many else "a number"
            raise ValueError(f"option {self.key} is {kind}, {self.least} to {self.most}, not '{text}'")
        return int(digits)

    def written(self) -> str:
        """The default as a person would type it."""
        if isinstance(self.default, bool):
            return str(self.default).lower()
        if isinstance(self.default, tuple):
            return ",".join(map(str, self.default))
        return str(self.default)


def read_options(game: str, options: Iterable[Option], given: Mapping[str, str]) -> dict[str, Value]:
    """Defaults with the given texts put in. Raises ValueError for a key the game does not have or a bad value."""
    known = {option.key: option for option in options}
    for key in given:
        if key not in known:
            raise ValueError(f"{game} has no option '{key}'; it has {', '.join(known) or 'none'}")
    return {key: option.read(given[key]) if key in given else option.default for key, option in known.items()}


COMMON = (
    Option("direction", "cw", "which way the turn goes, as the camera sees it", ("cw", "ccw")),
    Option("dead_position_ends_round", False, "a position nobody can ever play in ends the round at once"),
    Option("misplay_window", "until_next_action", "how long a wrong tile may be taken back", ("until_next_action",)),
    Option("passes", "announced", "a pass is a button press, or follows from the next play", ("announced", "inferred")),
    Option("late_penalty", 0, "points for a fault that is proven later", most=500),
)

BLOCK = (
    *COMMON,
    Option("players", 2, "how many play", least=2, most=4),
    Option("hand", 7, "tiles dealt to each", least=1, most=7),
    Option(
        "starter_method",
        "lot",
        "who lays the first tile of a match",
        ("lot", "highest_total", "highest_double", "coin", "first"),
    ),
    Option("opening_double", "custom", "must the starter lead a double it holds", ("custom", "required_if_held")),
    Option("draw", "none", "drawing from the boneyard", ("none", "one", "until_playable")),
    Option("floor", 2, "tiles that stay in the boneyard, where tiles are drawn", most=50),
    Option("doubles_orientation", "free", "how a double may lie", ("free", "crosswise")),
    Option("blocked_score", "difference", "what the winner of a block scores", ("difference", "loser_total")),
    Option("blocked_tie", "fewest_tiles", "who wins a block with equal pips", ("fewest_tiles", "none")),
    Option("next_starter", "alternate", "who starts the next round", ("alternate", "winner", "method")),
    Option("target", 100, "points that win the match", least=1, most=1000),
)

DRAW = (
    *COMMON,
    Option("players", 2, "how many play", least=2, most=2),
    Option("hand", 7, "tiles dealt to each", least=1, most=13),
    Option("starter_method", "highest", "the highest double starts, or whoever lays first", ("highest", "first")),
    Option("open_with_qualifier", True, "the starter leads the tile that won the start"),
    Option("draw", "until_playable", "drawing from the boneyard", ("until_playable", "one")),
    Option("floor", 2, "tiles that stay in the boneyard", most=50),
    Option("doubles_orientation", "crosswise", "how a double must lie", ("crosswise", "free")),
    Option("turns", "allowed", "may a tile turn the line round a corner", ("allowed", "forbidden")),
    Option("space", "enforce", "is the room at the ends judged", ("enforce", "ignore")),
    Option("axis_tolerance_deg", 15, "how far a tile may lie askew", least=1, most=44),
    Option("blocked_score", "difference", "what the winner of a block scores", ("difference", "loser_total")),
    Option("blocked_tie", "none", "who wins a block with equal pips", ("none", "fewest_tiles")),
    Option("next_starter", "method", "who starts the next round", ("method", "alternate", "winner")),
    Option("target", 100, "points that win the match", least=1, most=1000),
)

DOUBLES = (
    *COMMON,
    Option("hand", 0, "tiles dealt to each; 0: 8 for two players, else 6", most=8),
    Option(
        "starter_method",
        "highest_double",
        "the highest double starts, or whoever lays first",
        ("highest_double", "first"),
    ),
    Option("draw", "one", "drawing from the boneyard", ("one", "until_playable")),
    Option("floor", 2, "tiles that stay in the boneyard", most=50),
    Option("spinner_sides", "any_order", "which sides of a double are open", ("any_order", "long_sides_first")),
    Option("doubles_orientation", "free", "how a double may lie", ("free", "crosswise")),
    Option("redeal_without_double", True, "deal again when nobody was dealt a double"),
    Option("blocked_score", "opponents_total", "what the winner of a block scores", ("opponents_total", "difference")),
    Option("blocked_tie", "none", "who wins a block with equal pips", ("none", "fewest_tiles")),
    Option("next_starter", "method", "who starts the next round", ("method", "alternate", "winner")),
    Option("target", 100, "points that win the match", least=1, most=1000),
)

CHICKEN_FOOT = (
    *(option for option in COMMON if option.key != "dead_position_ends_round"),
    Option("dead_position_ends_round", True, "a position nobody can ever play in ends the round at once"),
    Option("hand", 0, "tiles dealt to each; 0: 21, 14, 11, 8, 7, 6, 5 for 2 to 8 players", most=21),
    Option("set", 9, "the highest number of the set", least=9, most=9),
    Option(
        "starter_method",
        "search",
        "the start double is searched before the deal, or its holder sets it",
        ("search", "holder", "first"),
    ),
    Option("opening_trains", 0, "trains to start before anything else; 0: as many as players", most=8),
    Option("start_double_closes", True, "no more trains once the required ones are started"),
    Option("toes", 3, "tiles owed on a double", least=1, most=3),
    Option("draw", "one", "drawing from the boneyard", ("one", "until_playable")),
    Option("floor", 0, "tiles that stay in the yard; 0: 2 for two players, else 1", most=50),
    Option("doubles_orientation", "crosswise", "how a double must lie", ("crosswise", "free")),
    Option("double_blank", "0", "what 0-0 counts in hand", ("0", "25", "50")),
    Option("out_on_double", "ends_round", "going out with a double", ("ends_round", "foot_first")),
    Option("rounds", (9, 8, 7, 6, 5, 4, 3, 2, 1, 0), "the start doubles, round by round", most=9, many=True),
    Option("match_tie", "shared", "equal lowest totals", ("shared", "most_rounds_won")),
)

ALL_FIVES = (
    *COMMON,
    Option("hand", 0, "tiles dealt to each; 0: 7 for two players, else 5", most=9),
    Option(
        "starter_method",
        "highest_double",
        "the highest double starts, or whoever lays first",
        ("highest_double", "first"),
    ),
    Option("draw", "until_playable", "drawing from the boneyard", ("until_playable", "one", "none")),
    Option("floor", 0, "tiles that stay in the boneyard", most=50),
    Option("spinner", "first_double", "which doubles open four sides", ("first_double", "none")),
    Option("doubles_orientation", "crosswise", "how a double must lie", ("crosswise", "free")),
    Option("count", 5, "ends that add up to a multiple of this score", least=2, most=10),
    Option("points", "pips", "points for such a sum: the sum, or the sum divided by the count", ("pips", "divided")),
    Option("round_to", 5, "the others' pips at the end are rounded to this", least=1, most=10),
    Option("next_starter", "winner", "who starts the next round", ("winner", "alternate", "method")),
    Option("target", 150, "points that win the match", least=1, most=1000),
)
