"""Describes a checkpoint in a process of its own, so that the window never imports torch.

`python -m attn_debugger.model CKPT [--archive RUN.h5] [--heads N] --json` prints one JSON object
(`ModelTopology.to_json`). Exit code 2 and a sentence on standard error when it cannot be read.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from attn_debugger.core.run import Run
from attn_debugger.core.telling import told, told_line
from attn_debugger.core.topology import ModelTopology
from attn_debugger.core.words import say
from attn_debugger.errors import AttnDebuggerError
from attn_debugger.model.politeness import leave_a_core_to_the_window
from attn_debugger.model.topology import describe


def main(arguments: list[str] | None = None) -> int:
    """Print the topology of the checkpoint named on the command line; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m attn_debugger.model", description=__doc__)
    parser.add_argument("checkpoint", type=Path, metavar="CKPT")
    parser.add_argument("--archive", type=Path, metavar="RUN.h5")
    parser.add_argument("--heads", type=int, metavar="N", help="heads of every layer, if unknown")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    options = parser.parse_args(arguments)
    try:
        run = None if options.archive is None else _run(options.archive)
        topology = describe(options.checkpoint, run=run, heads=options.heads)
    except (AttnDebuggerError, OSError, MemoryError) as error:
        said = str(error) or say("there is not enough memory for this checkpoint")
        sys.stderr.write(told_line(said) + "\n")
        return 2
    text = told(topology.to_json()) if options.json else _lines(topology)
    sys.stdout.write(text + "\n")
    return 0


def _run(path: Path) -> Run:
    from attn_debugger.archive.reader import open_archive

    archive = open_archive(path)
    try:
        return archive.run
    finally:
        archive.close()


def _lines(topology: ModelTopology) -> str:
    lines = [f"{topology.path}: {topology.format}, {topology.n_parameters:,} parameters"]
    for module in topology.modules:
        heads = "unknown number of" if module.n_heads is None else str(module.n_heads)
        lines.append(f"  {module.path}: {heads} heads, width {module.d_model}")
    for check in topology.checks:
        said = check.evidence or check.reason
        lines.append(f"  {check.name}: {check.result.replace('_', ' ')} ({said})")
    lines += [f"  {sentence}" for sentence in topology.unmatched]
    return "\n".join(lines)


if __name__ == "__main__":
    leave_a_core_to_the_window()
    raise SystemExit(main())
