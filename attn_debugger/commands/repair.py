"""`repair`: save what a damaged archive still holds into a clean copy."""

from __future__ import annotations

import argparse
from pathlib import Path

from attn_debugger.commands.command import Command, answer, say


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("archive", metavar="RUN.h5")
    parser.add_argument("-o", "--output", type=Path, required=True, metavar="COPY.h5")


def _run(options: argparse.Namespace) -> int:
    from attn_debugger.archive.repair import repair

    for sentence in repair(options.archive, options.output):
        say(sentence)
    answer(str(options.output))
    return 0


REPAIR = Command("repair", "save what a damaged archive still holds", _add_arguments, _run)
