"""`render`: the window's own grid, or one head, as a picture, without a screen."""

from __future__ import annotations

import argparse
import re
from pathlib import Path

from attn_debugger.commands.command import (
    Command,
    add_place,
    answer,
    check_sample,
    find_frame,
    find_head,
    say,
)
from attn_debugger.core.flags import Diagnosis
from attn_debugger.core.source import RunSource
from attn_debugger.errors import UsageError
from attn_debugger.missing_library import importing_qt


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("archive", metavar="RUN.h5")
    parser.add_argument("-o", "--output", type=Path, required=True, metavar="OUT.png")
    parser.add_argument("--size", metavar="WxH", help="pixels, e.g. 1600x900")
    add_place(parser)


def _run(options: argparse.Namespace) -> int:
    from attn_debugger.commands.opening import open_run

    size = _size(options.size)
    if options.output.suffix.lower() != ".png":
        raise UsageError(f"{options.output}: render writes PNG; name the output something.png")
    with open_run(options.archive) as source:
        run = source.run
        frame, note = find_frame(run, options.step, options.stream)
        head = find_head(run, options.layer, options.head)
        sample = check_sample(run, options.sample)
        if note:
            say(note)
        with importing_qt("render"):
            from attn_debugger.ui.render import render_png

        render_png(
            source,
            options.output,
            frame_index=frame,
            head=head,
            sample=sample,
            size=size,
            diagnosis=_flags_until(source, frame),
        )
    answer(str(options.output))
    return 0


def _flags_until(source: RunSource, frame: int) -> Diagnosis:
    """What can be said of this one frame: outlines in the picture must not need a whole scan."""
    from attn_debugger.analysis.examination import Examination

    examination = Examination(source.run)
    for layer_frame in source.scan(frame):
        examination.observe(layer_frame)
    return examination.diagnosis()


def _size(text: str | None) -> tuple[int, int] | None:
    if text is None:
        return None
    match = re.fullmatch(r"(\d+)[xX](\d+)", text)
    if not match:
        raise UsageError(f"--size {text}: give width x height in pixels, e.g. 1600x900")
    width, height = int(match[1]), int(match[2])
    if not (200 <= width <= 8192 and 150 <= height <= 8192):
        raise UsageError(f"--size {text}: between 200x150 and 8192x8192 pixels")
    return width, height


RENDER = Command("render", "draw the grid or one head as a picture", _add_arguments, _run)
