"""`info`: what an archive holds and what is missing; with `--step` every head's numbers there."""

from __future__ import annotations

import argparse
import json
import math
from typing import Any

from attn_debugger.commands.command import Command, answer, check_sample, find_frame, say
from attn_debugger.core.source import RunSource


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("archive", metavar="RUN.h5")
    parser.add_argument("--json", action="store_true", help="one JSON object on stdout")
    parser.add_argument("--step", type=int, metavar="N", help="every head's numbers at this step")
    parser.add_argument("--stream", metavar="S", help="train, probe, val, ...")
    parser.add_argument("--sample", type=int, default=0, metavar="I", help="item of the batch")


def _run(options: argparse.Namespace) -> int:
    from attn_debugger.archive.describe import describe, describe_text
    from attn_debugger.commands.opening import open_run

    with open_run(options.archive) as source:
        facts: dict[str, Any] = describe(source.run)
        if options.step is not None:
            frame, note = find_frame(source.run, options.step, options.stream)
            if note:
                say(note)
            sample = check_sample(source.run, options.sample)
            facts["step"] = int(source.run.steps[frame])
            facts["sample"] = sample
            facts["summary"] = _summaries(source, frame, sample)
        if options.json:
            answer(json.dumps(facts, allow_nan=False))
        else:
            answer(describe_text(source.run))
            if "summary" in facts:
                answer(_table(facts))
    return 0


def _summaries(source: RunSource, frame: int, sample: int) -> list[dict[str, Any]]:
    from attn_debugger.analysis.summary import summarise

    rows = []
    for info in source.run.layers:
        numbers: dict[str, Any] = {}
        if sample < info.n_samples:
            numbers = dict(summarise(source.layer(frame, info.index, sample)))
        row: dict[str, Any] = {"layer": info.index, "name": info.name}
        for name in ("entropy", "mean", "peak"):
            values = numbers.get(name, [math.nan] * info.n_heads)
            row[name] = [float(v) if math.isfinite(v) else None for v in values]
        rows.append(row)
    return rows


def _table(facts: dict[str, Any]) -> str:
    lines = [f"At step {facts['step']}, sample {facts['sample']} (entropy in nats):"]
    for row in facts["summary"]:
        lines.append(f"  layer {row['layer']}  {row['name']}")
        for name in ("entropy", "mean", "peak"):
            shown = ("unknown" if v is None else f"{v:.4f}" for v in row[name])
            lines.append(f"    {name:<8} {'  '.join(shown)}")
    return "\n".join(lines)


INFO = Command("info", "say what an archive holds and what is missing", _add_arguments, _run)
