"""Dumps made by hand become an archive; what cannot be read becomes a gap."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from attn_debugger import record
from attn_debugger.archive.reader import Archive
from attn_debugger.errors import RecordError


def maps(*shape: int) -> torch.Tensor:
    return torch.rand(*shape).softmax(-1)


def test_one_file_a_step_with_a_mapping_of_layers(tmp_path) -> None:
    stored = {}
    for step in (0, 100, 200):
        stored[step] = {"enc.0": maps(2, 4, 6, 6), "enc.1": maps(2, 4, 6, 6)}
        torch.save(stored[step], tmp_path / f"attn_v2_{step}.pt")
    files = sorted(tmp_path.glob("*.pt"))
    path = record.import_dumps(files, tmp_path / "run.h5", attributes={"causal": False})
    with Archive(path) as archive:
        assert archive.run.steps.tolist() == [0, 100, 200]
        assert [layer.name for layer in archive.run.layers] == ["enc.0", "enc.1"]
        found = archive.layer(1, 1, sample=1).weights
        assert np.allclose(found, stored[100]["enc.1"][1], atol=1e-3)


def test_one_file_a_step_and_layer_by_pattern(tmp_path) -> None:
    for step in (5, 10):
        for layer in (0, 1):
            np.save(tmp_path / f"attn_l{layer}_s{step}.npy", maps(3, 5, 5).numpy())
    files = sorted(tmp_path.glob("*.npy"))
    path = record.import_dumps(files, tmp_path / "run.h5", pattern="attn_l{layer}_s{step}.npy")
    with Archive(path) as archive:
        assert archive.run.steps.tolist() == [5, 10]
        assert [layer.name for layer in archive.run.layers] == ["layer 0", "layer 1"]


def test_four_axes_are_asked_not_guessed(tmp_path) -> None:
    np.savez(tmp_path / "s1.npz", a=maps(4, 5, 5).numpy())
    np.save(tmp_path / "s1.npy", maps(2, 4, 5, 5).numpy())
    with pytest.raises(RecordError, match="axes="):
        record.import_dumps([tmp_path / "s1.npy"], tmp_path / "a.h5")
    path = record.import_dumps(
        [tmp_path / "s1.npy"], tmp_path / "a.h5", axes="layer head query key"
    )
    with Archive(path) as archive:
        assert len(archive.run.layers) == 2
    path = record.import_dumps([tmp_path / "s1.npz"], tmp_path / "b.h5", heads=2)
    with Archive(path) as archive:
        assert archive.run.layers[0].n_samples == 2
        assert archive.run.layers[0].n_heads == 2


def test_a_damaged_dump_is_a_gap(tmp_path) -> None:
    for step in (0, 1, 2):
        torch.save([maps(4, 5, 5)], tmp_path / f"s{step}.pt")
    (tmp_path / "s1.pt").write_bytes(b"no zip at all")
    path = record.import_dumps(sorted(tmp_path.glob("*.pt")), tmp_path / "run.h5")
    with Archive(path) as archive:
        assert archive.run.steps.tolist() == [0, 1, 2]
        assert [archive.layer(i, 0).present for i in range(3)] == [True, False, True]
        assert any("s1.pt" in event.text for event in archive.run.events)


def test_code_in_a_pickle_is_not_run(tmp_path) -> None:
    class Danger:
        def __reduce__(self):
            return print, ("executed",)

    torch.save(Danger(), tmp_path / "s0.pt")
    with pytest.raises(RecordError, match="no attention was found"):
        record.import_dumps([tmp_path / "s0.pt"], tmp_path / "run.h5")


def test_nothing_to_import_is_a_sentence(tmp_path) -> None:
    with pytest.raises(RecordError, match="no files"):
        record.import_dumps([], tmp_path / "run.h5")
    (tmp_path / "a.txt").write_text("x")
    with pytest.raises(RecordError, match=r"\.npy"):
        record.import_dumps([tmp_path / "a.txt"], tmp_path / "run.h5")
