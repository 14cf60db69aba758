"""Whether a window can be here at all, found out before Qt would abort the whole process."""

from __future__ import annotations

import os
import sys

from attn_debugger.errors import UsageError
from attn_debugger.missing_library import X11_LIBRARIES, about_missing_library


def require_display() -> None:
    """Raise `UsageError` where no window can be: Qt itself would abort the process."""
    if not sys.platform.startswith("linux") or os.environ.get("QT_QPA_PLATFORM"):
        return
    wayland, x11 = os.environ.get("WAYLAND_DISPLAY"), os.environ.get("DISPLAY")
    if not wayland and not x11:
        raise UsageError(
            "there is no display for a window here ($DISPLAY and $WAYLAND_DISPLAY are not set). "
            "`render` and `check` work without one; over ssh, `ssh -X` brings one along"
        )
    if x11 and not wayland:
        import ctypes

        for name in X11_LIBRARIES:
            try:
                ctypes.CDLL(name)
            except OSError as error:
                raise UsageError(about_missing_library(f"{name}: {error}")) from error
        if not _display_answers():
            raise UsageError(
                f"the display {x11} does not answer (is it still there, and may you use it?). "
                "`render` and `check` work without one"
            )


def _display_answers() -> bool:
    """Tell whether the X server can be reached; Qt would abort the process where it cannot."""
    import ctypes

    try:
        xcb = ctypes.CDLL("libxcb.so.1")
    except OSError:
        return True  # nothing is known; Qt will say
    xcb.xcb_connect.restype = ctypes.c_void_p
    xcb.xcb_connection_has_error.argtypes = [ctypes.c_void_p]
    xcb.xcb_disconnect.argtypes = [ctypes.c_void_p]
    connection = xcb.xcb_connect(None, None)
    failed = xcb.xcb_connection_has_error(connection)
    xcb.xcb_disconnect(connection)
    return not failed


def refuse_broken_qt(version: str, python: tuple[int, ...]) -> None:
    """Raise `UsageError` for a PySide6 that is known to abort the whole process.

    6.12 drops a reference to True and None at every signal on Python 3.11 and older; 6.10.1
    crashes when signals are connected.
    """
    numbers = [int(part) for part in version.split(".")[:3] if part.isdigit()]
    if numbers == [6, 10, 1] or (numbers[:2] >= [6, 12] and python < (3, 12)):
        wanted = '"PySide6-Essentials>=6.8,<6.12,!=6.10.1"'
        raise UsageError(
            f"PySide6 {version} crashes on Python {python[0]}.{python[1]}; "
            f"install another one: pip install {wanted}"
        )
