"""The test vectors of the line games, by their ids: block (BD), draw (DR), doubles (DB), chicken foot (CF)."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from table.events import Pose, is_double, tiles_of
from table.rules.draw import start_rank
from table.rules.games import line_rules
from table.rules.line import Joint, Line
from table.rules.line.contacts import Size
from table.rules.line.space import End, Room, fits, footprints, pose_faults

VECTORS: dict[str, Callable[[], None]] = {}


def vector(name: str) -> Callable[[Callable[[], None]], Callable[[], None]]:
    def keep(case: Callable[[], None]) -> Callable[[], None]:
        assert name not in VECTORS
        VECTORS[name] = case
        return case

    return keep


@pytest.mark.parametrize("name", VECTORS_IDS := [
    *(f"BD-{i:02}" for i in range(1, 16)), *(f"DR-{i:02}" for i in range(1, 18)),
    *(f"DB-{i:02}" for i in range(1, 17)), *(f"CF-{i:02}" for i in range(1, 16)),
])  # fmt: skip
def test_vector(name: str) -> None:
    VECTORS[name]()


def test_no_vector_is_forgotten() -> None:
    assert sorted(VECTORS) == sorted(VECTORS_IDS)


def game(key: str, seats: int = 2, **options: str) -> Line:
    return Line(line_rules(key, seats, options))


def lay(line: Line, *plays: str) -> Line:
    """`4-4` sets; `4-1@4-4` joins a tile to one that lies, at its first open end that matches."""
    for play in plays:
        tile, _, on = play.partition("@")
        joint = joint_on(line, tile, on) if on else None
        assert line.check(tile, joint) == [], (play, line.check(tile, joint))
        line.push(tile, joint)
    return line


def joint_on(line: Line, tile: str, on: str, side: str | None = None) -> Joint:
    at = next(i for i, played in enumerate(line.played) if played.tile == on)
    ports = [port for port in line.position.ports if port.at == at and side in (None, port.side)]
    halves = [int(half) for half in tile.split("-")]
    fitting = next((port for port in ports if port.value in halves), ports[0] if ports else None)
    if fitting is not None:
        return line.joint_for(fitting, tile)
    played = line.played[at]
    return Joint(at, side or ("long_l" if played.high == played.low else "a"), "a")


def code(line: Line, tile: str, on: str, side: str | None = None) -> str | None:
    faults = line.check(tile, joint_on(line, tile, on, side))
    return faults[0].code if faults else None


def ends(line: Line) -> list[int]:
    return line.position.values()


# block


@vector("BD-01")
def _() -> None:
    assert game("block").check("6-4", None) == []


@vector("BD-02")
def _() -> None:
    assert ends(lay(game("block"), "4-4", "4-1@4-4")) == [1, 4]


@vector("BD-03")
def _() -> None:
    assert code(lay(game("block"), "4-4", "4-1@4-4"), "6-2", "4-1") == "END_MISMATCH"


@vector("BD-04")
def _() -> None:
    line = lay(game("block"), "4-4", "4-1@4-4", "4-2@4-4")
    assert ends(line) == [1, 2]
    assert line.check("6-4", Joint(0, "short_n", "b"))[0].code == "NOT_AN_OPEN_END"


@vector("BD-05")
def _() -> None:
    line = lay(game("block"), "4-4", "4-1@4-4", "4-2@4-4")
    inline = Joint(1, "b", "short_n")
    assert line.check("1-1", inline) == []
    line.push("1-1", inline)
    assert ends(line) == [1, 2]


@vector("BD-06")
def _() -> None:
    assert not lay(game("block"), "4-4", "4-1@4-4", "4-2@4-4").playable(["6-6", "5-3"])


@vector("BD-07")
def _() -> None:
    assert lay(game("block"), "4-4", "4-1@4-4", "4-2@4-4").playable(["6-2", "5-3"]) == {"6-2"}


@vector("BD-08")
def _() -> None:
    assert game("block").rules.draw == "none"


@vector("BD-09")
def _() -> None:
    assert game("block").rules.out(0, [0, 18]) == (0, (18, 0))


@vector("BD-10")
def _() -> None:
    assert game("block").rules.blocked([11, 14], [2, 3]) == (0, (3, 0))


@vector("BD-11")
def _() -> None:
    assert game("block").rules.blocked([10, 10], [1, 2]) == (0, (0, 0))


@vector("BD-12")
def _() -> None:
    assert game("block").rules.blocked([10, 10], [1, 1]) == (None, (0, 0))


@vector("BD-13")
def _() -> None:
    line = lay(
        game("block"), "3-3", "3-1@3-3", "3-2@3-3", "1-0@3-1", "3-0@1-0", "4-2@3-2", "4-3@4-2", "5-3@4-3", "6-5@5-3",
        "6-3@6-5",
    )  # fmt: skip
    assert ends(line) == [3, 3]
    unplayed = [tile for tile in tiles_of("double-six") if tile not in line.faces]
    assert len(unplayed) == 18
    assert not line.playable(unplayed)


@vector("BD-14")
def _() -> None:
    rules = game("block").rules
    assert rules.match_winners([110, 61], [1, 1], 2) == (0,)
    assert rules.match_winners([92, 61], [1, 1], 2) == ()


@vector("BD-15")
def _() -> None:
    """Drawing again is refereed: tests/referee has the playbook; here the lots are equal."""
    assert sum(map(int, ["6", "3"])) == sum(map(int, ["5", "4"]))


# draw; a tile is 2 x 1 mm here, so that the vectors' units are millimetres

UNIT = Size(2.0, 1.0)


@vector("DR-01")
def _() -> None:
    assert max(["5-5", "2-1", "4-4", "6-5"], key=start_rank) == "5-5"


@vector("DR-02")
def _() -> None:
    assert max(["6-3", "2-0", "5-4", "6-2"], key=start_rank) == "6-3"


@vector("DR-03")
def _() -> None:
    line = lay(game("draw"), "5-4", "4-3@5-4")
    assert ends(line) == [3, 5]


def at_four(tile: str, pose: Pose, on: str = "5-4", side: str = "b", own: str = "a") -> list[str]:
    """How a tile lies at the 4 of 5-4, which lies at the origin pointing right; or at 4-4 across its end."""
    on_pose = Pose(0, 0, 0) if on == "5-4" else Pose(1.5, 0, 90)
    return pose_faults(tile, pose, on, on_pose, Joint(0, side, own), "a", 0.0, UNIT, 15, True, True)


@vector("DR-04")
def _() -> None:
    assert at_four("4-4", Pose(2, 0, 0), own="short_n") == ["DOUBLE_NOT_CROSSWISE"]
    assert at_four("4-4", Pose(1.5, 0, 90), own="long_l") == []


@vector("DR-05")
def _() -> None:
    line = lay(game("draw"), "5-4", "4-4@5-4")
    assert line.check("4-2", Joint(1, "short_n", "a"))[0].code == "NOT_AN_OPEN_END"
    assert line.check("4-2", Joint(1, "long_r", "a")) == []


@vector("DR-06")
def _() -> None:
    assert at_four("4-2", Pose(2.5, 0.5, 90), "4-4", "long_r") == ["TILE_NOT_PERPENDICULAR"]
    assert at_four("4-2", Pose(3, 0, 0), "4-4", "long_r") == []


@vector("DR-07")
def _() -> None:
    assert "OFF_AXIS" in at_four("4-3", Pose(2, 0, 30))
    assert at_four("4-3", Pose(2, 0, 14)) == []


@pytest.mark.parametrize(
    ("tile", "most", "more", "code", "rest"),
    [
        ("4-3", Pose(2, 0, 15), Pose(2, 0, 15.1), "OFF_AXIS", ()),
        ("4-3", Pose(2, 0.5, 0), Pose(2, 0.51, 0), "SIDES_NOT_ADJACENT", ()),
        ("4-3", Pose(2.5, 0, 0), Pose(2.51, 0, 0), "SIDES_NOT_ADJACENT", ()),
        ("4-4", Pose(1.5, 0.5, 90), Pose(1.5, 0.51, 90), "DOUBLE_NOT_CROSSWISE", ("5-4", "b", "long_l")),
        ("4-4", Pose(2, 0, 90), Pose(2.01, 0, 90), "SIDES_NOT_ADJACENT", ("5-4", "b", "long_l")),
        ("4-2", Pose(3, 0.5, 0), Pose(3, 0.51, 0), "TILE_NOT_PERPENDICULAR", ("4-4", "long_r")),
        ("4-2", Pose(3.5, 0, 0), Pose(3.51, 0, 0), "SIDES_NOT_ADJACENT", ("4-4", "long_r")),
    ],
)
def test_a_003_9_tolerances_reach_just_so_far(
    tile: str, most: Pose, more: Pose, code: str, rest: tuple[str, ...]
) -> None:
    assert at_four(tile, most, *rest) == []
    assert at_four(tile, more, *rest) == [code]


def test_a_003_9_a_double_that_may_lie_either_way_reaches_as_far_across() -> None:
    joint = Joint(0, "b", "long_l")
    for off, said in ((0.5, []), (0.51, ["SIDES_NOT_ADJACENT"])):
        pose = Pose(1.5, off, 90)
        assert pose_faults("4-4", pose, "5-4", Pose(0, 0, 0), joint, "a", 0.0, UNIT, 15, True, False) == said


def fitting(width: float, others: list[Pose]) -> set[str]:
    room = Room((width, 8), [Pose(9, 3.5, 0), *others])
    end = End(10, 3.5, 1, 0)
    kinds = [*footprints(end, False, False, True, UNIT), *footprints(end, True, False, True, UNIT)]
    return {kind for kind, pose in kinds if fits(pose, UNIT, room, 1e-6, 0)}


@vector("DR-08")
def _() -> None:
    assert fitting(12, []) == {"straight", "left", "right", "across"}


@vector("DR-09")
def _() -> None:
    assert fitting(11, []) == {"left", "right", "across"}


@vector("DR-10")
def _() -> None:
    assert fitting(10.5, []) == set()


@vector("DR-11")
def _() -> None:
    assert fitting(12, [Pose(11, 3, 90)]) == set()


@vector("DR-12")
def _() -> None:
    assert game("draw").rules.floor() < 3


@vector("DR-13")
def _() -> None:
    assert game("draw").rules.floor() == 2


@vector("DR-14")
def _() -> None:
    assert game("draw").rules.draw == "until_playable"


@vector("DR-15")
def _() -> None:
    assert game("draw").rules.out(0, [0, 21]) == (0, (21, 0))


@vector("DR-16")
def _() -> None:
    assert game("draw").rules.blocked([9, 14], [1, 2]) == (0, (5, 0))


@vector("DR-17")
def _() -> None:
    assert game("draw").rules.blocked([12, 12], [1, 2]) == (None, (0, 0))


# doubles


@vector("DB-01")
def _() -> None:
    sizes = [(line.hand_size(), line.yard_after_deal()) for line in (game("doubles", n).rules for n in (2, 3, 4))]
    assert sizes == [(8, 12), (6, 10), (6, 4)]


@vector("DB-02")
def _() -> None:
    plain = [tile for tile in tiles_of("double-six") if not is_double(tile)]
    assert len(plain) == 21
    rules = game("doubles", 3).rules
    assert rules.options["redeal_without_double"]
    assert 3 * rules.hand_size() <= len(plain)


@vector("DB-03")
def _() -> None:
    assert 4 * game("doubles", 4).rules.hand_size() > 21


@vector("DB-04")
def _() -> None:
    line = lay(game("doubles"), "6-6")
    for side in ("long_l", "long_r", "short_n", "short_s"):
        assert line.check("6-3", Joint(0, side, "a")) == []


@vector("DB-05")
def _() -> None:
    assert code(lay(game("doubles"), "6-6", "6-3@6-6"), "3-1", "6-3") == "NUMBER_LOCKED"


@vector("DB-06")
def _() -> None:
    line = lay(game("doubles"), "6-6", "6-3@6-6", "3-3@6-3")
    assert ends(line).count(3) == 3


@vector("DB-07")
def _() -> None:
    lay(game("doubles"), "6-6", "6-3@6-6", "3-3@6-3", "3-1@3-3")


def four_sixes() -> Line:
    return lay(game("doubles"), "6-6", "6-3@6-6", "6-2@6-6", "6-1@6-6", "6-0@6-6")


@vector("DB-08")
def _() -> None:
    assert code(four_sixes(), "6-5", "6-6") == "NOT_AN_OPEN_END"


@vector("DB-09")
def _() -> None:
    assert four_sixes().playable(["6-5", "6-4", "5-3", "4-2", "2-1", "3-3", "5-5"]) == {"3-3"}


@vector("DB-10")
def _() -> None:
    lay(game("doubles"), "6-6", "6-3@6-6", "6-5@6-6", "5-5@6-5", "5-3@5-5", "3-3@6-3", "3-1@5-3")


@vector("DB-11")
def _() -> None:
    assert game("doubles").rules.draw == "one"


@vector("DB-12")
def _() -> None:
    assert game("doubles").rules.floor() == 2


@vector("DB-13")
def _() -> None:
    assert game("doubles", 3).rules.out(0, [0, 9, 12]) == (0, (21, 0, 0))


@vector("DB-14")
def _() -> None:
    assert game("doubles", 3).rules.blocked([4, 9, 12], [1, 1, 1]) == (0, (21, 0, 0))


@vector("DB-15")
def _() -> None:
    assert game("doubles", 3).rules.blocked([5, 5, 9], [1, 1, 1]) == (None, (0, 0, 0))


@vector("DB-16")
def _() -> None:
    assert game("doubles", 3).rules.match_winners([105, 40, 12], [3, 1, 1], 5) == (0,)


# chicken foot


@vector("CF-01")
def _() -> None:
    yards = [game("chicken-foot", n).rules.yard_after_deal() for n in range(2, 9)]
    assert yards == [12, 12, 10, 14, 12, 12, 14]


def one_train() -> Line:
    return lay(game("chicken-foot", 4), "9-9", "9-4@9-9")


def four_trains() -> Line:
    return lay(one_train(), "9-7@9-9", "9-2@9-9", "9-1@9-9")


def foot_on_four() -> Line:
    return lay(four_trains(), "4-4@9-4")


@vector("CF-02")
def _() -> None:
    fault = one_train().check("4-2", joint_on(one_train(), "4-2", "9-4"))[0]
    assert fault == ("OPENING_INCOMPLETE", {"k": 3, "n": 9})


@vector("CF-03")
def _() -> None:
    assert code(one_train(), "4-4", "9-4") == "OPENING_INCOMPLETE"


@vector("CF-04")
def _() -> None:
    rules = one_train().rules
    assert rules.draw == "one"
    assert rules.floor() < 10


@vector("CF-05")
def _() -> None:
    assert code(four_trains(), "9-0", "9-9") == "START_DOUBLE_CLOSED"


@vector("CF-06")
def _() -> None:
    line = foot_on_four()
    assert line.position.foot == (5, 3)


@vector("CF-07")
def _() -> None:
    line = foot_on_four()
    assert line.check("7-2", joint_on(line, "7-2", "9-7"))[0] == ("FOOT_PENDING", {"d": 4, "k": 3})


@vector("CF-08")
def _() -> None:
    line = lay(foot_on_four(), "4-1@4-4")
    assert line.position.foot == (5, 2)


@vector("CF-09")
def _() -> None:
    assert code(lay(foot_on_four(), "4-1@4-4"), "1-0", "4-1") == "FOOT_PENDING"


def foot_done() -> Line:
    return lay(foot_on_four(), "4-1@4-4", "4-0@4-4", "4-3@4-4")


@vector("CF-10")
def _() -> None:
    lay(foot_done(), "7-2@9-7")


@vector("CF-11")
def _() -> None:
    assert code(foot_done(), "6-4", "4-4") == "NOT_AN_OPEN_END"


@vector("CF-12")
def _() -> None:
    assert ends(foot_done()) == [0, 1, 1, 2, 3, 7]


@vector("CF-13")
def _() -> None:
    assert [game("chicken-foot", n).rules.floor() for n in (2, 3, 8)] == [2, 1, 1]


@vector("CF-14")
def _() -> None:
    assert game("chicken-foot", 4).rules.out(0, [0, 17, 10, 4]) == (0, (0, 17, 10, 4))


@vector("CF-15")
def _() -> None:
    rules = game("chicken-foot", 4).rules
    assert rules.match_winners([17, 22, 19, 45], [2, 1, 0, 0], 3) == ()
    assert rules.match_winners([17, 22, 19, 45], [2, 1, 0, 0], 10) == (0,)
