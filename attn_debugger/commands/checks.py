"""`checks`: the model checks by experiment: padding, causality, order, scale, dropout ..."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from attn_debugger.commands.command import PROGRESS_LINES, Command, answer, find_frame, say
from attn_debugger.core import words
from attn_debugger.core.telling import told, told_line
from attn_debugger.errors import ModelError, UsageError

if TYPE_CHECKING:
    from attn_debugger.core.frame import LayerFrame
    from attn_debugger.core.run import Run
    from attn_debugger.core.topology import ModelCheck
    from attn_debugger.model.live import LiveModel
    from attn_debugger.model.recorded_batch import RecordedBatch
    from attn_debugger.model.training_state import TrainingState


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--model",
        required=True,
        metavar="M",
        help="package.module:factory, a Hugging Face folder, or a pickled module",
    )
    parser.add_argument("--checkpoint", type=Path, metavar="FILE", help="weights for the model")
    parser.add_argument("--archive", metavar="RUN.h5", help="its attributes and its tokens")
    parser.add_argument("--step", type=int, metavar="N", help="the archive's batch at this step")
    batch = parser.add_mutually_exclusive_group()
    batch.add_argument("--batch", type=Path, metavar="FILE", help=".pt, .npy, .npz or .json")
    batch.add_argument("--text", metavar="T", help="for a model that brings an encoder")
    batch.add_argument(
        "--recorded", action="store_true", help="the batch that the archive recorded at the step"
    )
    parser.add_argument(
        "--overfit",
        action="store_true",
        help="also train a copy: can it learn ten samples by heart? (up to a minute)",
    )
    parser.add_argument("--json", action="store_true", help="one JSON object on stdout")
    parser.add_argument(
        "--trust-code", action="store_true", help="run the factory's code, or a pickled model's"
    )


def _run(options: argparse.Namespace) -> int:
    from attn_debugger.model.batches import load_batch
    from attn_debugger.model.experiments import run_checks
    from attn_debugger.model.live import load_live
    from attn_debugger.model.live_contracts import as_rows, check_live

    recorded, batch = _recorded(options)
    live = load_live(
        options.model,
        checkpoint=options.checkpoint,
        archive=recorded,
        recorded=batch,
        batch=None if options.batch is None else load_batch(options.batch),
        text=options.text,
        trust_code=options.trust_code,
        invent=True,
    )
    for note in live.notes:
        say(note)
    checks = run_checks(live)
    if options.overfit:
        checks += (_overfit(live),)
    if all(check.result == "not_run" for check in checks):
        raise ModelError(words.say("no check could be run: {reason}", reason=checks[0].reason))
    rules = check_live(live, *_held_against(options, recorded))
    if options.json:
        rows = {"checks": as_rows(checks), "contracts": as_rows(rules)}
        answer(told(rows))
    else:
        width = max(len(check.name) for check in (*checks, *rules))
        for check in (*checks, *rules):
            result = check.result.replace("_", " ")
            answer(f"{result:<8} {check.name:<{width}}  {check.evidence or check.reason}")
    return int(any(check.result == "failed" for check in checks))


def _held_against(
    options: argparse.Namespace, recorded: tuple[Run, LayerFrame | None] | None
) -> tuple[Run | None, TrainingState | None]:
    """The run, and what the checkpoint keeps of the training."""
    from attn_debugger.model.loading import load_weights

    run = None if recorded is None else recorded[0]
    return run, None if options.checkpoint is None else load_weights(options.checkpoint).training


def _overfit(live: LiveModel) -> ModelCheck:
    from attn_debugger.model.overfit import RATES, STEPS, check_overfit

    if os.environ.get(PROGRESS_LINES):
        return check_overfit(
            live,
            progress=lambda done, total, text: print(  # noqa: T201
                f"PROGRESS {done} {total} {told_line(text)}", flush=True
            ),
        )
    from tqdm import tqdm

    total = STEPS * len(RATES)
    with tqdm(total=total, desc="overfitting", delay=1, disable=None, file=sys.stderr) as bar:

        def advance(done: int, _total: int, text: str) -> None:
            bar.set_postfix_str(text.partition(": ")[2], refresh=False)
            bar.update(done - bar.n)

        return check_overfit(live, progress=advance)


def _recorded(
    options: argparse.Namespace,
) -> tuple[tuple[Run, LayerFrame | None] | None, RecordedBatch | None]:
    """The run, the first layer of its frame at the step, without maps, and the batch if wanted."""
    from attn_debugger.archive.reader import open_archive
    from attn_debugger.model.recorded_batch import recorded_batch

    if options.archive is None:
        if options.recorded:
            raise UsageError("the recorded batch is that of an archive: name its --archive")
        return None, None
    with open_archive(options.archive) as source:
        frame, note = find_frame(source.run, options.step, None)
        if note:
            say(note)
        batch = recorded_batch(source, frame) if options.recorded else None
        return (source.run, source.layer(frame, 0, maps=())), batch


CHECKS = Command("checks", "check a model by experiment", _add_arguments, _run)
