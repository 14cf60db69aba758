"""What the timeline says about one frame, in words."""

from __future__ import annotations

import math
from datetime import datetime

from PySide6.QtCore import QCoreApplication

from attn_debugger.core.heads import HeadRef
from attn_debugger.session.translated import translated
from attn_debugger.ui.marking import marked
from attn_debugger.ui.notes.words import first_line
from attn_debugger.ui.timeline.content import TimelineContent
from attn_debugger.ui.timeline.raster import METRICS
from attn_debugger.ui.timeline.second_run import second_run_words

_METRIC_WORDS = {
    "entropy_normalised": marked("Timeline", "entropy / log keys"),
    "peak": marked("Timeline", "peak weight"),
    "diagonal": marked("Timeline", "diagonal weight"),
    "score_max": marked("Timeline", "largest score"),
}


def metric_words(metric: str) -> str:
    """Return the name of a strip's quantity as a person says it."""
    return QCoreApplication.translate("Timeline", _METRIC_WORDS.get(metric, metric))


def frame_words(content: TimelineContent, frame: int, head: HeadRef | None) -> str:
    """Return what is known of a frame: step, stream, time, logged values, findings, events."""
    translate = QCoreApplication.translate
    run = content.run
    step = int(run.steps[frame])
    lines = [
        translate("Timeline", "step {0} (frame {1} of {2})").format(step, frame + 1, run.n_frames)
    ]
    if len(set(run.streams)) > 1:
        lines[0] += f", {run.streams[frame]}"
    if run.times is not None and math.isfinite(run.times[frame]):
        lines.append(datetime.fromtimestamp(float(run.times[frame])).strftime("%Y-%m-%d %H:%M:%S"))
    for name, values in run.scalars.items():
        if frame < len(values) and not math.isnan(values[frame]):
            lines.append(f"{name} {values[frame]:.4g}")
    if head is not None and content.history is not None and content.strip in METRICS:
        values_of = content.history.values[content.strip]
        if frame < len(values_of):
            value = float(values_of[frame, head.layer, head.head])
            known = f"{value:.4g}" if math.isfinite(value) else translate("Timeline", "not known")
            lines.append(f"{head}: {metric_words(content.strip)} {known}")
    elif head is not None:
        lines.append(str(head))
    found = [
        translated(flag.message)
        for flag in content.flag_marks
        if flag.first_frame is not None
        and flag.first_frame <= frame <= (flag.last_frame or flag.first_frame)
    ]
    lines += found[-3:]
    lines += [
        translate("Timeline", "note: {0}").format(first_line(note.text))
        if note.text
        else translate("Timeline", "bookmark")
        for at, note in content.notes
        if at == frame
    ][:3]
    lines += second_run_words(content, frame)
    if frame >= content.n_scanned:
        lines.append(translate("Timeline", "not yet checked"))
    lines += [translated(event.text) for event in run.events if event.step == step][:2]
    return "\n".join(lines)
