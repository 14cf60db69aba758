"""Commands whose names are reserved by the contract and whose work is still to be done."""

from __future__ import annotations

import argparse

from attn_debugger.commands.command import Command
from attn_debugger.errors import UsageError

_SENTENCES = {
    "import": "turn .pt, .npy, .npz dumps or a foreign HDF5 file into an archive",
}


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("arguments", nargs=argparse.REMAINDER, help=argparse.SUPPRESS)


def _planned(name: str, sentence: str) -> Command:
    def run(_: argparse.Namespace) -> int:
        raise UsageError(f"`{name}` ({sentence}) is not built yet in this version")

    return Command(name, f"{sentence} (not built yet)", _add_arguments, run)


PLANNED = tuple(_planned(name, sentence) for name, sentence in _SENTENCES.items())
