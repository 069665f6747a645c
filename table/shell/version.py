"""What a bug report needs: versions of the program, Python, the system and the libraries."""

from __future__ import annotations

import platform
from importlib import metadata

LIBRARIES = ("opencv-python", "numpy", "pyserial", "msgspec")


def version_text() -> str:
    """Several lines; the first is the program's own version."""
    lines = [
        f"dominoref {program_version()}",
        f"python {platform.python_version()} ({platform.python_implementation()})",
        f"system {platform.system()} {platform.release()} {platform.machine()}",
    ]
    return "\n".join([*lines, *(f"{name} {_installed(name)}" for name in LIBRARIES)])


def program_version() -> str:
    """The version of this program."""
    return _installed("dominoref")


def _installed(name: str) -> str:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return "not installed"
