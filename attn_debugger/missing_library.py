"""Which package of the system brings what Qt lacks: said in a sentence, never as a traceback."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from attn_debugger.errors import UsageError

# Shared libraries that Qt's wheels expect of the system, and the package that brings each.
DEBIAN_PACKAGES = {
    "libEGL.so.1": "libegl1",
    "libGL.so.1": "libgl1",
    "libxkbcommon.so.0": "libxkbcommon0",
    "libdbus-1.so.3": "libdbus-1-3",
    "libfontconfig.so.1": "libfontconfig1",
    "libglib-2.0.so.0": "libglib2.0-0",
    "libxcb-cursor.so.0": "libxcb-cursor0",
    "libxkbcommon-x11.so.0": "libxkbcommon-x11-0",
    "libxcb-icccm.so.4": "libxcb-icccm4",
    "libxcb-image.so.0": "libxcb-image0",
    "libxcb-keysyms.so.1": "libxcb-keysyms1",
    "libxcb-render-util.so.0": "libxcb-render-util0",
    "libxcb-randr.so.0": "libxcb-randr0",
    "libxcb-shape.so.0": "libxcb-shape0",
    "libxcb-xkb.so.1": "libxcb-xkb1",
}
X11_LIBRARIES = [name for name in DEBIAN_PACKAGES if "xcb" in name or "x11" in name]
"""Loaded by Qt's xcb plugin, which aborts the process when one is missing."""


def about_missing_library(error: str, *, what: str = "the window") -> str:
    """Return what `what` lacks and how to get it, from the message of a failed import."""
    for name, package in DEBIAN_PACKAGES.items():
        if name in error:
            return (
                f"{what} needs {name}, which is not installed here; on Debian and Ubuntu: "
                f"sudo apt install {package}. `check` and `info` work without it"
            )
    return (
        f"Qt cannot be loaded ({error}); reinstall it with: pip install --force-reinstall "
        "PySide6-Essentials"
    )


@contextmanager
def importing_qt(what: str) -> Iterator[None]:
    """Turn an import of Qt that fails into a `UsageError` that names what is missing."""
    try:
        yield
    except ImportError as error:
        raise UsageError(about_missing_library(str(error), what=what)) from error
