"""Files cut short, bits flipped, writers that could not close: up to the last good frame."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import h5py
import numpy as np
import pytest
from archive_samples import frame, softmax_maps, specs

from attn_debugger.archive.reader import open_archive
from attn_debugger.archive.repair import repair
from attn_debugger.archive.writer import ArchiveWriter
from attn_debugger.errors import ArchiveError

ByHand = Callable[..., Path]


def cut(path: Path, size: int) -> Path:
    target = path.with_name("cut.h5")
    shutil.copy(path, target)
    os.truncate(target, size)
    return target


def recorded(path: Path, n_frames: int, rng: np.random.Generator) -> np.ndarray:
    maps = softmax_maps(rng, n_frames, 2, 1, 3, 16, 16).astype(np.float16)
    with ArchiveWriter(path, specs(2, length=16)) as writer:
        for index in range(n_frames):
            writer.append(frame(index * 10, list(maps[index]), scalars={"loss": 1.0}))
    return maps


@pytest.mark.parametrize("share", [0.99, 0.9, 0.7, 0.5, 0.3])
def test_a_recorded_file_cut_short_opens_to_its_last_good_frame(
    tmp_path: Path, rng: np.random.Generator, share: float
) -> None:
    path = tmp_path / "run.h5"
    maps = recorded(path, 40, rng)
    target = cut(path, int(path.stat().st_size * share))
    with open_archive(target) as archive:
        run = archive.run
        assert run.ended == "abrupt"
        assert "cut short" in run.missing[0]
        assert 0 < run.n_frames <= 40
        for index in range(run.n_frames):
            for layer in range(2):
                got = archive.layer(index, layer)
                np.testing.assert_array_equal(got.weights, maps[index, layer, 0])
            assert archive.grid(index, 0, 32).known.all()
        told = repair(target, tmp_path / "copy.h5")
        with open_archive(tmp_path / "copy.h5") as copy:
            assert copy.run.ended == "closed"
            assert copy.run.n_frames == run.n_frames
            last = copy.run.n_frames - 1
            np.testing.assert_array_equal(copy.layer(last, 1).weights, maps[last, 1, 0])
        assert any("cut short" in sentence for sentence in told)


def test_a_file_by_hand_cut_after_some_whole_frames(
    by_hand: ByHand, rng: np.random.Generator
) -> None:
    first, second = softmax_maps(rng, 50, 2, 16, 16), softmax_maps(rng, 50, 2, 16, 16)
    path = by_hand({"steps": np.arange(50)})
    with h5py.File(path, "w", libver="latest") as file:
        # Names first, so that a cut takes maps and not the way to them.
        file.attrs.update({"format": "attn-debugger", "version": 1})
        file["steps"] = np.arange(50)
        for index in range(2):
            file.create_dataset(f"layers/{index}/weights", first.shape, "f4")
        file["layers/0/weights"][:] = first
        file["layers/1/weights"][:] = second
    with h5py.File(path) as file:
        offset = file["layers/1/weights"].id.get_offset()
    with open_archive(cut(path, offset + 20 * second[0].nbytes + 100)) as archive:
        assert archive.run.n_frames == 20
        assert archive.run.ended == "abrupt"
        assert any("only 20 of 50 frames" in sentence for sentence in archive.run.missing)
        np.testing.assert_array_equal(archive.layer(19, 1).weights, second[19])
    repair(path.with_name("cut.h5"), path.with_name("copy.h5"))
    with open_archive(path.with_name("copy.h5")) as copy:
        assert copy.run.ended == "closed"
        assert copy.run.n_frames == 20
        np.testing.assert_array_equal(copy.layer(19, 1).weights, second[19])
    with open_archive(cut(path, offset + 100)) as archive:
        assert archive.run.n_frames == 50
        assert any("nothing of layers/1/weights" in s for s in archive.run.missing)
        np.testing.assert_array_equal(archive.layer(49, 0).weights, first[49])
        assert not archive.layer(0, 1).present


@pytest.mark.parametrize("size", [1, 8, 47, 100, 400])
def test_a_file_cut_before_its_first_whole_frame(
    tmp_path: Path, rng: np.random.Generator, size: int
) -> None:
    path = tmp_path / "run.h5"
    recorded(path, 3, rng)
    with pytest.raises(ArchiveError, match=r"cut\.h5"):
        open_archive(cut(path, size))


def test_shorter_datasets_are_unknown_at_the_end_and_longer_ones_are_cut(
    by_hand: ByHand, rng: np.random.Generator
) -> None:
    path = by_hand(
        {
            "steps": np.arange(4),
            "layers/0/weights": softmax_maps(rng, 6, 2, 5, 5),
            "scalars/loss": np.array([1.0, 2.0]),
            "stream": ["probe", "train"],
            "time": np.arange(9.0),
            "layers/0/stats/score_max": np.ones((2, 2), np.float32),
            "layers/0/captures": [1, 2],
            "layers/0/present": [True, False],
        }
    )
    with open_archive(path) as archive:
        run = archive.run
        assert run.n_frames == 4
        np.testing.assert_array_equal(run.scalars["loss"], [1, 2, np.nan, np.nan])
        assert run.streams == ("probe", "train", "train", "train")
        assert run.times is not None
        assert run.times.tolist() == [0, 1, 2, 3]
        assert "score_max" in archive.layer(1, 0).stats
        assert "score_max" not in archive.layer(3, 0).stats
        assert archive.layer(1, 0).captures == 2
        assert archive.layer(3, 0).captures is None
        assert not archive.layer(1, 0).present
        assert archive.layer(3, 0).present


def test_weights_shorter_than_steps_end_the_run_there(
    by_hand: ByHand, rng: np.random.Generator
) -> None:
    weights = softmax_maps(rng, 2, 2, 5, 5)
    path = by_hand({"steps": [0, 10, 20], "layers/0/weights": weights})
    with open_archive(path) as archive:
        assert archive.run.steps.tolist() == [0, 10]
        assert "layers/0/weights has only 2 of 3 frames." in archive.run.missing


def flip(path: Path, target: Path, rng: np.random.Generator) -> None:
    data = bytearray(path.read_bytes())
    for _ in range(int(rng.integers(1, 12))):
        start = int(rng.integers(0, len(data)))
        length = int(rng.integers(1, 64))
        data[start : start + length] = rng.bytes(len(data[start : start + length]))
    target.write_bytes(data)


def examine(path: Path) -> int:
    """Use everything of an archive; returns how many frames it had, 0 = it did not open."""
    with suppress(ArchiveError), open_archive(path) as archive:
        for index in range(archive.run.n_frames):
            for layer_frame in archive.scan(index):
                assert layer_frame.weights is not None or not layer_frame.present
            for tile in (32, 64):
                archive.grid(index, 0, tile)
        archive.history(0)
        return archive.run.n_frames
    return 0


@pytest.mark.parametrize("seed", range(4))
def test_flipped_bytes_never_raise_anything_but_a_sentence(tmp_path: Path, seed: int) -> None:
    rng = np.random.default_rng(seed)
    path = tmp_path / "run.h5"
    recorded(path, 6, rng)
    for _ in range(25):
        flip(path, tmp_path / "flipped.h5", rng)
        examine(tmp_path / "flipped.h5")


@pytest.mark.corpus
@pytest.mark.parametrize("seed", range(100, 130))
def test_many_flipped_bytes(tmp_path: Path, seed: int) -> None:
    test_flipped_bytes_never_raise_anything_but_a_sentence(tmp_path, seed)


def test_the_original_is_never_written(tmp_path: Path, rng: np.random.Generator) -> None:
    path = tmp_path / "run.h5"
    recorded(path, 5, rng)
    target = cut(path, path.stat().st_size - 500)
    before = target.read_bytes()
    examine(target)
    repair(target, tmp_path / "copy.h5")
    assert target.read_bytes() == before
    with pytest.raises(ArchiveError, match="itself"):
        repair(target, target)
    with pytest.raises(ArchiveError, match="cannot be written"):
        repair(target, tmp_path / "missing" / "copy.h5")
