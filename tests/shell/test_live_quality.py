"""The live figure while a camera is moved into place: in words, in the picture, and until Enter."""

from __future__ import annotations

import threading
from types import SimpleNamespace

import cv2
import numpy as np
import pytest

from calibration.registration import evidence
from table.shell.live_quality import COLOURS, Now, draw_now, quality_now, watch_live
from table.shell.main import main
from tests.photographed import Camera, Scene, photograph

CAMERA = Camera()
PHOTO = photograph(CAMERA, Scene())
BARE = np.full_like(PHOTO, 120)
KNOWN = evidence(area_mm=(600.0, 400.0))


def test_the_figure_and_the_word() -> None:
    now = quality_now(PHOTO, KNOWN)
    assert now.quality == "good"
    assert now.error_mm is not None
    assert now.text == f"good: {now.error_mm[0]:.1f} mm ({now.error_mm[1]:.1f} mm at worst), from 4 corner markers"
    assert quality_now(BARE, KNOWN).text == "0 of 4 corner markers are seen"
    covered = PHOTO.copy()
    for corner in CAMERA.corners_px()[:2]:
        cv2.circle(covered, tuple(int(v) for v in corner), 90, (120, 120, 120), -1)
    assert quality_now(covered, evidence()).text == "2 of 4 corner markers are seen"


def test_the_picture_shows_it_in_colour_and_length() -> None:
    bars = {}
    for quality in ("good", "usable", "redo", None):
        drawn = draw_now(BARE, Now("", quality, (1.0, 2.0)))  # type: ignore[arg-type]
        bars[quality] = int(np.all(drawn[-1] == COLOURS[quality], axis=1).sum())  # type: ignore[index]
    assert bars["good"] == BARE.shape[1] > bars["usable"] > bars["redo"] > bars[None] > 0


def test_in_the_terminal_until_enter(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    seen = threading.Event()
    pictures = [BARE, PHOTO, PHOTO]

    def newest(_: float) -> SimpleNamespace:
        if len(pictures) == 1:
            seen.set()
        return SimpleNamespace(image=pictures.pop(0) if len(pictures) > 1 else pictures[0])

    def enter() -> str:
        seen.wait(60)
        return "\n"

    monkeypatch.setattr("sys.stdin", SimpleNamespace(readline=enter))
    watch_live(SimpleNamespace(ended=False, newest=newest), KNOWN, in_window=False)  # type: ignore[arg-type]
    said = capsys.readouterr().err.splitlines()
    assert said[1] == "0 of 4 corner markers are seen"
    assert said[2].startswith("good: ")
    assert len(said) == 3  # what has not changed is not said again


def test_live_needs_a_camera(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["calibrate", "--live", "--image", "table.png"]) == 2
    assert "--live goes with a camera" in capsys.readouterr().err
