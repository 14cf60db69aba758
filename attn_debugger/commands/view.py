"""`view`, the default command: open a run in the window."""

from __future__ import annotations

import argparse
from pathlib import Path

from attn_debugger.commands.command import Command, add_place
from attn_debugger.errors import UsageError


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("archive", nargs="?", metavar="RUN.h5", help="start page without it")
    add_place(parser)
    parser.add_argument("--model", metavar="CKPT", help="a checkpoint to show beside the run")
    parser.add_argument(
        "--against", metavar="OLD.h5", help="open an earlier run beside it and compare the two"
    )
    parser.add_argument("--follow", action="store_true", help="stay at the newest frame")
    parser.add_argument("--lang", metavar="L", help="language of the window: en or zh_CN")
    parser.add_argument("--theme", choices=("auto", "light", "dark"), help="colours of the window")
    parser.add_argument("--fresh", action="store_true", help="ignore and keep no settings")
    parser.add_argument(
        "--demo", nargs="?", const="", metavar="NAME", help="record a demo run and open it"
    )


def _run(options: argparse.Namespace) -> int:
    if options.demo is not None and options.archive is not None:
        raise UsageError("--demo records a run of its own; leave RUN.h5 out")
    if options.demo is None and options.archive is None and _names_a_place(options):
        raise UsageError(
            "--step, --layer, --head, --stream, --model and --against need a RUN.h5 to open"
        )
    if options.against and Path(options.against).resolve() == Path(options.archive or "").resolve():
        raise UsageError(f"{options.against} is the run itself; name another one to compare")
    from attn_debugger.app import Options, run_window

    return run_window(
        Options(
            path=options.archive,
            model=options.model,
            against=options.against,
            step=options.step,
            layer=options.layer,
            head=options.head,
            stream=options.stream,
            sample=options.sample,
            follow=options.follow,
            lang=options.lang,
            theme=options.theme,
            fresh=options.fresh,
            demo=options.demo,
        )
    )


def _names_a_place(options: argparse.Namespace) -> bool:
    place = (options.step, options.layer, options.head, options.stream)
    return any(value is not None for value in (*place, options.model, options.against))


VIEW = Command("view", "open a run in the window (the default)", _add_arguments, _run)
