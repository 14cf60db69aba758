"""What one thread prepares for another changes nothing that an examination finds."""

from __future__ import annotations

from pathlib import Path

import h5py
import numpy as np

from attn_debugger.analysis.examination import Examination
from attn_debugger.archive.reader import open_archive
from attn_debugger.commands.scanning import scan_ahead

FRAMES, LAYERS, HEADS, N = 12, 4, 4, 24


def write_faults(path: Path) -> Path:
    """A NaN, a leak into the future, a uniform and a diagonal head, and a layer with a gap."""
    noise = np.random.default_rng(5)
    scores = noise.standard_normal((LAYERS, FRAMES, HEADS, N, N)).astype(np.float32)
    scores += np.triu(np.full((N, N), -np.inf, np.float32), 1)
    weights = np.exp(scores)
    weights /= weights.sum(-1, keepdims=True)
    weights[1, 6:, 2, 7] = np.nan
    weights[2, 4:, 0] = 0.9 * weights[2, 4:, 0] + 0.1 / N
    weights[3, :, 1] = np.tril(np.ones((N, N))) / np.arange(1, N + 1)[:, None]
    weights[3, 5:, 3] = 0.02 * weights[3, 5:, 3] + 0.98 * np.eye(N)
    with h5py.File(path, "w") as file:
        file.attrs.update({"format": "attn-debugger", "version": 1, "causal": True})
        file["steps"] = np.arange(FRAMES) * 100
        for layer in range(LAYERS):
            file[f"layers/{layer}/weights"] = weights[layer]
        file["layers/0/present"] = np.arange(FRAMES) != 3
    return path


def test_prepared_or_not_the_findings_are_the_same(tmp_path: Path) -> None:
    with open_archive(write_faults(tmp_path / "run.h5")) as source:
        plain, prepared = Examination(source.run), Examination(source.run)
        one = [plain.observe(layer) for frame in range(FRAMES) for layer in source.scan(frame)]
        other = [prepared.observe(layer) for layer in scan_ahead(source, "", prepared.prepare)]
    signals = {flag.signal for flag in plain.diagnosis().flags}
    assert {"nan_weights", "causal_violation", "uniform_attention", "diagonal_collapse"} <= signals
    assert prepared.diagnosis() == plain.diagnosis()
    assert len(one) == len(other) == FRAMES * LAYERS
    for summary, same in zip(one, other, strict=True):
        assert summary.keys() == same.keys()
        for name, values in summary.items():
            np.testing.assert_array_equal(values, same[name])
