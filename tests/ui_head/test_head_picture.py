import numpy as np
import pytest
from head_fakes import make_layer_frame, softmax_map
from hypothesis import given
from hypothesis import strategies as st

from attn_debugger.core.heads import HeadRef
from attn_debugger.core.run import LayerFacts
from attn_debugger.ui.head.cell_values import cell_text
from attn_debugger.ui.head.picture import breaks, head_map, row_entropy, shrunk_codes
from attn_debugger.ui.head.profiles import (
    attention_received,
    bar_picture,
    largest_weights,
    per_pixel,
)
from attn_debugger.ui.theme import LIGHT


def test_a_single_head_is_taken_from_its_frame() -> None:
    weights = softmax_map(4, 6)
    shown = head_map(make_layer_frame(weights, heads=(7,), layer=2))
    assert shown.head == HeadRef(2, 7)
    assert np.array_equal(shown.weights, weights[0])
    assert shown.masked is None
    assert shown.key_labels == ("0", "1", "2", "3", "4", "5")


def test_one_of_several_heads_is_chosen_by_its_number() -> None:
    weights = np.concatenate([softmax_map(4, 4, seed) for seed in range(3)])
    frame = make_layer_frame(weights, heads=(0, 5, 9))
    assert np.array_equal(head_map(frame, 5).weights, weights[1])
    assert head_map(frame, 4).is_empty


def test_the_causal_mask_and_padding_are_masked_on_purpose() -> None:
    padding = np.array([False, False, False, True])
    frame = make_layer_frame(softmax_map(4, 4), facts=LayerFacts(causal=True), key_padding=padding)
    masked = head_map(frame).masked
    assert masked is not None
    assert np.array_equal(masked, np.triu(np.ones((4, 4), bool), 1) | padding)


def test_packed_documents_begin_where_their_number_changes() -> None:
    documents = np.array([0, 0, 1, 1, 1, 7])
    shown = head_map(
        make_layer_frame(softmax_map(6, 6), key_documents=documents, query_documents=documents)
    )
    assert shown.key_breaks == shown.query_breaks == (2, 5)
    assert breaks(documents, 5) == ()
    assert breaks(None, 6) == ()


def test_tokens_of_the_wrong_length_are_not_shown_as_if_they_fitted() -> None:
    shown = head_map(make_layer_frame(softmax_map(3, 3), tokens=("a", "b")))
    assert shown.key_labels == ("0", "1", "2")


def test_a_gap_has_no_map() -> None:
    assert head_map(make_layer_frame(softmax_map(3, 3), present=False)).is_empty
    assert head_map(make_layer_frame(None)).is_empty


@pytest.mark.parametrize("n_keys", [1, 2, 100])
def test_row_entropy_of_uniform_and_of_certain_rows(n_keys: int) -> None:
    assert row_entropy(np.full(n_keys, 1 / n_keys)) == pytest.approx(np.log(n_keys))
    assert row_entropy(np.eye(n_keys)[0]) == 0.0


def test_row_entropy_of_nan_is_not_known() -> None:
    assert np.isnan(row_entropy(np.array([0.5, np.nan])))


@given(st.integers(1, 90), st.integers(1, 90), st.integers(1, 40), st.integers(1, 40), st.data())
def test_a_single_bright_cell_survives_shrinking(
    rows: int, columns: int, to_rows: int, to_columns: int, data: st.DataObject
) -> None:
    row, column = data.draw(st.integers(0, rows - 1)), data.draw(st.integers(0, columns - 1))
    codes = np.full((rows, columns), 3, np.uint8)
    codes[row, column] = 255
    shrunk = shrunk_codes(codes, to_rows, to_columns)
    assert shrunk.shape == (min(rows, to_rows), min(columns, to_columns))
    assert (shrunk == 255).sum() == 1
    place = np.argwhere(shrunk == 255)[0]
    assert place[0] == row * shrunk.shape[0] // rows
    assert place[1] == column * shrunk.shape[1] // columns


def test_profiles_leave_out_rows_that_say_nothing() -> None:
    weights = np.array([[0.5, 0.5], [np.nan, 1.0], [1.0, 0.0]])
    assert attention_received(weights).tolist() == [0.75, 0.25]
    assert np.isnan(attention_received(weights[1:2])).all()
    assert largest_weights(weights)[[0, 2]].tolist() == [0.5, 1.0]
    assert np.isnan(largest_weights(weights)[1])


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0"),
        (0.1374, ".14"),
        (1.0, "1.00"),
        (1e-9, "<.01"),
        (0.005, ".01"),
        (float("nan"), "NaN"),
        (float("inf"), "inf"),
        (-0.25, "-0.25"),
    ],
)
def test_what_is_not_zero_never_reads_as_zero(value: float, text: str) -> None:
    assert cell_text(value) == text


@given(st.integers(1, 400), st.floats(0.05, 40), st.integers(0, 3))
def test_profiles_show_the_largest_value_under_each_pixel(
    n_cells: int, cell: float, seed: int
) -> None:
    values = np.random.default_rng(seed).random(n_cells)
    n_pixels = max(1, round(n_cells * cell))
    shown = per_pixel(values, 0.0, n_pixels / n_cells, n_pixels)
    assert len(shown) == n_pixels
    if n_pixels >= n_cells:
        assert set(shown) == set(values)
    else:
        assert shown.max() == values.max()


def test_a_zoomed_profile_shows_only_what_is_in_sight() -> None:
    values = np.array([9.0, 1.0, 2.0, 3.0, 9.0])
    assert per_pixel(values, 1.0, 2.0, 6).tolist() == [1, 1, 2, 2, 3, 3]
    assert per_pixel(values, 1.0, 0.5, 1).tolist() == [2.0]


def test_bars_rise_from_the_bottom_and_nan_has_its_colour() -> None:
    picture = bar_picture(np.array([0.0, 1.0, np.nan]), 11, LIGHT)
    ground, nan = 0xFF000000 | int(LIGHT.surface[1:], 16), 0xFFFF00FF
    assert (picture[:, 0] == ground).all()
    assert (picture[1:, 1] != ground).all()
    assert picture[0, 1] == ground  # a little air above the largest
    assert (picture[:, 2] == nan).all()
