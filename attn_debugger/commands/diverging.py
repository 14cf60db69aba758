"""`python -m attn_debugger.commands.diverging A.h5 B.h5`: where two runs part, as JSON.

A child process of its own: it reads the full maps of both. `--tolerance T` and `--after STEP` as
`find_divergence` knows them; lines `PROGRESS done total step` come before the answer
(`Divergence.to_json`). Exit code 2 and a sentence when one of the two cannot be read.
"""

from __future__ import annotations

import argparse
import sys
import time

from attn_debugger.analysis.beside.divergence import TOLERANCE
from attn_debugger.commands.opening import open_run
from attn_debugger.core.telling import told, told_line
from attn_debugger.core.words import say
from attn_debugger.errors import AttnDebuggerError, LinkError
from attn_debugger.report.diverging import Progress, find_divergence

PROGRESS_SECONDS = 0.1


def main(arguments: list[str] | None = None) -> int:
    """Search in the two archives named on the command line; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m attn_debugger.commands.diverging")
    parser.add_argument("a", metavar="A.h5")
    parser.add_argument("b", metavar="B.h5")
    parser.add_argument("--tolerance", type=float, default=TOLERANCE, metavar="T")
    parser.add_argument("--after", type=int, metavar="STEP", help="only the steps beyond")
    options = parser.parse_args(arguments)
    try:
        with open_run(options.a) as a, open_run(options.b) as b:
            found = find_divergence(
                a,
                b,
                tolerance=options.tolerance,
                after=options.after,
                progress=_lines(),
            )
    except (AttnDebuggerError, LinkError, OSError) as error:
        print(told_line(str(error)), file=sys.stderr)  # noqa: T201 - what the window shows
        return 2
    except MemoryError:
        sentence = say("there is not enough memory to compare these two runs")
        print(told_line(sentence), file=sys.stderr)  # noqa: T201
        return 2
    print(told(found.to_json()))  # noqa: T201 - its answer
    return 0


def _lines() -> Progress:
    """Return what says how far the search is, a few times a second."""
    due = 0.0

    def tell(done: int, total: int, step: int) -> None:
        nonlocal due
        if time.monotonic() >= due:
            due = time.monotonic() + PROGRESS_SECONDS
            print(f"PROGRESS {done} {total} {step}", flush=True)  # noqa: T201

    return tell


if __name__ == "__main__":
    raise SystemExit(main())
