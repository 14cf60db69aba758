"""Records a run that nobody recorded: one batch through every checkpoint, a frame for each.

record_checkpoints("mypackage.models:make", sorted(folder.glob("ckpt_*.pt")), Path("run.h5"),
                   batch=ids, trust_code=True)
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from attn_debugger.core.words import say
from attn_debugger.errors import ModelError
from attn_debugger.model.live import LiveModel, fill, load_live
from attn_debugger.model.recorded_batch import RecordedBatch
from attn_debugger.recording import record

Progress = Callable[[int, int, str], None]  # checkpoints done, in all, a few words
_DECLARED = ("causal", "scale", "window", "softcap")


def record_checkpoints(
    model: str,
    checkpoints: Sequence[Path],
    out_path: Path,
    *,
    batch: Any = None,
    text: str | None = None,
    recorded: RecordedBatch | None = None,
    as_made_at: int | None = None,
    trust_code: bool = False,
    progress: Progress | None = None,
) -> tuple[str, ...]:
    """Write an archive with one `probe` frame a checkpoint; return what a person should know.

    `model` is a factory or a folder as `load_live` takes it. The step of a checkpoint is the last
    number in its name; without numbers they are counted. Without checkpoints the model is probed as
    it was made, at the step `as_made_at`. A checkpoint that cannot be read is left
    out and said. Raises `ModelError` when nothing could be recorded.
    """
    if not checkpoints and as_made_at is None:
        raise ModelError(say("no checkpoint matches; name them, for example 'ckpt_*.pt' in quotes"))
    live = load_live(model, batch=batch, text=text, recorded=recorded, trust_code=trust_code)
    notes = list(live.notes)
    ordered: list[tuple[int, Path | None]] = list(in_order_of_steps(checkpoints))
    if not ordered and as_made_at is not None:
        ordered = [(as_made_at, None)]
    n_recorded = 0
    with record(
        live.model,
        out_path,
        every=1,
        samples=len(live.inputs.ids),
        scores=True,
        qk=True,
        decode=live.facts.get("decode"),
        attributes={
            **{name: live.facts[name] for name in _DECLARED if live.facts.get(name) is not None},
            "probe_fixed": True,
        },
    ) as recorder:
        for number, (step, path) in enumerate(ordered):
            try:
                notes += () if path is None else fill(live.model, path)
            except ModelError as error:
                notes.append(say("left out: {error}", error=error))
            else:
                with recorder.step(step, stream="probe"):
                    _run(live)
                if path is not None:
                    recorder.saved(step, path)
                n_recorded += bool(recorder.coverage().captured)
            if progress is not None:
                progress(number + 1, len(ordered), "" if path is None else path.name)
    if not n_recorded:
        why = notes[-1] if notes else say("no attention was seen in the model's forward")
        raise ModelError(
            say("nothing was recorded into {out_path}: {why}", out_path=out_path, why=why)
        )
    return tuple(dict.fromkeys(notes))


def in_order_of_steps(paths: Sequence[Path]) -> list[tuple[int, Path]]:
    """Return (step, path) by rising step: the last number in each name, or else their order."""
    numbers = [re.findall(r"\d+", path.stem if path.is_file() else path.name) for path in paths]
    if all(numbers):
        return sorted((int(found[-1]), path) for found, path in zip(numbers, paths, strict=True))
    return list(enumerate(sorted(paths)))


def _run(live: LiveModel) -> None:
    ids = live.inputs.ids
    try:
        live.model.eval()
        live.inputs.run(live.model, ids, live.inputs.real)
    except Exception as error:
        raise ModelError(
            say(
                "the model raised {kind}: {error}. Its batch has ids up to {largest} "
                "in sequences of {length}: are both within what it was built for "
                "(vocabulary, longest sequence)?",
                kind=type(error).__name__,
                error=str(error)[:200],
                largest=int(ids.max()),
                length=ids.shape[1],
            )
        ) from error
