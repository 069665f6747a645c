"""Which physical tile a face is: the same when it comes back, also under a corrected name, until all is cleared."""

from __future__ import annotations

import numpy as np

from calibration.plane import Pose
from table import events
from table.tracking.books import Books
from table.tracking.reconcile import Change
from vision.sighting import Sighting

QUAD = np.zeros((4, 2))


def placed(books: Books, name: str, x_mm: float = 100.0) -> events.Placed:
    sighting = Sighting(QUAD, "up", name, 0.99, (), Pose(x_mm, 100, 0))
    fact = books.apply(Change("placed", sighting, None), 0.0, None, None)
    assert isinstance(fact, events.Placed)
    return fact


def removed(books: Books, number: int) -> events.Fact:
    tile = next(t for t in books.tiles if t.id == number)
    return books.apply(Change("removed", None, tile), 0.0, None, None)


def corrected() -> Books:
    """3-1 was laid, corrected to 2-0, and taken off the table."""
    books = Books(each_face_once=True)
    placed(books, "3-1")
    books.rename(0, "2-0")
    removed(books, 0)
    return books


def test_a_face_that_comes_back_is_the_same_tile() -> None:
    books = Books(each_face_once=True)
    number = placed(books, "6-4").id
    removed(books, number)
    assert placed(books, "6-4").id == number


def test_in_a_set_with_twins_it_is_another() -> None:
    books = Books(each_face_once=False)
    number = placed(books, "6-4").id
    removed(books, number)
    assert placed(books, "6-4").id != number


def test_a_corrected_name_is_kept_while_the_tile_is_taken_back() -> None:
    again = placed(corrected(), "3-1")
    assert (again.id, again.tile) == (0, "2-0")


def test_the_tile_of_that_name_comes_before_one_read_as_it() -> None:
    books = corrected()
    other = placed(books, "3-1", 300.0)
    books.rename(other.id, "3-1")
    placed(books, "2-0", 400.0)
    for tile in list(books.tiles):
        removed(books, tile.id)
    assert placed(books, "2-0").tile == "2-0"


def test_after_the_table_was_cleared_a_reading_is_what_it_says() -> None:
    books = corrected()
    books.cleared()
    assert placed(books, "3-1").tile == "3-1"
    assert placed(books, "2-0").id == 0
