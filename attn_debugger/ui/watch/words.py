"""What a watch has found so far, in words and as numbers on the tiles. Pure."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QCoreApplication

from attn_debugger.analysis.watch import Watch
from attn_debugger.core.history import History
from attn_debugger.session.watching import WatchReport

translate = QCoreApplication.translate
WATCHED = "watched"  # the summary's name in a history


def watch_name(watch: Watch) -> str:
    """Return what the numbers mean: `weight on “[PAD]”`."""
    return translate("Watch", "weight on “{0}”").format(watch.title)


def watched_numbers(report: WatchReport | None, frame: int) -> NDArray[np.float32] | None:
    """Return the weight at one frame, (layer, head); None while it is not known."""
    if report is None or frame >= len(report.done) or not report.done[frame]:
        return None
    return np.asarray(report.values[frame])


def watched_history(report: WatchReport) -> History:
    """Return a report in the form that plots draw."""
    return History(values={WATCHED: report.values}, scanned=report.done)


def status_words(report: WatchReport | None, frame: int, *, running: bool) -> str:
    """Return what was found at a frame, or why nothing, and how far the run was looked at."""
    if report is None:
        return translate("Watch", "looking…")
    parts = []
    if frame in report.n_matched:
        n_matched = report.n_matched[frame]
        numbers = watched_numbers(report, frame)
        if not n_matched:
            parts.append(translate("Watch", "not in this sample: no key has that text or place"))
        else:
            # A plural of its own would need the translation's numerus; a number alone does not.
            parts.append(translate("Watch", "keys found: {0}").format(n_matched))
            parts.append(report.matched[frame])
            if numbers is not None and not np.isfinite(numbers).any():
                parts.append(translate("Watch", "but no query that is asked may see them"))
    n_done, n_frames = int(report.done.sum()), len(report.done)
    if n_done < n_frames:
        progress = translate("Watch", "{0} of {1} steps")
        stopped = translate("Watch", "stopped after {0} of {1} steps")
        parts.append((progress if running else stopped).format(n_done, n_frames))
    return "  ·  ".join(parts)
