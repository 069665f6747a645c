"""Looks at the table before it is calibrated: pictures from a file, video or camera, and the lens from the board."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from calibration.markers import find_markers
from calibration.plane import Array
from table.shell.faults import Fault

if TYPE_CHECKING:
    from calibration.lens import Lens
    from calibration.lens_board import LensMeasure
    from vision.sources.cameras import LiveCamera
    from vision.sources.frames import Frame

LOOKS = 12
"""So many pictures are taken from a video or a camera; more make the result no better."""
SPREAD_S = 0.2
"""Time from one to the next."""
WAIT_S = 20.0
"""So long a camera is waited for before it is given up."""
LENS_S = 120.0
MOVED_PX = 2.0
"""Markers that lie further from their own median than this were not still."""
SURE, FEWEST_FACES = 0.8, 8
"""A tile's corners count from that confidence on; so many faces tell the camera's tilt without backs."""

Image = NDArray[np.uint8]


@dataclass(slots=True)
class Looks:
    """What several pictures of one unmoved table show."""

    pictures: list[Image]
    name: str
    """Of the source, for people."""
    markers: dict[int, Array] = field(default_factory=dict)
    """The median of each marker's corners (4, 2) px over the pictures that show it."""
    moved_px: float = 0.0
    """The most that a marker strayed from its median."""

    @property
    def size_px(self) -> tuple[int, int]:
        return self.pictures[0].shape[1], self.pictures[0].shape[0]

    @property
    def clearest(self) -> Image:
        """A picture to show and to search: the last one."""
        return self.pictures[-1]


def look_at(
    image: Path | None,
    video: Path | None,
    camera: str | None,
    asked_px: tuple[int, int],
    say: Callable[[str], None],
    live: Callable[[LiveCamera], None] | None = None,
) -> Looks:
    """Pictures of the table from one of the three; `asked_px` is asked of a camera, `live` looks through it before.

    Raises Fault.
    """
    from vision.sources.pictures import SourceError, read_picture

    try:
        if image is not None:
            looks = Looks([read_picture(image)], str(image))
        elif video is not None:
            looks = Looks([frame.image for frame in _of_video(video)], str(video))
        else:
            looks = _of_camera(camera, asked_px, say, live)
    except SourceError as fault:
        raise Fault(str(fault)) from fault
    _find_markers(looks)
    return looks


def _of_video(path: Path) -> Iterator[Frame]:
    from vision.sources.recording import open_recording

    last = -SPREAD_S
    taken = 0
    for frame in open_recording(path).frames:
        if frame.settled or frame.t - last >= SPREAD_S:
            last, taken = frame.t, taken + 1
            yield frame
        if taken == LOOKS:
            return


def _of_camera(
    spec: str | None,
    asked_px: tuple[int, int],
    say: Callable[[str], None],
    live: Callable[[LiveCamera], None] | None,
) -> Looks:
    from vision.sources.cameras import open_camera

    with open_camera(spec, asked_px=asked_px) as camera:
        say(f"camera {camera.name}: {camera.settings}")
        if live is not None:
            live(camera)
        pictures: list[Image] = []
        begun = camera.now()
        last = begun - SPREAD_S
        while len(pictures) < LOOKS and not camera.ended:
            frame = camera.newest(0.5)
            for event in camera.events():
                say(event.message)
            if frame is None:
                if camera.now() - begun > WAIT_S:
                    break
            elif frame.t - last >= SPREAD_S:
                last = frame.t
                pictures.append(frame.image)
        if not pictures:
            raise Fault(f"camera {camera.name}: no picture came in {WAIT_S:g} s; see `dominoref doctor`")
        return Looks(pictures, camera.name)


def _find_markers(looks: Looks) -> None:
    seen: dict[int, list[Array]] = {}
    for number, picture in enumerate(looks.pictures):
        # The long search is for what the quick one missed in every picture before.
        thorough = number == len(looks.pictures) - 1 and len(seen) < 4
        for marker, corners in find_markers(picture, thorough).items():
            seen.setdefault(marker, []).append(corners)
    for marker, found in sorted(seen.items()):
        middle = np.asarray(np.median(found, axis=0), np.float64)
        looks.markers[marker] = middle
        off = [float(np.abs(corners - middle).max()) for corners in found]
        # A hand that passes moves one picture; a table that moves, moves most of them.
        looks.moved_px = max(looks.moved_px, float(np.percentile(off, 75)))


def measure_lens(source: str, say: Callable[[str], None]) -> LensMeasure:
    """The lens from a video, a folder of pictures or a camera that shows the board in many places. Raises Fault."""
    from calibration.lens_board import LensViews

    views: LensViews | None = None
    for image in _lens_pictures(source, say):
        if views is None:
            views = LensViews((image.shape[1], image.shape[0]))
        if views.add(image):
            missing = views.missing()
            where = f", show it more: {missing}" if missing and not views.complete else ""
            say(f"board: {len(views)} views, {100 * views.coverage:.0f} % of the picture{where}")
        if views.complete and not Path(source).exists():
            break
    if views is None:
        raise Fault(f"{source}: holds no pictures; film the ChArUco board of `dominoref markers`")
    try:
        return views.solve()
    except ValueError as fault:
        raise Fault(f"{source}: {fault}") from fault


def _lens_pictures(source: str, say: Callable[[str], None]) -> Iterator[Image]:
    from vision.sources.cameras import open_camera
    from vision.sources.pictures import SourceError
    from vision.sources.recording import open_recording

    try:
        if Path(source).exists() and not Path(source).is_char_device():
            frames = open_recording(Path(source)).frames
            for number, frame in enumerate(frames):
                if frame.settled or number % 5 == 0:
                    yield frame.image
            return
        with open_camera(source) as camera:
            say("show the board: flat on the table, tilted, near, and in all corners of the picture")
            while camera.now() < LENS_S:
                newest = camera.newest(0.5)
                if newest is not None:
                    yield newest.image
    except SourceError as fault:
        raise Fault(str(fault)) from fault


def find_tiles(picture: Image, lens: Lens | None) -> tuple[Array, ...]:
    """The corners of tiles that surely lie there, each (4, 2) px; backs only where there are few faces.

    What looks like a back may have a tile's side in its outline.
    """
    from vision.eye import Eye
    from vision.outlines import exact_outlines

    sure = [s for s in Eye("auto").look(picture) if s.confidence >= SURE and s.face != "unclear"]
    faces = [s for s in sure if s.face == "up"]
    return tuple(exact_outlines(picture, [s.quad_px for s in (faces if len(faces) >= FEWEST_FACES else sure)]))


def can_write(path: Path) -> str | None:
    """Why nothing can be written at `path`, or None."""
    folder = path.parent
    try:
        with tempfile.TemporaryFile(dir=folder):
            return None
    except OSError as fault:
        return f"{folder}: cannot be written to ({fault.strerror})"


def say_on_stderr(sentence: str) -> None:
    """What people are told on the way."""
    print(f"dominoref: {sentence}", file=sys.stderr)
