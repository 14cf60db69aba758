"""The line above the plots: whose curves they are, and what is not scanned yet."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from attn_debugger.core.heads import HeadRef
from attn_debugger.core.history import History
from attn_debugger.core.run import Run

translate = QCoreApplication.translate


def caption(
    run: Run | None,
    history: History | None,
    head: HeadRef | None,
    frame: int,
    *,
    whole_model: bool,
    second_run: bool,
) -> str:
    """Return the caption of the plots of a run around `frame`."""
    if run is None:
        return translate("TrendPlots", "No run is open")
    parts = [_curves(head, whole_model=whole_model)]
    if second_run:
        parts.append(translate("TrendPlots", "dashed: run B"))
    names = set(run.streams)
    if len(names) > 1 and 0 <= frame < run.n_frames:
        parts.append(translate("TrendPlots", "stream {name}").format(name=run.streams[frame]))
    scanned = 0 if history is None else history.n_scanned
    if scanned < run.n_frames:
        words = translate("TrendPlots", "scanned {n}/{total}, the rest is shaded")
        parts.append(words.format(n=scanned, total=run.n_frames))
    return " · ".join(parts)


def _curves(head: HeadRef | None, *, whole_model: bool) -> str:
    if head is None:
        return translate(
            "TrendPlots", "All heads: band from the lowest to the highest, quartiles, median"
        )
    if whole_model:
        words = translate("TrendPlots", "{head} against all heads: range, quartiles, median")
        return words.format(head=head)
    words = translate("TrendPlots", "{head} against layer {layer}: range, quartiles, median")
    return words.format(head=head, layer=head.layer)
