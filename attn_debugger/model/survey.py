"""Reads the checkpoints of a run one after the other: what their weights say per head and step.

`python -m attn_debugger.model.survey CKPT... [--archive RUN.h5] [--write OUT.h5]` prints one JSON
object a checkpoint (`CheckpointWeights.to_json`) as soon as it was read, and `PROGRESS done total
name` lines between them. Without checkpoints those of the archive's table are read. A checkpoint
that cannot be read is an object with its `error`; exit code 2 when there is nothing to read at all.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import torch
from torch import Tensor

from attn_debugger.core.run import Run
from attn_debugger.core.telling import told, told_line
from attn_debugger.core.weights import CheckpointWeights, LayerWeights, ProjectionScale
from attn_debugger.core.words import say
from attn_debugger.errors import AttnDebuggerError, ModelError
from attn_debugger.model.heads import HeadWeights, split_heads
from attn_debugger.model.loading import load_weights
from attn_debugger.model.naming import Site, find_attention
from attn_debugger.model.politeness import leave_a_core_to_the_window
from attn_debugger.model.probe import in_order_of_steps
from attn_debugger.model.topology import describe
from attn_debugger.model.weights import initial_std
from attn_debugger.model.weights_timeline import write_timeline

Parts = dict[str, Tensor]  # query, key, value, output: (out, in)


def survey(
    checkpoints: Sequence[tuple[int, Path]], run: Run | None = None, heads: int | None = None
) -> Iterator[CheckpointWeights]:
    """Yield what each checkpoint, given as (step, path), holds, by rising step.

    `heads` is the head count where neither the checkpoint nor the archive knows it.
    """
    earliest: dict[str, Parts] | None = None
    for step, path in sorted(checkpoints):
        try:
            read, parts = _read(path, step, run, heads, earliest)
        except (AttnDebuggerError, OSError, MemoryError) as error:
            said = str(error) or say(
                "{path}: there is not enough memory for this checkpoint", path=path
            )
            yield CheckpointWeights(path=str(path), step=step, error=said)
            continue
        earliest = parts if earliest is None else earliest
        yield read


def listed_checkpoints(run: Run) -> list[tuple[int, Path]]:
    """Return (step, path) of the archive's table; paths are made whole."""
    folder = Path(run.path).resolve().parent
    return [(item.step, folder / item.path) for item in run.checkpoints]


def _read(
    path: Path,
    step: int,
    run: Run | None,
    heads: int | None,
    earliest: dict[str, Parts] | None,
) -> tuple[CheckpointWeights, dict[str, Parts]]:
    topology = describe(path, run=run, heads=heads)
    modules = {module.path: module for module in topology.modules}
    parts: dict[str, Parts] = {}
    layers = []
    for site in find_attention(load_weights(path).tensors):
        module = modules[site.path]
        cut = None
        if module.n_heads is not None:
            cut = split_heads(site, module.n_heads, module.n_key_heads)
        parts[site.path] = _parts(site, cut)
        before = None if earliest is None else earliest.get(site.path)
        layers.append(
            LayerWeights(
                path=site.path,
                layer=module.archive_layer,
                per_head=module.per_head or {},
                scales={
                    name: _scale(matrix)
                    for name, matrix in parts[site.path].items()
                    if bool(torch.isfinite(matrix).all())
                },
                unchanged=() if before is None else _same(parts[site.path], before),
            )
        )
    read = CheckpointWeights(path=str(path), step=step, layers=tuple(layers), topology=topology)
    return read, parts


def _parts(site: Site, cut: HeadWeights | None) -> Parts:
    """Return the projections as matrices (out, in); fused ones only where the heads are known."""
    found = {"query": site.query, "key": site.key, "value": site.value, "output": site.output}
    if site.query is None and cut is not None:
        found |= {
            "query": cut.query.flatten(0, 1),
            "key": cut.key.flatten(0, 1),
            "value": None if cut.value is None else cut.value.flatten(0, 1),
        }
    return {name: matrix for name, matrix in found.items() if matrix is not None}


def _scale(matrix: Tensor) -> ProjectionScale:
    numbers = initial_std(matrix)
    return ProjectionScale(std=numbers["std"], xavier=numbers["xavier"], kaiming=numbers["kaiming"])


def _same(now: Parts, before: Parts) -> tuple[str, ...]:
    return tuple(
        name
        for name, matrix in now.items()
        if name in before
        and before[name].shape == matrix.shape
        and torch.equal(before[name], matrix)
    )


def main(arguments: list[str] | None = None) -> int:
    """Survey what the command line names; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m attn_debugger.model.survey")
    parser.add_argument("checkpoints", nargs="*", type=Path, metavar="CKPT")
    parser.add_argument("--archive", type=Path, metavar="RUN.h5")
    parser.add_argument("--heads", type=int, metavar="N", help="heads of every layer, if unknown")
    parser.add_argument("--write", type=Path, metavar="OUT.h5", help="a timeline of checkpoints")
    options = parser.parse_args(arguments)
    try:
        run = None if options.archive is None else _run(options.archive)
        found = in_order_of_steps(options.checkpoints) if options.checkpoints else []
        if run is not None:
            steps = {path.resolve(): step for step, path in listed_checkpoints(run)}
            found = [(steps.get(path.resolve(), step), path) for step, path in found]
            found = found or listed_checkpoints(run)
        if not found:
            raise ModelError(
                say("there are no checkpoints to read: name them, or an archive of theirs")
            )
    except (AttnDebuggerError, OSError) as error:
        sys.stderr.write(told_line(str(error)) + "\n")
        return 2
    told = _told(survey(found, run, options.heads), len(found))
    try:
        if options.write is not None:
            write_timeline(told, options.write)
        for _ in told:
            pass
    except (AttnDebuggerError, OSError) as error:
        sys.stderr.write(told_line(str(error)) + "\n")
        return 2
    return 0


def _told(read: Iterator[CheckpointWeights], total: int) -> Iterator[CheckpointWeights]:
    """Pass the checkpoints on, printing each and how far it is."""
    for done, checkpoint in enumerate(read, start=1):
        print(told(checkpoint.to_json()), flush=True)  # noqa: T201
        print(f"PROGRESS {done} {total} {Path(checkpoint.path).name}", flush=True)  # noqa: T201
        yield checkpoint


def _run(path: Path) -> Run:
    from attn_debugger.archive.reader import open_archive

    with open_archive(path) as archive:
        return archive.run


if __name__ == "__main__":
    leave_a_core_to_the_window()
    raise SystemExit(main())
