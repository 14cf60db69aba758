"""`probe` in a process of its own, for the window: says how far it is, line by line.

`python -m attn_debugger.model.probe_lines --model M [--checkpoints CKPT...] -o RUN.h5 [--text T |
--batch FILE | --archive RUN.h5 --step N --sample I] [--trust-code]` prints `PROGRESS done total
name` lines, then the notes, one a line.
Exit code 2 and a sentence when nothing could be recorded.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from attn_debugger.core.telling import told_line
from attn_debugger.core.words import say
from attn_debugger.errors import AttnDebuggerError
from attn_debugger.model.politeness import leave_a_core_to_the_window

if TYPE_CHECKING:
    from attn_debugger.model.recorded_batch import RecordedBatch


def main(arguments: list[str] | None = None) -> int:
    """Probe the checkpoints named on the command line; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m attn_debugger.model.probe_lines")
    parser.add_argument("--model", required=True)
    parser.add_argument("--checkpoints", nargs="*", type=Path, default=[])
    batch = parser.add_mutually_exclusive_group()
    batch.add_argument("--batch", type=Path)
    batch.add_argument("--text")
    batch.add_argument("--archive", type=Path, help="run what it recorded at --step")
    parser.add_argument(
        "--step", type=int, help="of the archive; without checkpoints: of the frame"
    )
    parser.add_argument("--sample", type=int, help="of the archive (all)")
    parser.add_argument("-o", "--output", type=Path, required=True)
    parser.add_argument("--trust-code", action="store_true")
    options = parser.parse_args(arguments)
    from attn_debugger.model.batches import load_batch
    from attn_debugger.model.probe import record_checkpoints

    try:
        notes = record_checkpoints(
            options.model,
            options.checkpoints,
            options.output,
            batch=None if options.batch is None else load_batch(options.batch),
            text=options.text,
            recorded=None if options.archive is None else _recorded(options),
            as_made_at=options.step,
            trust_code=options.trust_code,
            progress=_say,
        )
    except (AttnDebuggerError, OSError) as error:
        sys.stderr.write(told_line(str(error)) + "\n")
        return 2
    except MemoryError:
        said = say("there is not enough memory for this model and batch")
        sys.stderr.write(told_line(said) + "\n")
        return 2
    for note in notes:
        print(told_line(note))  # noqa: T201
    return 0


def _recorded(options: argparse.Namespace) -> RecordedBatch:
    from attn_debugger.archive.reader import open_archive
    from attn_debugger.model.recorded_batch import frame_at, recorded_batch

    with open_archive(options.archive) as source:
        return recorded_batch(source, frame_at(source.run, options.step), options.sample)


def _say(done: int, total: int, text: str) -> None:
    print(f"PROGRESS {done} {total} {told_line(text)}", flush=True)  # noqa: T201


if __name__ == "__main__":
    leave_a_core_to_the_window()
    raise SystemExit(main())
