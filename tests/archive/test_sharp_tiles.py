"""Tiles of single heads from their full maps."""

from __future__ import annotations

import numpy as np
import pytest

from attn_debugger.archive import overview
from attn_debugger.archive.reader import open_archive
from attn_debugger.core.heads import HeadRef
from attn_debugger.core.source import SharpensTiles
from attn_debugger.errors import ArchiveError


@pytest.fixture
def maps(rng: np.random.Generator) -> np.ndarray:
    """(frame, head, query, key), causal."""
    weights = np.tril(rng.random((3, 4, 100, 100))).astype(np.float16)
    return weights / np.maximum(weights.sum(-1, keepdims=True), 1e-3)


@pytest.mark.parametrize("tile", [64, 128, 256])
def test_they_are_the_maps_pooled_or_repeated(by_hand, maps, tile) -> None:
    path = by_hand({"steps": [0, 1, 2], "layers/0/weights": maps}, causal=True)
    with open_archive(path) as archive:
        assert isinstance(archive, SharpensTiles)
        tiles = archive.sharp_tiles(1, 0, (3, 1), 0, tile)
        whole = archive.grid(1, 0, tile)
    assert [one.head for one in tiles] == [HeadRef(0, 3), HeadRef(0, 1)]
    for one in tiles:
        expected = overview.tiles(maps[1, one.head.head], tile)
        np.testing.assert_array_equal(one.codes, expected)
        np.testing.assert_array_equal(one.codes, whole.codes[one.head])
        np.testing.assert_array_equal(one.masked, whole.masked[0])
        assert one.masked[0, -1]
        assert not one.codes.flags.writeable


def test_a_step_without_full_maps_has_none(by_hand, maps) -> None:
    path = by_hand(
        {"steps": [0, 1, 2], "layers/0/weights": maps[:2], "layers/0/full_frames": [0, 2]}
    )
    with open_archive(path) as archive:
        assert archive.sharp_tiles(1, 0, (0,), 0, 128) == ()
        (tile,) = archive.sharp_tiles(2, 0, (0,), 0, 128)
    np.testing.assert_array_equal(tile.codes, overview.tiles(maps[1, 0], 128))


def test_a_gap_has_none_and_a_head_that_is_not_there_is_said(by_hand, maps) -> None:
    path = by_hand(
        {"steps": [0, 1, 2], "layers/0/weights": maps, "layers/0/present": [True, False, True]}
    )
    with open_archive(path) as archive:
        assert archive.sharp_tiles(1, 0, (0,), 0, 128) == ()
        with pytest.raises(ArchiveError, match="no head 4"):
            archive.sharp_tiles(0, 0, (4,), 0, 128)
