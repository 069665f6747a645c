"""Company makes a doubtful place surer: a face beside a face, a back beside a back of its colour, nothing else."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.confidence import Sureness
from vision.places import Place
from vision.reader import DOWN, UP, Reading
from vision.rows import with_company

WHITE, BROWN = (230, 235, 232), (60, 90, 140)


def place(row: float, state: int, sure: float, column: float = 100.0, face: tuple[int, int] = (1, 0)) -> Place:
    """A 40 x 20 px outline, `row` tiles down from the picture's upper rim."""
    x, y = column, 40 + 20.6 * row
    quad = np.array([[x, y], [x + 40, y], [x + 40, y + 20], [x, y + 20]])
    states = np.full(4, 0.02)
    states[state] = 0.94
    sureness = Sureness(sure if state == UP else 0.0, sure if state == DOWN else 0.0, sure)
    reading = Reading(quad, np.full((13, 13), 1 / 169), states, (0, 0), 0.0, 1.0)
    return Place(0.5, reading, np.zeros((13, 13)), 0.5, [(face, sure)], sureness)


def painted(*places: Place, colour: tuple[int, int, int] = WHITE) -> NDArray[np.uint8]:
    """White tiles on brown; the last place in its own colour."""
    image = np.full((240, 240, 3), BROWN, np.uint8)
    for k, one in enumerate(places):
        (x0, y0), (x1, y1) = one.quad_px[0].astype(int), one.quad_px[2].astype(int)
        image[y0:y1, x0:x1] = colour if k == len(places) - 1 else WHITE
    return image


def sureness_of(doubtful: Place, *others: Place, colour: tuple[int, int, int] = WHITE) -> Sureness:
    places = [*others, doubtful]
    return with_company(painted(*places, colour=colour), places, 2.0, 1.0)[-1].sure


def test_a_back_beside_a_back_of_its_colour() -> None:
    beside = sureness_of(place(1, DOWN, 0.45), place(0, DOWN, 0.95))
    assert beside.back == pytest.approx(0.77, abs=0.01)
    assert beside.tile == pytest.approx(0.71, abs=0.01)


def test_a_gap_between_backs_stays_a_gap() -> None:
    gap = place(1, DOWN, 0.45)
    assert sureness_of(gap, place(0, DOWN, 0.95), place(2, DOWN, 0.95), colour=BROWN) == gap.sure


def test_a_face_beside_a_face() -> None:
    assert sureness_of(place(1, UP, 0.45), place(0, UP, 0.95)).right == pytest.approx(0.62, abs=0.01)


def test_a_plain_patch_beside_a_face_stays_one() -> None:
    blank = place(1, UP, 0.45, face=(0, 0))
    assert sureness_of(blank, place(0, UP, 0.95)) == blank.sure


def test_a_back_beside_a_face_alone_is_as_doubtful() -> None:
    back = place(1, DOWN, 0.45)
    assert sureness_of(back, place(0, UP, 0.95)) == back.sure


@pytest.mark.parametrize("far", [place(3, DOWN, 0.95), place(1, DOWN, 0.95, column=180.0)])
def test_what_lies_apart_is_no_company(far: Place) -> None:
    back = place(1, DOWN, 0.45)
    assert sureness_of(back, far) == back.sure


def test_doubtful_ones_are_no_company() -> None:
    first, second = place(0, DOWN, 0.6), place(1, DOWN, 0.6)
    assert [p.sure for p in with_company(painted(first, second), [first, second], 2.0, 1.0)] == [
        first.sure,
        second.sure,
    ]


def test_a_sure_one_stays_as_it_is() -> None:
    sure = place(1, DOWN, 0.9)
    assert sureness_of(sure, place(0, DOWN, 0.95)) == sure.sure


def test_an_outline_beyond_the_picture_is_alike_to_nothing() -> None:
    outside, above = place(-17, DOWN, 0.45), place(-18, DOWN, 0.95)
    assert with_company(painted(place(0, DOWN, 0.9)), [above, outside], 2.0, 1.0)[-1].sure == outside.sure
