"""Records a demo run in a process of its own: `python -m attn_debugger.demo NAME -o RUN.h5`.

The window starts it so and reads the lines of `--progress-lines` from standard output:
`PROGRESS done total text`. Exit code 0 = recorded, 2 = wrong use or it could not be written.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from attn_debugger.core.telling import told_line
from attn_debugger.demo.catalog import DEMOS, run_demo
from attn_debugger.errors import AttnDebuggerError


def main(arguments: list[str] | None = None) -> int:
    """Record the demo named on the command line; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m attn_debugger.demo", description=__doc__)
    parser.add_argument("name", choices=sorted(DEMOS), help="which demo run")
    parser.add_argument("-o", "--output", type=Path, required=True, metavar="RUN.h5")
    parser.add_argument("--progress-lines", action="store_true", help="say how far it is")
    parser.add_argument("--no-checkpoints", action="store_true", help="save the archive only")
    options = parser.parse_args(arguments)
    try:
        run_demo(
            options.name,
            options.output,
            _say if options.progress_lines else None,
            checkpoints=not options.no_checkpoints,
        )
    except (AttnDebuggerError, OSError) as error:
        sys.stderr.write(told_line(str(error)) + "\n")
        return 2
    return 0


def _say(done: int, total: int, text: str) -> None:
    # Flushed line by line: whoever reads the pipe draws a progress bar from it.
    sys.stdout.write(f"PROGRESS {done} {total} {told_line(text)}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    raise SystemExit(main())
