"""Rows of numbers, one for each layer, become a table that says NaN where nothing is known."""

from __future__ import annotations

import numpy as np

from attn_debugger.core.heads import head_table


def test_what_is_not_known_or_not_there_is_nan() -> None:
    table = head_table([[0.5, None, 0.0], [2.0]])
    np.testing.assert_array_equal(table, [[0.5, np.nan, 0.0], [2.0, np.nan, np.nan]])


def test_no_layers_are_an_empty_table() -> None:
    assert head_table([]).shape == (0, 0)


def test_a_table_is_as_wide_as_the_model_where_rows_are_empty() -> None:
    table = head_table([[], []], n_heads=3)
    assert table.shape == (2, 3)
    assert np.isnan(table).all()
