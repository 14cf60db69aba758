"""How much of the run a verdict rests on: clean is clean of what was looked at."""

from __future__ import annotations

from attn_debugger.core.run import Run
from attn_debugger.core.words import join, say


def coverage_sentence(run: Run, samples: frozenset[int], n_frames: int) -> str:
    """`50 of 50 frames, sample 0 of 16, rank 0 of 8`; what is not known is left out."""
    parts: list[str] = [say("{examined} of {total} frames", examined=n_frames, total=run.n_frames)]
    batch = run.facts.batch
    if not isinstance(batch, int):
        batch = max((layer.facts.batch or 0 for layer in run.layers), default=0)
    total = max(batch or 0, run.n_samples)
    if samples:
        parts.append(_samples(sorted(samples), total))
    world, rank = run.attributes.get("world_size"), run.attributes.get("rank")
    if _is_int(world) and int(str(world)) > 1:
        number = rank if _is_int(rank) else "?"
        parts.append(say("rank {rank} of {world}", rank=number, world=world))
    return join(", ", parts)


def _samples(seen: list[int], total: int) -> str:
    if len(seen) >= total > 1:
        return say("all {total} samples", total=total)
    if len(seen) == 1:
        return say("sample {sample} of {total}", sample=seen[0], total=max(total, 1))
    return say("samples {first} to {last} of {total}", first=seen[0], last=seen[-1], total=total)


def _is_int(value: object) -> bool:
    try:
        return value is not None and not isinstance(value, bool) and int(str(value)) >= 0
    except ValueError:
        return False
