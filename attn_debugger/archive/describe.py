"""What an archive holds and what is missing: the data of `info`, and the same as text."""

from __future__ import annotations

from typing import Any

from attn_debugger.core.run import LayerInfo, Run


def describe(run: Run) -> dict[str, Any]:
    """The object of `info --json`; plain numbers, strings and lists only."""
    return {
        "archive": run.path,
        "version": run.version,
        "frames": run.n_frames,
        "layers": len(run.layers),
        "heads": run.n_heads,
        "first_step": int(run.steps.min()),
        "last_step": int(run.steps.max()),
        "streams": sorted(set(run.streams)),
        "ended": run.ended,
        "dropped": run.dropped,
        "missing": list(run.missing),
    }


def describe_text(run: Run) -> str:
    """The same for people, with a line a layer."""
    facts = describe(run)
    endings = {
        "closed": "closed properly",
        "abrupt": f"ended abruptly after step {facts['last_step']}",
        "writing": "still being written",
    }
    lines = [
        f"{run.path}: archive of format {run.version}, {endings[run.ended]}",
        f"  {run.n_frames} frames, steps {facts['first_step']} to {facts['last_step']}, "
        f"streams {', '.join(facts['streams'])}",
        f"  {len(run.layers)} layers, {run.n_heads} heads, {run.n_samples} samples a frame",
    ]
    lines += [f"    {_layer_line(layer)}" for layer in run.layers]
    logged = sorted({*run.scalars, *run.curves})
    lines.append(f"  logged: {', '.join(logged) if logged else 'nothing'}")
    if run.checkpoints:
        lines.append(f"  {len(run.checkpoints)} checkpoints")
    if run.dropped:
        lines.append(f"  {run.dropped} frames dropped because the disk was too slow")
    if run.crash is not None:
        lines.append(f"  the forward raised: {run.crash.get('message', 'no message kept')}")
    lines += [f"  {event.kind} at step {event.step}: {event.text}" for event in run.events]
    lines += [f"  missing: {sentence}" for sentence in run.missing]
    return "\n".join(lines)


def _layer_line(layer: LayerInfo) -> str:
    if not layer.maps:
        return f"{layer.index}  {layer.name}: {layer.n_heads} heads, never captured"
    kept = ", ".join(name for name in ("weights", "scores", "q", "k") if name in layer.maps)
    also = [
        name
        for name, there in (
            ("mask", layer.has_mask),
            ("padding", layer.has_padding),
            ("tokens", layer.has_tokens),
            ("documents", layer.has_documents),
            (f"{len(layer.stats)} statistics", bool(layer.stats)),
        )
        if there
    ]
    extra = f"; {', '.join(also)}" if also else ""
    return (
        f"{layer.index}  {layer.name}: {layer.n_heads} heads, {layer.n_queries} x {layer.n_keys}, "
        f"{layer.storage}, {kept}{extra}"
    )
