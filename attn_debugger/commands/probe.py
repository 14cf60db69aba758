"""`probe`: record retroactively; one batch through every checkpoint of a run nobody recorded."""

from __future__ import annotations

import argparse
import glob
import sys
from pathlib import Path

from attn_debugger.commands.command import Command, answer, say
from attn_debugger.errors import UsageError


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--model", required=True, metavar="M", help="package.module:factory, or a folder"
    )
    parser.add_argument(
        "--checkpoints",
        required=True,
        nargs="+",
        metavar="CKPT",
        help="files, folders, or a quoted pattern such as 'ckpt_*.pt'",
    )
    batch = parser.add_mutually_exclusive_group()
    batch.add_argument("--batch", type=Path, metavar="FILE", help=".pt, .npy, .npz or .json")
    batch.add_argument("--text", metavar="T", help="for a model that brings an encoder")
    parser.add_argument("-o", "--output", type=Path, required=True, metavar="RUN.h5")
    parser.add_argument(
        "--trust-code", action="store_true", help="run the factory's code, or a pickled model's"
    )


def _run(options: argparse.Namespace) -> int:
    from tqdm import tqdm

    from attn_debugger.model.batches import load_batch
    from attn_debugger.model.probe import record_checkpoints

    checkpoints = find_checkpoints(options.checkpoints)
    if options.output.exists():
        raise UsageError(f"{options.output} exists already; name a new archive")
    batch = None if options.batch is None else load_batch(options.batch)
    with tqdm(
        total=len(checkpoints), desc="probing", delay=1, disable=None, file=sys.stderr
    ) as bar:

        def progress(done: int, _total: int, text: str) -> None:
            bar.set_postfix_str(text, refresh=False)
            bar.update(done - bar.n)

        notes = record_checkpoints(
            options.model,
            checkpoints,
            options.output,
            batch=batch,
            text=options.text,
            trust_code=options.trust_code,
            progress=progress,
        )
    for note in notes:
        say(note)
    answer(str(options.output))
    return 0


def find_checkpoints(patterns: list[str]) -> list[Path]:
    """Return the files and folders that the patterns name, each once.

    Raises `UsageError` for a pattern that matches nothing.
    """
    found: dict[Path, None] = {}
    for pattern in patterns:
        matches = sorted(glob.glob(pattern))
        if not matches:
            raise UsageError(f"no checkpoint matches {pattern!r}")
        found.update(dict.fromkeys(map(Path, matches)))
    return list(found)


PROBE = Command("probe", "record the checkpoints of an unrecorded run", _add_arguments, _run)
