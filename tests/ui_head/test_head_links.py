import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from attn_debugger.ui.head.links import MOST_LINKS, links_of_query, strongest_links


@given(st.integers(1, 30), st.integers(1, 30), st.integers(0, 5))
def test_links_are_the_strongest_in_order(n_queries: int, n_keys: int, seed: int) -> None:
    weights = np.random.default_rng(seed).random((n_queries, n_keys))
    links = strongest_links(weights)
    values = [link.weight for link in links]
    assert values == sorted(values, reverse=True)
    assert len(links) <= MOST_LINKS
    assert values[0] == weights.max()
    assert all(weights[link.query, link.key] == link.weight for link in links)


def test_weak_links_of_a_query_are_left_out() -> None:
    weights = np.array([[0.9, 0.1, 0.0001, 0.0]])
    assert [(link.key, link.weight) for link in links_of_query(weights, 0)] == [(0, 0.9), (1, 0.1)]


def test_what_is_not_finite_is_no_link() -> None:
    weights = np.array([[np.nan, np.inf, 0.5], [np.nan, np.nan, np.nan]])
    assert [link.key for link in links_of_query(weights, 0)] == [2]
    assert links_of_query(weights, 1) == ()
    assert [(link.query, link.key) for link in strongest_links(weights)] == [(0, 2)]
    assert strongest_links(np.zeros((0, 3))) == ()
