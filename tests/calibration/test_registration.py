"""From a picture to a table: against cameras that are known exactly."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from calibration.lens import Lens
from calibration.marker_fit import refine_marker
from calibration.markers import find_markers
from calibration.plane import Array, Pose
from calibration.registration import Registration, evidence, register, register_evidence
from calibration.solve import Evidence, NotEnough, solve
from tests.photographed import Camera, Image, Scene, error_mm, photograph

CAMERA = Camera()
LENS = Lens(CAMERA.size_px, CAMERA.matrix, np.array(CAMERA.bend))
TILE_MM = (50.0, 25.0, 8.0)
TILES = tuple(Pose(90.0 + 105 * (k % 5), 80.0 + 120 * (k // 5), 40.0 * k) for k in range(15))


@cache
def picture() -> Image:
    return photograph(CAMERA, Scene())


def off_mm(made: Registration) -> float:
    points, pixels = CAMERA.grid()
    return error_mm(made.table.plane(CAMERA.size_px).to_table(pixels), points)


def tiles_px(noise_px: float = 0.0) -> tuple[Array, ...]:
    draw = np.random.default_rng(3)
    return tuple(CAMERA.tile_px(pose, TILE_MM) + draw.normal(0, noise_px, (4, 2)) for pose in TILES)


def test_marker_corners_are_found_to_a_fraction_of_a_pixel() -> None:
    found = find_markers(picture())
    assert sorted(found) == [0, 1, 2, 3]
    off = [np.linalg.norm(found[k] - CAMERA.marker_px(k), axis=1) for k in range(4)]
    assert np.median(off) < 0.15
    assert np.max(off) < 0.4


def test_a_marker_that_is_not_there_is_not_explained() -> None:
    grey = picture()[:, :, 0].copy()
    _, here = refine_marker(grey, 0, CAMERA.marker_px(0))
    _, wrong = refine_marker(grey, 1, CAMERA.marker_px(0))
    _, outside = refine_marker(grey, 0, CAMERA.marker_px(0) - 500)
    assert here > 0.97
    assert wrong < 0.8
    assert outside == 0.0


@pytest.mark.parametrize(
    ("known", "limit_mm"),
    [
        (evidence(area_mm=(600.0, 400.0), lens=LENS), 0.4),
        (evidence(area_mm=(600.0, 400.0)), 0.7),
        (evidence(lens=LENS), 2.0),
        (evidence(), 2.5),
    ],
    ids=["all given", "size given", "lens given", "nothing given"],
)
def test_the_table_is_known_from_its_markers(known: Evidence, limit_mm: float) -> None:
    made = register(picture(), known)
    assert off_mm(made) < limit_mm
    assert made.report.error_mm[1] < 3 * limit_mm
    assert made.table.markers
    assert made.report.coverage == pytest.approx(0.6, abs=0.25)


def test_the_lens_is_found_along() -> None:
    made = register(picture(), evidence(area_mm=(600.0, 400.0)))
    assert made.solution.lens.matrix[0, 0] == pytest.approx(CAMERA.focal_px, rel=0.04)
    assert made.solution.lens.distortion[0] == pytest.approx(CAMERA.bend[0], abs=0.03)
    assert made.report.focal_source == "estimated"
    assert made.table.plane(CAMERA.size_px).camera_position_mm()[2] == pytest.approx(CAMERA.height_mm, rel=0.04)


def test_a_marker_in_glare_is_found_by_where_it_must_be() -> None:
    image = photograph(CAMERA, Scene(washed=(1,), noise=1.0))
    made = register(image, evidence(area_mm=(600.0, 400.0)))
    assert sorted(made.markers) == [0, 1, 2, 3]
    assert off_mm(made) < 1.0


def test_three_markers_do_and_the_fourth_is_named() -> None:
    made = register(photograph(CAMERA, Scene(markers=(0, 1, 3))), evidence(area_mm=(600.0, 400.0)))
    assert off_mm(made) < 2.0
    assert any("marker 2" in note for note in made.report.notes)


def test_one_marker_is_not_enough() -> None:
    with pytest.raises(NotEnough, match="only corner marker 0 is seen"):
        register(photograph(CAMERA, Scene(markers=(0,))), evidence(area_mm=(600.0, 400.0)))


def test_nothing_to_go_by_is_said_with_all_ways_out() -> None:
    with pytest.raises(NotEnough, match=r"markers.*--corners.*at least 4 tiles"):
        register(np.full((720, 1280, 3), 90, np.uint8), evidence())


def test_a_wrong_size_is_noticed() -> None:
    made = register(picture(), evidence(area_mm=(600.0, 600.0)))
    assert made.report.quality == "redo"
    assert any(re.search(r"about (59|60)\dx(39|40)\d mm", note) for note in made.report.notes)


def test_corners_set_by_hand() -> None:
    made = register_evidence(
        Evidence(CAMERA.size_px, corners_px=CAMERA.corners_px(), area_mm=(600.0, 400.0), lens=LENS)
    )
    assert off_mm(made) < 0.1
    with pytest.raises(NotEnough, match="size of the play area"):
        register_evidence(Evidence(CAMERA.size_px, corners_px=CAMERA.corners_px()))


def test_tiles_mend_what_corners_do_not_tell() -> None:
    known = Evidence(CAMERA.size_px, corners_px=CAMERA.corners_px(), area_mm=(600.0, 400.0), tile_mm=TILE_MM)
    alone = register_evidence(known)
    helped = register_evidence(replace(known, tiles_px=tiles_px(0.3)))
    assert helped.report.error_mm[1] < alone.report.error_mm[1]
    assert off_mm(helped) < 2.0


def test_tiles_alone_tell_tilt_and_distance() -> None:
    made = register_evidence(Evidence(CAMERA.size_px, tiles_px=tiles_px(0.5), tile_mm=TILE_MM))
    points, pixels = CAMERA.grid()
    found = made.table.plane(CAMERA.size_px).to_table(pixels)
    # The frame is the picture's own; distances must be right.
    for first, second in ((0, 62), (8, 54), (4, 58)):
        true = np.linalg.norm(points[first] - points[second])
        assert np.linalg.norm(found[first] - found[second]) == pytest.approx(true, rel=0.03)
    assert any("tiles alone" in note for note in made.report.notes)


def test_one_misplaced_tile_does_not_bend_the_table() -> None:
    quads = [*tiles_px(0.3)]
    wrong = [*quads]
    wrong[7] = wrong[7] + np.array([[0, 0], [25, 0], [25, 9], [0, 9]])
    good, bad = (solve(Evidence(CAMERA.size_px, tiles_px=tuple(q), tile_mm=TILE_MM, lens=LENS)) for q in (quads, wrong))
    assert bad.translation_mm[2] == pytest.approx(good.translation_mm[2], rel=0.03)


def test_too_few_tiles_alone_are_refused() -> None:
    with pytest.raises(NotEnough, match="at least 4 tiles"):
        register_evidence(Evidence(CAMERA.size_px, tiles_px=tiles_px()[:3]))
