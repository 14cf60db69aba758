"""The overview code and its pooling."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from attn_debugger.archive import overview


def slow_tile(weights: np.ndarray, tile: int) -> np.ndarray:
    """Cell by cell, as `core.frame.GridFrame` describes it; float64, NaN = non-finite in here."""
    queries, keys = weights.shape
    out = np.zeros((tile, tile))
    for row in range(tile):
        for column in range(tile):
            rows = _cells(row, queries, tile)
            columns = _cells(column, keys, tile)
            block = weights[np.ix_(rows, columns)].astype(np.float64)
            out[row, column] = block.max() if np.isfinite(block).all() else np.nan
    return out


def _cells(pixel: int, length: int, tile: int) -> list[int]:
    if length > tile:
        return [i for i in range(length) if i * tile // length == pixel]
    return [i for i in range(length) if i * tile // length <= pixel < (i + 1) * tile // length]


@settings(max_examples=60, deadline=None)
@given(
    st.integers(1, 70),
    st.integers(1, 70),
    st.sampled_from([1, 4, 32]),
    st.sampled_from(["float16", "float32", "float64"]),
    st.integers(0, 2**32 - 1),
)
def test_a_tile_is_the_maximum_of_its_cells(
    queries: int, keys: int, tile: int, dtype: str, seed: int
) -> None:
    rng = np.random.default_rng(seed)
    weights = (rng.random((queries, keys)) ** 8).astype(dtype)
    weights[rng.random(weights.shape) < 0.02] = rng.choice([np.nan, np.inf, -np.inf])
    got = overview.decode(overview.tiles(weights, tile))
    wanted = slow_tile(weights, tile)
    np.testing.assert_array_equal(np.isnan(got), np.isnan(wanted))
    # Half a code of the quarter root.
    roots = np.nan_to_num(got) ** 0.25, np.nan_to_num(wanted) ** 0.25
    assert np.abs(roots[0] - roots[1]).max() <= 0.501 / 254


@pytest.mark.parametrize("dtype", ["float16", "float32"])
def test_negative_weights_count_as_zero_and_never_hide_a_neighbour(dtype: str) -> None:
    weights = np.array([[0.5, -0.25], [-0.0, np.nan]], dtype)
    assert overview.tiles(weights[:1], 1)[0, 0] == overview.encode(np.float32([0.5]))[0]
    assert overview.tiles(weights, 1)[0, 0] == 255
    assert overview.encode(weights[:1])[0, 1] == 0


def test_the_x86_default_nan_has_its_sign_bit_set_and_still_counts() -> None:
    negative_nan = np.array([0xFE00], np.uint16).view(np.float16)
    assert overview.encode(negative_nan)[0] == 255


def test_codes_are_the_rounded_quarter_root() -> None:
    weights = np.array([0, 1e-5, 1e-3, 0.0625, 0.5, 1.0, 1.7], np.float32)
    wanted = np.rint(254 * np.minimum(weights.astype(np.float64), 1) ** 0.25)
    np.testing.assert_array_equal(overview.encode(weights), wanted)
    np.testing.assert_array_equal(
        overview.encode(np.arange(256, dtype=np.uint8), sqrt_encoded=True),
        np.rint(254 * np.sqrt(np.arange(256) / 255)),
    )


def test_pooling_in_two_steps_gives_the_same_as_in_one(rng: np.random.Generator) -> None:
    weights = rng.random((3, 200, 130)).astype(np.float16)
    large = overview.encode(overview.pool_max(weights, 64))
    np.testing.assert_array_equal(
        overview.pool_max(large, 32), overview.encode(overview.pool_max(weights, 32))
    )


def test_a_tile_counts_as_masked_only_where_every_cell_is() -> None:
    masked = ~np.tri(8, dtype=bool)
    np.testing.assert_array_equal(overview.pool_all(masked, 4), ~np.tri(4, dtype=bool))
    assert overview.pool_all(masked, 16).sum() == 4 * masked.sum()
