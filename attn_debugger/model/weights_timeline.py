"""A folder of checkpoints as an archive: a frame a checkpoint, layers that were never captured.

It holds no attention: it gives the checkpoints a timeline, and their weights a place beside it.
The largest number of each kind over all heads becomes a curve of the run.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from attn_debugger.archive.records import FrameRecord, LayerRecord, LayerSpec
from attn_debugger.archive.writer import ArchiveWriter
from attn_debugger.core.weights import CheckpointWeights
from attn_debugger.core.words import say
from attn_debugger.errors import ModelError

_CURVES = ("score_gain", "query_norm", "key_norm", "value_norm", "output_norm")


def write_timeline(read: Iterable[CheckpointWeights], out: Path) -> None:
    """Write the archive while the checkpoints are read; unreadable ones become events.

    Raises `ModelError` when none can be read, or when the checkpoints do not tell how many heads
    there are: it is never guessed.
    """
    writer: ArchiveWriter | None = None
    errors: list[tuple[int, str]] = []
    try:
        for checkpoint in read:
            if checkpoint.error:
                errors.append((checkpoint.step, checkpoint.error))
                continue
            if writer is None:
                writer = ArchiveWriter(out, _layers(checkpoint), attributes={"probe_fixed": True})
            gaps = tuple(LayerRecord() for _ in writer.layers)
            writer.append(
                FrameRecord(
                    step=checkpoint.step,
                    layers=gaps,
                    stream="probe",
                    full=False,
                    scalars=_largest(checkpoint),
                )
            )
            writer.checkpoint(checkpoint.step, checkpoint.path)
        if writer is None:
            raise ModelError(errors[0][1] if errors else say("there are no checkpoints to read"))
        for step, error in errors:
            writer.event(step, "unreadable checkpoint", error)
    finally:
        if writer is not None:
            writer.close()


def _layers(checkpoint: CheckpointWeights) -> list[LayerSpec]:
    modules = () if checkpoint.topology is None else checkpoint.topology.modules
    if not modules:
        raise ModelError(
            say("{path}: no attention module was recognised in it", path=checkpoint.path)
        )
    unknown = [module.path for module in modules if module.n_heads is None]
    if unknown:
        raise ModelError(
            say(
                "{path}: the weights do not tell how many heads {module} has; give "
                "the number of heads",
                path=checkpoint.path,
                module=unknown[0],
            )
        )
    return [
        LayerSpec(
            name=module.path,
            heads=module.n_heads or 1,
            queries=1,
            keys=1,
            attributes={} if module.d_head is None else {"d_head": module.d_head},
        )
        for module in modules
    ]


def _largest(checkpoint: CheckpointWeights) -> dict[str, float]:
    found = {}
    for name in _CURVES:
        values = [value for layer in checkpoint.layers for value in layer.per_head.get(name, ())]
        if values:
            found[f"largest {name.replace('_', ' ')}"] = max(values)
    return found
