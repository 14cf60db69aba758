"""A small run to write notes on."""

from __future__ import annotations

from pathlib import Path

import h5py
import numpy as np


def write_run(path: Path, steps=(0, 100, 200), created: str = "monday") -> Path:
    """Write a run of two layers with two heads; another `created` makes another recording."""
    noise = np.random.default_rng(0)
    with h5py.File(path, "w") as file:
        file.attrs["format"], file.attrs["version"] = "attn-debugger", 1
        file.attrs["created"] = created
        file["steps"] = list(steps)
        for layer in range(2):
            weights = noise.random((len(steps), 2, 6, 6)).astype(np.float32)
            file[f"layers/{layer}/weights"] = weights / weights.sum(-1, keepdims=True)
    return path
