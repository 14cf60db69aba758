import math

import numpy as np
import pytest
from grid_fakes import make_frame
from hypothesis import given
from hypothesis import strategies as st

from attn_debugger.core.heads import HeadRef
from attn_debugger.ui.grid.ordering import Arrangement, arranged, likeness, sorted_heads, wrapped

HEADS = [HeadRef(layer, head) for layer in range(2) for head in range(3)]


def test_heads_by_value_with_the_unknown_last() -> None:
    values = np.array([[0.2, np.nan, 0.9], [0.2, 0.5, 0.1]])
    descending = sorted_heads(HEADS, values)
    assert descending == (
        HeadRef(0, 2),
        HeadRef(1, 1),
        HeadRef(0, 0),
        HeadRef(1, 0),
        HeadRef(1, 2),
        HeadRef(0, 1),
    )


def test_heads_that_the_values_do_not_cover_come_last() -> None:
    assert sorted_heads(HEADS, np.ones((1, 3)))[:3] == tuple(HEADS[:3])


@given(st.integers(1, 200), st.floats(50, 2000), st.floats(50, 2000))
def test_wrapping_keeps_the_order_and_makes_the_largest_tiles(
    count: int, width: float, height: float
) -> None:
    order = [HeadRef(0, head) for head in range(count)]
    slots = wrapped(order, width, height)
    assert [head for row in slots for head in row if head is not None] == order
    assert len({len(row) for row in slots}) == 1
    side = min(width / len(slots[0]), height / len(slots))
    for columns in range(1, count + 1):
        assert side >= min(width / columns, height / math.ceil(count / columns)) - 1e-9


def test_nothing_wraps_to_nothing() -> None:
    assert wrapped((), 100, 100) == ()


def test_a_head_is_most_like_itself() -> None:
    weights = np.random.default_rng(0).random((2, 3, 16, 16)) ** 4
    weights[1, 2] = weights[0, 1]
    weights[0, 2, 3, 3] = np.nan
    known = np.array([[True, True, True], [True, False, True]])
    found = likeness(make_frame(weights, 16, known=known), HeadRef(0, 1))
    assert found[0, 1] == pytest.approx(1.0)
    assert found[1, 2] == pytest.approx(1.0)
    assert found[0, 0] < 0.9
    assert np.isnan(found[0, 2])
    assert np.isnan(found[1, 1])


def test_findings_come_first_or_alone() -> None:
    loudness = {HeadRef(1, 1): 3.5, HeadRef(0, 2): 2.0, HeadRef(0, 0): 0.0}
    assert arranged(Arrangement(), HEADS, loudness, None, {}) is None
    worst = arranged(Arrangement(sort="severity"), HEADS, loudness, None, {})
    assert worst is not None
    assert worst[:3] == (HeadRef(1, 1), HeadRef(0, 2), HeadRef(0, 0))
    only = Arrangement(only_findings=True)
    assert arranged(only, HEADS, loudness, None, {}) == (HeadRef(0, 2), HeadRef(1, 1))
    assert arranged(only, HEADS, {}, None, {}) == ()


def test_without_numbers_the_order_of_the_model_holds() -> None:
    values = np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    by_number = Arrangement(sort="number")
    assert arranged(by_number, HEADS, {}, None, {}) is None
    assert arranged(by_number, HEADS, {}, values, {}) == tuple(reversed(HEADS))


def test_filters_by_layers_and_tags() -> None:
    tags = {HeadRef(0, 1): ("sink",), HeadRef(1, 0): ("sink", "diagonal")}
    of_layer = Arrangement(layers=(1, 1))
    assert arranged(of_layer, HEADS, {}, None, tags) == tuple(h for h in HEADS if h.layer == 1)
    tagged = Arrangement(tag="sink")
    assert arranged(tagged, HEADS, {}, None, tags) == (HeadRef(0, 1), HeadRef(1, 0))
    both = Arrangement(layers=(0, 0), tag="sink")
    assert arranged(both, HEADS, {}, None, tags) == (HeadRef(0, 1),)
    assert arranged(Arrangement(tag="induction"), HEADS, {}, None, tags) == ()


def test_a_filter_by_what_was_found() -> None:
    found = {HeadRef(1, 1): ("uniform attention",), HeadRef(0, 0): ("NaN", "uniform attention")}
    uniform = Arrangement(finding="uniform attention")
    assert arranged(uniform, HEADS, {}, None, {}, found) == (HeadRef(0, 0), HeadRef(1, 1))
    assert arranged(Arrangement(finding="NaN"), HEADS, {}, None, {}, found) == (HeadRef(0, 0),)
    assert arranged(Arrangement(finding="sink"), HEADS, {}, None, {}, found) == ()
    assert arranged(Arrangement(), HEADS, {}, None, {}, found) is None
