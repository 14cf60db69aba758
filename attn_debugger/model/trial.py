"""Tries something out on a running model, in a process of its own, and prints one JSON object.

python -m attn_debugger.model.trial replay  --model M --checkpoint CKPT --archive RUN.h5 --step N
python -m attn_debugger.model.trial ablate  --model M [--factor F] [--text T | --batch FILE]
python -m attn_debugger.model.trial occlude --model M [--sample I] [--span FIRST:END ...]

`PROGRESS done total text` lines come before it. Exit code 2 and a sentence when it cannot be done.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from attn_debugger.core.telling import told, told_line
from attn_debugger.core.words import say
from attn_debugger.errors import AttnDebuggerError, ModelError, UsageError
from attn_debugger.model.politeness import leave_a_core_to_the_window


def main(arguments: list[str] | None = None) -> int:
    """Do what the command line says; return the exit code."""
    options = _parser().parse_args(arguments)
    try:
        found = {"replay": _replay, "ablate": _ablate, "occlude": _occlude}[options.what](options)
    except (AttnDebuggerError, OSError) as error:
        sys.stderr.write(told_line(str(error)) + "\n")
        return 2
    except MemoryError:
        said = say("there is not enough memory for this model and batch")
        sys.stderr.write(told_line(said) + "\n")
        return 2
    except Exception as error:  # noqa: BLE001 - the user's model may raise anything
        said = say(
            "the model raised {kind}: {error}", kind=type(error).__name__, error=str(error)[:300]
        )
        sys.stderr.write(told_line(said) + "\n")
        return 2
    print(told(found.to_json()))  # noqa: T201
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m attn_debugger.model.trial")
    parser.add_argument("what", choices=("replay", "ablate", "occlude"))
    parser.add_argument("--model", required=True, metavar="M")
    parser.add_argument("--checkpoint", type=Path, metavar="FILE")
    parser.add_argument("--archive", type=Path, metavar="RUN.h5")
    parser.add_argument("--step", type=int, metavar="N")
    batch = parser.add_mutually_exclusive_group()
    batch.add_argument("--batch", type=Path, metavar="FILE")
    batch.add_argument("--text", metavar="T")
    batch.add_argument("--recorded", action="store_true", help="the batch of the archive's step")
    parser.add_argument("--factor", type=float, default=0.0, help="scale heads by it (0 = silence)")
    parser.add_argument("--head", metavar="LAYER:HEAD", help="scale this one only")
    parser.add_argument("--sample", type=int, default=0, metavar="I")
    parser.add_argument("--span", action="append", metavar="FIRST:END", help="END not included")
    parser.add_argument("--token", type=int, metavar="ID", help="what replaces a token")
    parser.add_argument(
        "--hide", action="store_true", help="hide tokens from attention, as padding"
    )
    parser.add_argument("--trust-code", action="store_true")
    return parser


def _replay(options: argparse.Namespace) -> Any:
    from attn_debugger.archive.reader import open_archive
    from attn_debugger.model.recorded_batch import frame_at
    from attn_debugger.model.replay import replay

    if options.archive is None:
        raise UsageError(say("replay compares with a recorded frame: name its --archive"))
    with open_archive(options.archive) as source:
        frame = frame_at(source.run, options.step)
        live = _load(options, (source.run, source.layer(frame, 0, maps=())))
        return replay(live, source, frame)


def _ablate(options: argparse.Namespace) -> Any:
    from attn_debugger.model.ablation import ablate_heads

    only = None if options.head is None else _place(options.head)
    live = _load_with_archive(options)
    return ablate_heads(live, factor=options.factor, only=only, progress=_say)


def _occlude(options: argparse.Namespace) -> Any:
    from attn_debugger.model.occlusion import occlude

    spans = None if options.span is None else [_span(text) for text in options.span]
    live = _load_with_archive(options)
    return occlude(
        live, sample=options.sample, spans=spans, token=options.token, hidden=options.hide
    )


def _load_with_archive(options: argparse.Namespace) -> Any:
    from attn_debugger.archive.reader import open_archive
    from attn_debugger.model.recorded_batch import frame_at, recorded_batch

    if options.archive is None:
        if options.recorded:
            raise UsageError(say("the recorded batch is that of an archive: name its --archive"))
        return _load(options, None)
    with open_archive(options.archive) as source:
        frame = frame_at(source.run, options.step)
        recorded = recorded_batch(source, frame) if options.recorded else None
        return _load(options, (source.run, source.layer(frame, 0, maps=())), recorded)


def _load(options: argparse.Namespace, archive: Any, recorded: Any = None) -> Any:
    from attn_debugger.model.batches import load_batch
    from attn_debugger.model.live import load_live

    return load_live(
        options.model,
        checkpoint=options.checkpoint,
        archive=archive,
        recorded=recorded,
        batch=None if options.batch is None else load_batch(options.batch),
        text=options.text,
        trust_code=options.trust_code,
        invent=options.what == "replay",  # its batch comes from the archive, frame by frame
    )


def _place(text: str) -> tuple[int, int]:
    layer, _, head = text.partition(":")
    if not (layer.isdigit() and head.isdigit()):
        raise ModelError(say("{text!r} is no head: write LAYER:HEAD", text=text))
    return int(layer), int(head)


def _span(text: str) -> tuple[int, int]:
    first, _, end = text.partition(":")
    if not first.isdigit() or not (end == "" or end.isdigit()):
        raise ModelError(
            say("{text!r} is no span: write FIRST:END, the end not included", text=text)
        )
    return int(first), int(end) if end else int(first) + 1


def _say(done: int, total: int, text: str) -> None:
    print(f"PROGRESS {done} {total} {told_line(text)}", flush=True)  # noqa: T201


if __name__ == "__main__":
    leave_a_core_to_the_window()
    raise SystemExit(main())
