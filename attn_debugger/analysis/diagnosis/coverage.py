"""How much of the run a verdict rests on: clean is clean of what was looked at."""

from __future__ import annotations

from attn_debugger.core.run import Run


def coverage_sentence(run: Run, samples: frozenset[int], n_frames: int) -> str:
    """`50 of 50 frames, sample 0 of 16, rank 0 of 8`; what is not known is left out."""
    parts = [f"{n_frames} of {run.n_frames} frames"]
    batch = run.facts.batch
    if not isinstance(batch, int):
        batch = max((layer.facts.batch or 0 for layer in run.layers), default=0)
    total = max(batch or 0, run.n_samples)
    if samples:
        parts.append(_samples(sorted(samples), total))
    world, rank = run.attributes.get("world_size"), run.attributes.get("rank")
    if _is_int(world) and int(str(world)) > 1:
        parts.append(f"rank {rank if _is_int(rank) else '?'} of {world}")
    return ", ".join(parts)


def _samples(seen: list[int], total: int) -> str:
    if len(seen) >= total > 1:
        return f"all {total} samples"
    if len(seen) == 1:
        return f"sample {seen[0]} of {max(total, 1)}"
    return f"samples {seen[0]} to {seen[-1]} of {total}"


def _is_int(value: object) -> bool:
    try:
        return value is not None and not isinstance(value, bool) and int(str(value)) >= 0
    except ValueError:
        return False
