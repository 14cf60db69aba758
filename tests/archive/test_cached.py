"""Overviews derived into the user's cache: bit by bit, cancelled, gone on with, never stale."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import h5py
import numpy as np
import pytest
from archive_samples import softmax_maps

from attn_debugger.archive.cached import CachedArchive
from attn_debugger.archive.sidecar import side_file_path
from attn_debugger.core.source import DerivesOverviews, RecallsHistory
from attn_debugger.errors import ArchiveError


@pytest.fixture
def path(by_hand: Callable[..., Path], rng: np.random.Generator) -> Path:
    maps = softmax_maps(rng, 6, 16, 96, 96)
    return by_hand({"steps": np.arange(6), "layers/0/weights": maps, "layers/1/weights": maps})


def derive(archive: CachedArchive, frames: int) -> None:
    while archive.wants_overviews and archive.derive_some()[0] < frames:
        pass


def test_it_is_done_once(path: Path, tmp_path: Path) -> None:
    folder = str(tmp_path / "cache")
    with CachedArchive(str(path), folder) as archive:
        assert isinstance(archive, DerivesOverviews)
        assert isinstance(archive, RecallsHistory)
        assert archive.wants_overviews
        live = archive.grid(5, 0, 32)
        derive(archive, 7)
        assert not archive.wants_overviews
        quick = archive.grid(5, 0, 32)
        assert (live.source, quick.source) == ("full maps", "overview")
        np.testing.assert_array_equal(quick.codes, live.codes)
    with CachedArchive(str(path), folder) as archive:
        assert not archive.wants_overviews
        assert archive.grid(0, 0, 32).source == "overview"
        history = archive.history(0, 4)
        assert history is not None
        assert history.values["entropy"].shape == (2, 2, 16)
        assert np.isfinite(history.values["entropy"]).all()


def test_what_was_done_before_it_was_cancelled_is_used_and_gone_on_with(
    path: Path, tmp_path: Path
) -> None:
    with CachedArchive(str(path), str(tmp_path / "cache")) as archive:
        derive(archive, 3)
        archive.stop_deriving()
        assert archive.grid(2, 0, 32).source == "overview"
        assert archive.grid(4, 0, 32).source == "full maps"
        assert archive.wants_overviews
        assert archive.derive_some()[0] == 3  # and not from the start
        derive(archive, 7)
        assert archive.grid(4, 0, 32).source == "overview"


def test_a_changed_archive_is_derived_anew(
    path: Path, tmp_path: Path, by_hand: Callable[..., Path], rng: np.random.Generator
) -> None:
    folder = str(tmp_path / "cache")
    with CachedArchive(str(path), folder) as archive:
        derive(archive, 7)
    maps = softmax_maps(rng, 6, 16, 96, 96)
    by_hand({"steps": np.arange(6), "layers/0/weights": maps, "layers/1/weights": maps})
    with CachedArchive(str(path), folder) as archive:
        assert archive.wants_overviews
        assert archive.grid(0, 0, 32).source == "full maps"


def test_small_maps_are_not_worth_a_file(
    by_hand: Callable[..., Path], rng: np.random.Generator, tmp_path: Path
) -> None:
    path = by_hand({"steps": [0], "layers/0/weights": softmax_maps(rng, 1, 2, 8, 8)})
    with CachedArchive(str(path), str(tmp_path / "cache")) as archive:
        assert not archive.wants_overviews


def test_two_windows_do_not_write_one_file(path: Path, tmp_path: Path) -> None:
    folder = str(tmp_path / "cache")
    with CachedArchive(str(path), folder) as one, CachedArchive(str(path), folder) as other:
        one.derive_some()
        with pytest.raises(ArchiveError, match="another window"):
            other.derive_some()
        derive(one, 7)
        assert not one.wants_overviews


def test_the_cache_keeps_within_its_budget_but_for_what_is_in_use(
    path: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "cache"
    folder.mkdir()
    old = folder / "older.overview.h5"
    old.write_bytes(b"1")
    os.utime(old, (0, 0))
    with CachedArchive(str(path), str(folder), most_bytes=1) as archive:
        derive(archive, 7)
        assert side_file_path(archive.run, folder).exists()
        assert not old.exists()


def test_a_side_file_that_contradicts_its_archive_is_built_anew(path: Path, tmp_path: Path) -> None:
    folder = str(tmp_path / "cache")
    with CachedArchive(str(path), folder) as archive:
        derive(archive, 7)
        wanted = archive.grid(3, 0, 32).codes
        side_file = side_file_path(archive.run, folder)
    with h5py.File(side_file, "a") as file:
        file["derived/overview/max64"][...] = 7
        file["derived/overview/max32"][...] = 7
    with CachedArchive(str(path), folder) as archive:
        np.testing.assert_array_equal(archive.grid(3, 0, 32).codes, wanted)
        assert "contradicts its map" in archive.overview_problem
        assert archive.wants_overviews
        derive(archive, 7)
        grid = archive.grid(3, 0, 32)
        assert grid.source == "overview"
        np.testing.assert_array_equal(grid.codes, wanted)
        assert archive.overview_problem == ""
