"""`demo`: record one of the demo training runs, for real, without a window."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from attn_debugger.commands.command import Command, answer
from attn_debugger.errors import UsageError


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", nargs="?", metavar="NAME", help="see --list")
    parser.add_argument("-o", "--output", type=Path, metavar="RUN.h5")
    parser.add_argument("--list", action="store_true", help="name the demo runs")


def _run(options: argparse.Namespace) -> int:
    from attn_debugger.demo.catalog import DEMOS

    if options.list:
        width = max(map(len, DEMOS))
        answer("\n".join(f"{name:<{width}}  {demo.line}" for name, demo in DEMOS.items()))
        return 0
    if options.name not in DEMOS:
        known = ", ".join(DEMOS)
        asked = "name a demo" if options.name is None else f"there is no demo {options.name!r}"
        raise UsageError(f"{asked}: {known}")
    if options.output is None:
        raise UsageError(f"say where to record it: demo {options.name} -o RUN.h5")
    _record(options.name, options.output)
    answer(str(options.output))
    return 0


def _record(name: str, output: Path) -> None:
    from tqdm import tqdm

    from attn_debugger.demo.catalog import run_demo

    with tqdm(total=1, desc=name, unit="step", delay=1, disable=None, file=sys.stderr) as bar:

        def progress(done: int, total: int, text: str) -> None:
            bar.total = total
            bar.set_postfix_str(text, refresh=False)
            bar.update(done - bar.n)

        run_demo(name, output, progress)


DEMO = Command("demo", "record a demo training run, without a window", _add_arguments, _run)
