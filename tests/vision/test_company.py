"""Company makes a doubtful place surer where a sure one has its colour, and less sure where all have another."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.company import with_company
from vision.confidence import Sureness
from vision.places import Place
from vision.reader import DOWN, UP, Reading

WHITE, BROWN, GREY = (230, 235, 232), (60, 90, 140), (150, 155, 152)
Colour = tuple[int, int, int]


def place(row: float, state: int, sure: float, column: float = 100.0, face: tuple[int, int] = (1, 0)) -> Place:
    """A 40 x 20 px outline, `row` tiles down from the picture's upper rim."""
    x, y = column, 40 + 20.6 * row
    quad = np.array([[x, y], [x + 40, y], [x + 40, y + 20], [x, y + 20]])
    states = np.full(4, 0.02)
    states[state] = 0.94
    sureness = Sureness(sure if state == UP else 0.0, sure if state == DOWN else 0.0, sure)
    reading = Reading(quad, np.full((13, 13), 1 / 169), states, (0, 0), 0.0, 1.0)
    return Place(0.5, reading, np.zeros((13, 13)), 0.5, [(face, sure)], sureness)


def painted(*places: Place, colour: Colour = WHITE) -> NDArray[np.uint8]:
    """White tiles on brown; the last place in its own colour."""
    image = np.full((240, 240, 3), BROWN, np.uint8)
    for k, one in enumerate(places):
        (x0, y0), (x1, y1) = one.quad_px[0].astype(int), one.quad_px[2].astype(int)
        image[y0:y1, x0:x1] = colour if k == len(places) - 1 else WHITE
    return image


def sureness_of(doubtful: Place, *others: Place, colour: Colour = WHITE, exact: bool = False) -> Sureness:
    places = [*others, doubtful]
    return with_company(painted(*places, colour=colour), places, 1.0, exact)[-1].sure


@pytest.mark.parametrize("exact", [False, True])
def test_a_back_of_the_colour_of_a_sure_one_is_surer(exact: bool) -> None:
    alike = sureness_of(place(3, DOWN, 0.45), place(0, DOWN, 0.95), exact=exact)
    assert 0.5 < alike.back < 1
    assert 0.5 < alike.tile < 1
    assert alike.right == 0


@pytest.mark.parametrize("exact", [False, True])
def test_a_gap_between_backs_has_the_colour_of_the_table(exact: bool) -> None:
    gap = place(1, DOWN, 0.85)
    others = (place(0, DOWN, 0.95), place(2, DOWN, 0.95))
    assert sureness_of(gap, *others, colour=BROWN, exact=exact).back < 0.4


def test_where_outlines_are_exact_a_back_has_edges_all_around() -> None:
    image = np.full((240, 240, 3), WHITE, np.uint8)  # white backs on a white cloth: one has its edges, one has none
    sure, drawn, bare = place(0, DOWN, 0.95), place(3, DOWN, 0.45), place(6, DOWN, 0.45)
    (x0, y0), (x1, y1) = drawn.quad_px[0].astype(int), drawn.quad_px[2].astype(int)
    image[y0 - 2 : y1 + 2, x0 - 2 : x1 + 2] = GREY
    image[y0:y1, x0:x1] = WHITE
    places = [sure, drawn, bare]
    exact = [p.sure.back for p in with_company(image, places, 1.0, True)]
    assert exact[1] > 0.7
    assert exact[2] < 0.45
    inexact = [p.sure.back for p in with_company(image, places, 1.0, False)]
    assert inexact[1] == inexact[2]


def test_a_back_in_another_light_is_as_doubtful_as_before() -> None:
    back = place(3, DOWN, 0.45)
    assert sureness_of(back, place(0, DOWN, 0.95), colour=GREY) == back.sure


def test_a_face_of_another_colour_or_lightness_is_less_sure() -> None:
    for colour in (BROWN, GREY):
        assert sureness_of(place(3, UP, 0.6), place(0, UP, 0.95), colour=colour).right < 0.55


def test_a_face_of_the_colour_of_a_sure_one_is_surer() -> None:
    alike = sureness_of(place(3, UP, 0.6), place(0, UP, 0.95))
    assert 0.65 < alike.right < 0.75
    assert alike.back == 0


def test_two_cells_of_a_printed_grid_are_no_blank() -> None:
    cells = place(3, UP, 0.75, face=(0, 0))
    for exact in (False, True):
        assert sureness_of(cells, place(0, UP, 0.95), colour=BROWN, exact=exact).right < 0.5


def test_a_plain_patch_alone_is_none_either_but_a_face_or_back_may_be_the_only_one() -> None:
    for exact in (False, True):
        assert sureness_of(place(3, UP, 0.75, face=(0, 0)), exact=exact).right < 0.5
    face, back = place(3, UP, 0.75), place(3, DOWN, 0.75)
    for exact in (False, True):
        assert sureness_of(face, exact=exact) == face.sure
        assert sureness_of(back, exact=exact).back == back.sure.back
        assert sureness_of(back, exact=exact).tile < back.sure.tile - 0.1


def test_a_blank_of_the_colour_of_the_faces_is_surely_a_tile() -> None:
    alike = sureness_of(place(3, UP, 0.47, face=(0, 0)), place(0, UP, 0.95), exact=True)
    assert alike.right > 0.55
    assert alike.tile > 0.7


def test_backs_and_faces_are_no_company_to_each_other() -> None:
    back = place(1, DOWN, 0.45)
    assert sureness_of(back, place(0, UP, 0.95)) == sureness_of(back)


def test_what_the_reader_takes_for_nothing_stays_as_doubtful() -> None:
    side = place(3, DOWN, 0.45)
    side.reading.states[:] = (0.17, 0.11, 0.5, 0.22)
    assert sureness_of(side, place(0, DOWN, 0.95), exact=True) == side.sure


def test_doubtful_ones_are_no_company() -> None:
    first, second = place(0, DOWN, 0.6), place(1, DOWN, 0.6)
    after = with_company(painted(first, second), [first, second], 1.0, False)
    assert [p.sure for p in after] == [sureness_of(first), sureness_of(second)]


def test_a_sure_one_stays_as_it_is() -> None:
    sure = place(1, DOWN, 0.92)
    assert sureness_of(sure, place(0, DOWN, 0.95), colour=BROWN, exact=True) == sure.sure


def test_an_outline_beyond_the_picture_is_alike_to_nothing() -> None:
    outside, sure = place(-17, DOWN, 0.45), place(0, DOWN, 0.95)
    image = painted(sure)
    for exact in (False, True):
        assert with_company(image, [sure, outside], 1.0, exact)[-1].sure == sureness_of(outside)
