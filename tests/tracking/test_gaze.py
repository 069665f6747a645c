"""How often the eye is asked: once where it is sure, again where it is not, never about shadows."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from table.tracking.gaze import ONE_LOOK_SURE, UNCLEAR_LOOKS, Gaze
from tests.painted import TILE_MM, Table, plane
from vision.motion import Mask, Watch
from vision.sighting import Sighting
from vision.sources.frames import Frame
from vision.sources.pictures import Image

PICTURE = Table().picture()
Region = tuple[int, int, int, int]


def seen(confidence: float = 0.99, x_mm: float = 300.0, face: str = "up") -> Sighting:
    flat = plane()
    middle = flat.to_image([[x_mm, 220.0]])[0]
    quad = middle + np.array([[-12, -6], [12, -6], [12, 6], [-12, 6]], float)
    tile = "4-2" if face == "up" else "?"
    return Sighting(quad, face, tile, confidence, (), flat.pose_of_quad(quad, TILE_MM[2]))  # type: ignore[arg-type]


@dataclass
class ScriptedEye:
    """Answers as told, the last answer for ever."""

    answers: list[list[Sighting]]
    regions: list[Region | None] = field(default_factory=list)

    def look(self, image_bgr: Image, region_px: Region | None = None) -> list[Sighting]:
        self.regions.append(region_px)
        return self.answers[min(len(self.regions), len(self.answers)) - 1]


def asked(answers: list[list[Sighting]], first: bool = False) -> tuple[int, list[Sighting]]:
    """How many looks it takes, and what is believed then."""
    eye = ScriptedEye(answers)
    gaze = Gaze(eye, plane(), TILE_MM, watch())
    part = at(300.0)
    for k in range(20):
        found = gaze.look(part, Frame(0.1 * k, PICTURE), first)
        if found is not None:
            return len(eye.regions), found
    raise AssertionError("never certain")


def watch() -> Watch:
    return Watch(plane(), TILE_MM[1])


def at(*x_mm: float) -> Mask:
    """Cells about the size of a tile at these places."""
    mask = np.zeros(watch().shape, bool)
    for x in x_mm:
        column, row = watch().to_cells(plane().to_image([[x, 220.0]]))[0].astype(int)
        mask[row - 3 : row + 4, column - 3 : column + 4] = True
    return mask


def test_one_sure_look_is_enough() -> None:
    assert asked([[seen()]])[0] == 1


def test_a_doubtful_look_has_to_be_agreed_to() -> None:
    doubtful = replace(seen(), confidence=ONE_LOOK_SURE - 0.05)
    assert asked([[doubtful]])[0] == 2


def test_two_doubtful_looks_that_differ_decide_nothing() -> None:
    doubtful = replace(seen(), confidence=0.6)
    other = replace(doubtful, tile="4-3")
    looks, found = asked([[doubtful], [other], [doubtful], [doubtful]])
    assert looks == 4
    assert [s.tile for s in found] == ["4-2"]


def test_the_unclear_is_looked_at_longer() -> None:
    assert asked([[seen(face="unclear")]])[0] == UNCLEAR_LOOKS


def test_a_doubtful_neighbour_does_not_matter() -> None:
    assert asked([[seen(), seen(0.5, x_mm=360.0)]])[0] == 1


def test_nothing_is_believed_only_when_seen_twice() -> None:
    assert asked([[]])[0] == 2
    assert asked([[]], first=True)[0] == 1


def test_before_the_game_what_only_looks_like_a_tile_is_not_waited_for() -> None:
    # The doubtful thing touches the place that is looked at, too.
    flicker = [[seen(), seen(0.6, x_mm=304.0, face="unclear")], [seen(), seen(0.55, x_mm=304.0)]]
    assert asked(flicker, first=True)[0] == 2
    assert asked(flicker)[0] > 2
    assert asked([[seen(face="unclear")]], first=True)[0] == UNCLEAR_LOOKS


def test_places_far_apart_are_looked_at_singly() -> None:
    eye = ScriptedEye([[]])
    gaze = Gaze(eye, plane(), TILE_MM, watch())
    gaze.sightings(at(100.0, 500.0), Frame(0.0, PICTURE))
    gaze.sightings(at(280.0, 320.0), Frame(0.1, PICTURE))
    widths = [region[2] - region[0] for region in eye.regions if region]
    assert len(widths) == 3
    assert max(widths) < 110


def test_looks_at_what_moves_are_worth_nothing() -> None:
    gaze = Gaze(ScriptedEye([[seen(0.5)]]), plane(), TILE_MM, watch())
    gaze.look(at(300.0), Frame(0.0, PICTURE))
    assert gaze.is_weighing
    gaze.forget(at(100.0))
    assert gaze.is_weighing
    gaze.forget(at(300.0))
    assert not gaze.is_weighing
