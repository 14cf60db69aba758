"""The side file of an archive without overviews: the same tiles, resumable, never stale."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import h5py
import numpy as np
import pytest
from archive_samples import softmax_maps

from attn_debugger.archive.reader import Archive, open_archive
from attn_debugger.archive.sidecar import SideFileBuilder, prune, side_file_path
from attn_debugger.errors import ArchiveError


@pytest.fixture
def archive_path(by_hand: Callable[..., Path], rng: np.random.Generator) -> Path:
    return by_hand(
        {
            "steps": np.arange(70),
            "layers/0/weights": softmax_maps(rng, 70, 2, 3, 20, 20),
            "layers/1/weights": softmax_maps(rng, 70, 1, 40, 50),
            "key_padding": np.arange(20) > 15,
        }
    )


def build(archive: Archive, folder: Path, frames: int | None = None) -> SideFileBuilder:
    builder = SideFileBuilder(archive, folder)
    while (frames is None or builder.n_done < frames) and builder.advance():
        pass
    builder.close()
    return builder


def test_tiles_and_numbers_are_those_of_the_maps(archive_path: Path, tmp_path: Path) -> None:
    folder = tmp_path / "cache"
    with open_archive(archive_path) as archive:
        assert not archive.has_overviews
        assert not archive.use_side_file(folder)
        assert build(archive, folder).n_done == 70
        wanted = {(i, s): archive.grid(i, s, 32) for i in (0, 35, 69) for s in (0, 1)}
        assert archive.use_side_file(folder)
        for (frame, sample), live in wanted.items():
            got = archive.grid(frame, sample, 32)
            assert (live.source, got.source) == ("full maps", "overview")
            np.testing.assert_array_equal(got.codes, live.codes)
            np.testing.assert_array_equal(got.known, live.known)
        history = archive.history(1)
        assert history is not None
        assert np.isfinite(history.values["entropy"][:, 0]).all()
        assert np.isnan(history.values["entropy"][:, 1]).all()


def test_it_goes_on_where_it_stopped(archive_path: Path, tmp_path: Path) -> None:
    with open_archive(archive_path) as archive:
        build(archive, tmp_path, 40)
        archive.use_side_file(tmp_path)
        assert archive.grid(39, 0, 32).source == "overview"
        assert archive.grid(40, 0, 32).source == "full maps"
        history = archive.history(0)
        assert history is not None
        assert history.n_scanned == 40
    with open_archive(archive_path) as archive:
        builder = SideFileBuilder(archive, tmp_path)
        assert builder.n_done == 40
        builder.close()
        assert build(archive, tmp_path).n_done == 70


def test_a_changed_archive_is_not_served_stale(archive_path: Path, tmp_path: Path) -> None:
    with open_archive(archive_path) as archive:
        build(archive, tmp_path)
        old = side_file_path(archive.run, tmp_path)
    with h5py.File(archive_path, "a") as file:
        file["layers/0/weights"][0] = 0
    os.utime(archive_path, (1, 1))
    with open_archive(archive_path) as archive:
        assert side_file_path(archive.run, tmp_path) != old
        assert not archive.use_side_file(tmp_path)


def test_a_damaged_side_file_is_built_anew(archive_path: Path, tmp_path: Path) -> None:
    with open_archive(archive_path) as archive:
        side = side_file_path(archive.run, tmp_path)
        side.write_bytes(b"\x89HDF\r\n\x1a\nrubbish")
        assert not archive.use_side_file(tmp_path)
        build(archive, tmp_path)
        assert archive.use_side_file(tmp_path)


def test_a_folder_that_cannot_be_written(archive_path: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with (
        open_archive(archive_path) as archive,
        pytest.raises(ArchiveError, match="cannot be written"),
    ):
        SideFileBuilder(archive, tmp_path / "file")


def test_the_oldest_side_files_go_first(tmp_path: Path) -> None:
    for age, name in enumerate("abc"):
        file = tmp_path / f"{name}.overview.h5"
        file.write_bytes(b"x" * 100)
        os.utime(file, (1000 - age, 1000 - age))
    prune(tmp_path, 250)
    assert sorted(f.name[0] for f in tmp_path.iterdir()) == ["a", "b"]
