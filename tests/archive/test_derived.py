"""What is derived while recording says the same as the maps, and is not believed when it does
not."""

from __future__ import annotations

from pathlib import Path

import h5py
import numpy as np
import pytest
from archive_samples import softmax_maps

from attn_debugger.analysis.summary import summarise
from attn_debugger.archive.reader import open_archive
from attn_debugger.archive.records import FrameRecord, LayerRecord, LayerSpec
from attn_debugger.archive.writer import ArchiveWriter

SHAPES = ((3, 24, 24), (2, 130, 100))  # heads, queries, keys of two layers


@pytest.fixture
def recorded(tmp_path: Path, rng: np.random.Generator) -> Path:
    path = tmp_path / "run.h5"
    specs = [
        LayerSpec(name=str(i), heads=h, queries=q, keys=k, samples=2, attributes={"causal": i == 0})
        for i, (h, q, k) in enumerate(SHAPES)
    ]
    with ArchiveWriter(path, specs) as writer:
        for step in range(6):
            layers = []
            for heads, queries, keys in SHAPES:
                weights = softmax_maps(rng, 2, heads, queries, keys).astype(np.float16)
                if step == 3:
                    weights[1, 1, 5, 5] = np.nan
                stats = {"score_max": rng.normal(size=(2, heads)).astype(np.float32)}
                gap = step == 4 and heads == 2
                layers.append(LayerRecord(weights=None if gap else weights, stats=stats))
            padding = np.zeros((2, 24), bool)
            padding[1, 20:] = True
            writer.append(FrameRecord(step=step, layers=tuple(layers), key_padding=padding))
    return path


@pytest.mark.parametrize("tile", [16, 32, 64, 96])
def test_tiles_from_the_overview_are_those_from_the_maps(recorded: Path, tile: int) -> None:
    bare = recorded.with_name("bare.h5")
    bare.write_bytes(recorded.read_bytes())
    with h5py.File(bare, "a") as file:
        del file["derived"]
    with open_archive(recorded) as archive, open_archive(bare) as other:
        for frame in range(6):
            for sample in range(2):
                got, wanted = archive.grid(frame, sample, tile), other.grid(frame, sample, tile)
                assert got.source == ("overview" if tile <= 64 else "full maps")
                assert wanted.source == "full maps"
                np.testing.assert_array_equal(got.codes, wanted.codes)
                np.testing.assert_array_equal(got.known, wanted.known)
                np.testing.assert_array_equal(got.masked, wanted.masked)
                assert got.shapes == wanted.shapes
        assert (archive.grid(3, 1, 32).codes[0, 1] == 255).any()
        assert not (archive.grid(3, 0, 32).codes == 255).any()
        # Layer 0 is causal and has 24 keys; the last four are padding in sample 1.
        masked = archive.grid(0, 1, 64).masked[0]
        assert masked[0, -1]
        assert masked[-1, -1]
        assert not masked[-1, 0]
        assert not archive.grid(0, 0, 64).masked[0][-1, -1]
        assert not archive.grid(0, 0, 64).masked[1].any()


def test_the_history_is_what_the_summary_of_each_frame_says(recorded: Path) -> None:
    with open_archive(recorded) as archive:
        for sample in range(2):
            history = archive.history(sample)
            assert history is not None
            assert history.scanned.all()
            for frame in range(6):
                for layer, (heads, *_) in enumerate(SHAPES):
                    seen = archive.layer(frame, layer, sample)
                    for name, values in summarise(seen).items():
                        got = history.values[name][frame, layer]
                        if seen.present:
                            np.testing.assert_allclose(got[:heads], values, rtol=1e-5, err_msg=name)
                        assert np.isnan(got[heads:]).all()
        assert archive.history(2) is None


def test_column_means_are_over_the_valid_queries(recorded: Path) -> None:
    with open_archive(recorded) as archive:
        means = archive.column_means(0, 1)
        assert means is not None
        weights = archive.layer(0, 0, 1).weights
        assert weights is not None
        np.testing.assert_allclose(means[0, :, :24], weights[:, :20].mean(1), rtol=2e-3, atol=1e-6)
        assert np.isnan(means[0, :, 24:]).all()


def test_rows_of_special_queries_are_kept_whole(tmp_path: Path, rng: np.random.Generator) -> None:
    path = tmp_path / "run.h5"
    weights = softmax_maps(rng, 2, 3, 130, 130).astype(np.float16)
    specs = [LayerSpec(name="a", heads=3, queries=130, keys=130, samples=2)]
    with ArchiveWriter(path, specs, attributes={"special_keys": [0, 129, 500]}) as writer:
        writer.append(FrameRecord(step=0, layers=(LayerRecord(weights=weights),)))
    with open_archive(path) as archive:
        found = archive.special_rows(0, 1)
        assert found is not None
        queries, rows = found
        assert queries == (0, 129, 500)
        np.testing.assert_array_equal(rows[0, :, 0], weights[1, :, 0])
        np.testing.assert_array_equal(rows[0, :, 1], weights[1, :, 129])
        assert np.isnan(rows[0, :, 2]).all()


def test_a_newer_version_of_it_is_ignored_quietly(recorded: Path) -> None:
    with h5py.File(recorded, "a") as file:
        file["derived"].attrs["version"] = 2
    with open_archive(recorded) as archive:
        grid = archive.grid(0, 0, 32)
        assert (grid.source, grid.note) == ("full maps", "")
        assert archive.history(0) is None


def test_an_overview_that_contradicts_the_maps_is_named_and_not_used(recorded: Path) -> None:
    with open_archive(recorded) as archive:
        wanted = archive.grid(2, 0, 32).codes
    with h5py.File(recorded, "a") as file:
        file["derived/overview/max32"][...] = 7
    with open_archive(recorded) as archive:
        grid = archive.grid(2, 0, 32)
        assert grid.source == "full maps"
        assert "contradicts its map" in grid.note
        np.testing.assert_array_equal(grid.codes, wanted)


def test_whoever_examines_the_run_notices_a_late_contradiction(recorded: Path) -> None:
    with h5py.File(recorded, "a") as file:
        file["derived/overview/max64"][-1] = 7
    with open_archive(recorded) as archive:
        last = archive.run.n_frames - 1
        for frame in range(last):
            for _ in archive.scan(frame):
                assert archive.overview_problem == ""
        for _ in archive.scan(last):
            pass
        assert f"frame {last} contradicts its map" in archive.overview_problem
        assert archive.grid(0, 0, 32).source == "full maps"


@pytest.mark.parametrize("shape", [(6, 2, 3, 3, 32, 32), (6, 2, 2, 1, 32, 32), (6, 2)])
def test_an_overview_of_a_wrong_shape_is_not_used(recorded: Path, shape: tuple[int, ...]) -> None:
    with h5py.File(recorded, "a") as file:
        del file["derived/overview/max32"]
        file["derived/overview/max32"] = np.zeros(shape, np.uint8)
    with open_archive(recorded) as archive:
        grid = archive.grid(0, 0, 32)
        assert grid.source == "full maps"
        assert "max32" in grid.note or "overview" in grid.note
        assert archive.layer(0, 0).weights is not None


def test_frames_without_full_maps_still_have_tiles(
    tmp_path: Path, rng: np.random.Generator
) -> None:
    path = tmp_path / "run.h5"
    with ArchiveWriter(path, [LayerSpec(name="a", heads=2, queries=70, keys=70)]) as writer:
        for step in range(5):
            weights = softmax_maps(rng, 1, 2, 70, 70)
            record = LayerRecord(weights=weights, captures=1)
            writer.append(FrameRecord(step=step, layers=(record,), full=step % 2 == 0))
    with open_archive(path) as archive:
        assert [archive.layer(i, 0).full for i in range(5)] == [True, False, True, False, True]
        assert archive.grid(1, 0, 64).source == "overview"
        assert archive.grid(1, 0, 64).known.all()
        large = archive.grid(1, 0, 128)
        assert large.known.all()
        assert "enlarged" in large.note
        np.testing.assert_array_equal(large.codes[..., ::2, ::2], archive.grid(1, 0, 64).codes)
