"""Python's garbage, looked for on the window's thread and on no other."""

from __future__ import annotations

import gc
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PySide6.QtCore import QObject

GARBAGE_MS = 500


def collect_garbage(owner: QObject) -> None:
    """Look for garbage from now on, on this thread only, and not in what stays for good.

    Python would do it on whichever thread comes first. But what belongs to Qt must end on the
    window's thread, and what belongs to HDF5 would wait there for a read over a slow link.
    """
    from PySide6.QtCore import QTimer

    gc.freeze()
    timer = QTimer(owner)
    timer.timeout.connect(collect_some)
    timer.start(GARBAGE_MS)


def collect_some() -> None:
    """Collect what Python itself would have, had it been let."""
    for generation in (2, 1, 0):
        if gc.get_count()[generation] > gc.get_threshold()[generation]:
            gc.collect(generation)
            return
