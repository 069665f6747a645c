"""Which cameras there are, and what a person means by `--camera`: a name, a number, a path, a file, an address.

A number changes with the order of plugging in, so what was found is kept by its lasting path and looked up again each
time the camera is opened. Opens no camera; reads what the system says about them (Linux: /sys and /dev).
"""

from __future__ import annotations

import errno
import os
import re
import struct
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from vision.sources.pictures import SourceError, is_picture

Kind = Literal["device", "address", "file", "pi"]

_SCHEME = re.compile(r"^[a-z][a-z0-9+.-]*://", re.IGNORECASE)
_PASSWORD = re.compile(r"(?<=://)[^/@\s]+@")
_QUERYCAP = 0x80685600  # VIDIOC_QUERYCAP, _IOR('V', 0, 104 bytes): linux/videodev2.h
_CAPTURE, _CAPTURE_MPLANE, _DEVICE_CAPS = 0x1, 0x1000, 0x80000000
_MOST_INDEX = 64
"""Numbers above this are not a camera but a typing error."""


class CameraFault(SourceError):
    """A camera cannot be used. `kind`: none, missing, permission, busy, ambiguous, silent or other; the text says what
    to do."""

    def __init__(self, kind: str, text: str) -> None:
        super().__init__(text)
        self.kind = kind


@dataclass(frozen=True, slots=True)
class CameraDevice:
    """A camera that the system knows."""

    name: str
    """As its maker calls it; two of a kind share it."""
    device: str
    """What is opened now, such as /dev/video0; changes with the order of plugging in."""
    index: int
    lasting: str
    """A path that stays the same: by the maker's serial number, else by the socket; `device` where there is neither."""
    fault: str | None = None
    """"permission" when it may not even be asked."""


@dataclass(frozen=True, slots=True)
class CameraTarget:
    """What `--camera` stands for."""

    kind: Kind
    where: str
    """Lasting path, address, file name, or the Pi camera's number."""
    shown: str
    """Name for people; passwords in an address are left out."""
    index: int | None = None
    """For devices, where the system names no paths."""


def list_cameras(devices: Path = Path("/dev"), classes: Path = Path("/sys/class/video4linux")) -> list[CameraDevice]:
    """The cameras that the system names, in the order of their numbers; empty where it names none (not on Linux)."""
    found = []
    for entry in sorted(classes.glob("video*"), key=lambda path: int(re.sub(r"\D", "", path.name) or 0)):
        device = devices / entry.name
        captures, fault = _captures(device)
        if not captures:
            continue
        try:
            name = (entry / "name").read_text(encoding="utf-8", errors="replace").strip()
        except OSError:
            name = entry.name
        index = int(re.sub(r"\D", "", entry.name) or 0)
        found.append(CameraDevice(name, str(device), index, _lasting(device, devices), fault))
    return found


def _captures(device: Path) -> tuple[bool, str | None]:
    """Does this node give pictures (a camera has others, for metadata)? With the fault that keeps us from asking."""
    try:
        handle = os.open(device, os.O_RDWR | getattr(os, "O_NONBLOCK", 0))
    except PermissionError:
        return True, "permission"
    except OSError:
        return False, None
    try:
        import fcntl  # not there on Windows

        answer = fcntl.ioctl(handle, _QUERYCAP, bytes(104))
        whole, own = struct.unpack_from("<II", answer, 84)
        capabilities = own if whole & _DEVICE_CAPS else whole
        return bool(capabilities & (_CAPTURE | _CAPTURE_MPLANE)), None
    except (OSError, ImportError):
        return False, None
    finally:
        os.close(handle)


def _lasting(device: Path, devices: Path) -> str:
    for folder in ("by-id", "by-path"):
        links = sorted((devices / "v4l" / folder).glob("*"))
        for link in links:
            if link.resolve() == device.resolve():
                return str(link)
    return str(device)


def find_camera(spec: str, cameras: list[CameraDevice] | None = None) -> CameraTarget:
    """What `spec` names: an address, a file, `pi`, a number, a path, or (part of) a camera's name.

    Raises CameraFault with one line for people.
    """
    spec = spec.strip()
    if _SCHEME.match(spec):
        return CameraTarget("address", spec, without_password(spec))
    if re.fullmatch(r"pi(:\d+)?", spec):
        return CameraTarget("pi", spec.partition(":")[2] or "0", "Pi camera")
    known = list_cameras() if cameras is None else cameras
    if spec.isdigit():
        return _numbered(int(spec), known)
    path = Path(spec)
    for camera in known:
        if spec in (camera.lasting, camera.device) or (path.exists() and path.resolve() == Path(camera.device)):
            return _target(camera)
    if path.is_file():
        if is_picture(path):
            raise CameraFault("other", f"{path}: is a picture; name a camera or a video, or give it with --image")
        return CameraTarget("file", spec, spec)
    if path.exists() and not path.is_dir():
        return CameraTarget("device", spec, spec)
    if "/" in spec or "\\" in spec:
        raise CameraFault("missing", f"{spec}: there is no such camera or file; `dominoref cameras` lists the cameras")
    return _named(spec, known)


def _numbered(index: int, known: list[CameraDevice]) -> CameraTarget:
    for camera in known:
        if camera.index == index:
            return _target(camera)
    if index > _MOST_INDEX or sys.platform.startswith("linux"):
        raise CameraFault("missing", f"camera {index}: there is none; {_what_there_is(known)}")
    return CameraTarget("device", str(index), f"camera {index}", index)


def _named(spec: str, known: list[CameraDevice]) -> CameraTarget:
    wanted = spec.casefold()
    for matches in (
        [c for c in known if c.name.casefold() == wanted],
        [c for c in known if wanted and wanted in c.name.casefold()],
    ):
        if len(matches) == 1:
            return _target(matches[0])
        if matches:
            several = ", ".join(c.lasting for c in matches)
            raise CameraFault("ambiguous", f"camera {spec!r}: {len(matches)} have this name; give a path: {several}")
    raise CameraFault("missing", f"camera {spec!r}: there is none of this name; {_what_there_is(known)}")


def _what_there_is(known: list[CameraDevice]) -> str:
    if known:
        return "there are: " + ", ".join(f"{c.index} ({c.name})" for c in known)
    return "no camera is plugged in (without one: `dominoref demo`, or a recording with `dominoref replay`)"


def _target(camera: CameraDevice) -> CameraTarget:
    return CameraTarget("device", camera.lasting, camera.name, camera.index)


def default_camera(cameras: list[CameraDevice] | None = None) -> CameraTarget:
    """The camera to use when none was named: the first that may be used. Raises CameraFault."""
    known = list_cameras() if cameras is None else cameras
    for camera in sorted(known, key=lambda c: c.fault is not None):
        return _target(camera)
    if not sys.platform.startswith("linux"):
        return CameraTarget("device", "0", "camera 0", 0)
    raise CameraFault("none", f"no --camera was named and {_what_there_is(known)}")


def device_fault(target: CameraTarget) -> CameraFault | None:
    """Why the system will not let us open this device, as far as it can be told without opening its pictures."""
    if target.kind != "device" or not target.where.startswith("/"):
        return None
    try:
        os.close(os.open(target.where, os.O_RDWR | getattr(os, "O_NONBLOCK", 0)))
    except OSError as fault:
        return explain_device(target, fault)
    return None


def explain_device(target: CameraTarget, fault: OSError) -> CameraFault:
    """The system's refusal in words, with what to do."""
    name = f"camera {target.shown}"
    if fault.errno in (errno.EACCES, errno.EPERM):
        return CameraFault("permission", f"{name}: no permission for {target.where}; {_cure(target.where)}")
    if fault.errno in (errno.ENOENT, errno.ENODEV, errno.ENXIO):
        return CameraFault("missing", f"{name}: is not plugged in; plug it in, or see `dominoref cameras`")
    if fault.errno == errno.EBUSY:
        return CameraFault("busy", busy_text(target))
    return CameraFault("other", f"{name}: {fault.strerror}; see `dominoref doctor`")


def busy_text(target: CameraTarget) -> str:
    """The line for a camera that another program holds."""
    return f"camera {target.shown}: in use by {_holder(target.where) or 'another program'}; close that and try again"


def _cure(path: str) -> str:
    group = "video"
    try:
        import grp  # not there on Windows

        group = grp.getgrgid(os.stat(path).st_gid).gr_name
    except (OSError, ImportError, KeyError):
        pass
    return f"run `sudo usermod -aG {group} $USER`, then log out and in again"


def _holder(path: str) -> str | None:
    """The program that has the device open, where the system lets us see that (Linux)."""
    wanted = os.path.realpath(path)
    for process in _processes():
        try:
            handles = list((process / "fd").iterdir())
        except OSError:
            continue
        for handle in handles:
            try:
                if os.path.realpath(handle) == wanted:
                    return (process / "comm").read_text(encoding="utf-8", errors="replace").strip()
            except OSError:
                continue
    return None


def _processes() -> Iterator[Path]:
    own = str(os.getpid())
    for process in Path("/proc").glob("[0-9]*"):
        if process.name != own:
            yield process


def without_password(address: str) -> str:
    """An address as it may be shown and written to a log."""
    return _PASSWORD.sub("", address)
