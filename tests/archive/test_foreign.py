"""Foreign HDF5 layouts become archives; what cannot be told apart is asked."""

from __future__ import annotations

from pathlib import Path

import h5py
import numpy as np
import pytest
from archive_samples import softmax_maps

from attn_debugger.archive.foreign import import_hdf5, look_into
from attn_debugger.archive.reader import open_archive
from attn_debugger.errors import ArchiveError

STEPS, LAYERS, HEADS, LENGTH = [0, 100, 250], 2, 3, 6


@pytest.fixture
def maps(rng: np.random.Generator) -> np.ndarray:
    """(step, layer, head, query, key)"""
    return softmax_maps(rng, len(STEPS), LAYERS, HEADS, LENGTH, LENGTH)


def write(path: Path, layout: str, maps: np.ndarray) -> Path:
    with h5py.File(path, "w") as file:
        if layout == "one array":
            file["attention"] = maps
            file["iterations"] = STEPS
            file["train_loss"] = [3.0, 2.0, 1.0]
        elif layout == "one array without steps":
            file["data/attn"] = maps
        elif layout == "keys before queries":
            file["attention"] = maps.swapaxes(-1, -2)
            file["step"] = STEPS
        elif layout == "labelled":
            file["a"] = maps.transpose(1, 2, 0, 3, 4)
            for axis, name in enumerate(("layer", "head", "step", "query", "key")):
                file["a"].dims[axis].label = name
            file["steps"] = STEPS
        elif layout == "groups of steps":
            for step, frame in zip(STEPS, maps, strict=True):
                for layer, heads in enumerate(frame):
                    file[f"step_{step}/layer_{layer}/weights"] = heads[None]
        elif layout == "bare numbers":
            for step, frame in zip(STEPS, maps, strict=True):
                for layer, heads in enumerate(frame):
                    file[f"{step}/{layer}"] = heads
        elif layout == "a dataset a layer":
            for layer in range(LAYERS):
                file[f"encoder.layer.{layer}.attention"] = maps[:, layer]
            file["steps"] = STEPS
        file["note"] = "not attention"
        file["embedding"] = np.ones((5, 5))
    return path


@pytest.mark.parametrize(
    ("layout", "steps"),
    [
        ("one array", STEPS),
        ("one array without steps", [0, 1, 2]),
        ("keys before queries", STEPS),
        ("labelled", STEPS),
        ("groups of steps", STEPS),
        ("bare numbers", STEPS),
        ("a dataset a layer", STEPS),
    ],
)
def test_layouts_that_are_understood(
    tmp_path: Path, maps: np.ndarray, layout: str, steps: list[int]
) -> None:
    path = write(tmp_path / "theirs.h5", layout, maps)
    with pytest.raises(ArchiveError, match="import"):
        open_archive(path)
    said = import_hdf5(path, tmp_path / "run.h5", attributes={"causal": False})
    assert "query 6, key 6" in said[0] or "key 6, query 6" in said[0]
    assert look_into(path) == said
    with open_archive(tmp_path / "run.h5") as archive:
        run = archive.run
        assert run.steps.tolist() == steps
        assert len(run.layers) == LAYERS
        assert run.facts.causal is False
        for frame in range(len(steps)):
            for layer in range(LAYERS):
                np.testing.assert_array_equal(
                    archive.layer(frame, layer).weights, maps[frame, layer]
                )
        if layout == "one array":
            assert run.scalars["train_loss"].tolist() == [3, 2, 1]


def test_what_can_be_read_in_two_ways_is_asked(tmp_path: Path, maps: np.ndarray) -> None:
    path = tmp_path / "theirs.h5"
    with h5py.File(path, "w") as file:
        for step, frame in zip(STEPS, maps, strict=True):
            file[f"step{step}"] = frame  # layers or samples?
    with pytest.raises(ArchiveError, match="more than one way"):
        import_hdf5(path, tmp_path / "run.h5")
    import_hdf5(path, tmp_path / "run.h5", axes="sample head query key")
    with open_archive(tmp_path / "run.h5") as archive:
        assert archive.run.n_samples == LAYERS
        np.testing.assert_array_equal(archive.layer(1, 0, sample=1).weights, maps[1, 1])
    import_hdf5(path, tmp_path / "run.h5", axes="layer head query key")
    with open_archive(tmp_path / "run.h5") as archive:
        assert len(archive.run.layers) == LAYERS


@pytest.mark.parametrize("axes", ["step layer head query", "step step query key", "x y query key"])
def test_axes_that_make_no_sense(tmp_path: Path, maps: np.ndarray, axes: str) -> None:
    path = write(tmp_path / "theirs.h5", "one array", maps)
    with pytest.raises(ArchiveError, match="name each axis once"):
        import_hdf5(path, tmp_path / "run.h5", axes=axes)
    with pytest.raises(ArchiveError, match="were named"):
        import_hdf5(path, tmp_path / "run.h5", axes="head query key", dataset="attention")


def test_a_file_without_attention(tmp_path: Path) -> None:
    path = tmp_path / "theirs.h5"
    with h5py.File(path, "w") as file:
        file["embedding"] = np.ones((50, 8))
        file["loop"] = file["/"]
        file["away"] = h5py.ExternalLink("other.h5", "x")
    with pytest.raises(ArchiveError, match="no dataset whose rows sum to 1"):
        import_hdf5(path, tmp_path / "run.h5")
    with pytest.raises(ArchiveError, match="itself"):
        import_hdf5(path, path)
