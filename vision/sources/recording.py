"""A recording as people name it: a video file, a folder of stills, or a recording folder."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from vision.sources.frames import FrameSource, Stills, Video
from vision.sources.pictures import SourceError, is_picture

RECORDED_VIDEOS = ("video.mkv", "video.mp4", "video.avi")


@dataclass(frozen=True, slots=True)
class Recording:
    """What was found at a path."""

    frames: FrameSource
    table: Path | None
    """Its table.toml, if one lies beside the frames."""
    inputs: Path | None
    """Its inputs.jsonl, if there is one."""

    @property
    def is_stills(self) -> bool:
        """Is each frame a settled table?"""
        return isinstance(self.frames, Stills)


def open_recording(path: Path) -> Recording:
    """Find the frames at `path`. Raises SourceError with one line for people."""
    if not path.exists():
        raise SourceError(f"{path}: there is no such file or folder; check the name")
    if is_picture(path) and not path.is_dir():
        raise SourceError(f"{path}: is one picture, not a recording; name its folder, or let `dominoref count` read it")
    if not path.is_dir():
        return Recording(Video(path), None, None)
    table, inputs = path / "table.toml", path / "inputs.jsonl"
    beside = (table if table.exists() else None, inputs if inputs.exists() else None)
    for name in RECORDED_VIDEOS:
        if (path / name).exists():
            return Recording(Video(path / name), *beside)
    if (path / "frames").is_dir():
        return Recording(Stills(path / "frames"), *beside)
    if any(is_picture(p) for p in path.iterdir()):
        return Recording(Stills(path), *beside)
    raise SourceError(
        f"{path}: holds neither pictures, nor frames/, nor video.mkv, video.mp4 or video.avi; name the recording itself"
    )
