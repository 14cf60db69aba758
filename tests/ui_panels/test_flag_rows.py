"""What the list shows: roots with what follows folded, filters, orders, mutes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from panel_values import NAN_INDEX, bad_flags, make_flag

from attn_debugger.core.flags import Diagnosis, Severity
from attn_debugger.ui.flags.rows import (
    FlagFilter,
    FlagOrder,
    flag_key,
    root_of,
    rows,
    severity_counts,
)

EVERYTHING = frozenset(Severity)


def signals(diagnosis: Diagnosis, wanted: FlagFilter) -> list[str]:
    return [diagnosis.flags[row.index].signal for row in rows(diagnosis, wanted)]


def test_labels_are_hidden_until_asked_for(bad: Diagnosis) -> None:
    assert signals(bad, FlagFilter()) == ["uniform_attention", "diagonal_collapse", "nan_weights"]
    assert "sink" in signals(bad, FlagFilter(severities=EVERYTHING))


def test_what_follows_is_folded_under_its_root(bad: Diagnosis) -> None:
    (row,) = [row for row in rows(bad, FlagFilter()) if row.index == NAN_INDEX]
    assert row.followers == tuple(range(4, 11))


def test_a_chain_of_causes_ends_at_its_first() -> None:
    chain = Diagnosis(
        flags=(
            make_flag("a", Severity.CRITICAL, 0),
            make_flag("b", Severity.CRITICAL, 1, caused_by=0),
            make_flag("c", Severity.CRITICAL, 2, caused_by=1),
        )
    )
    assert root_of(chain, 2) == 0
    assert rows(chain, FlagFilter())[0].followers == (1, 2)


@pytest.mark.parametrize("causes", [(0, None), (1, 0), (7, None)])
def test_causes_that_make_no_sense_lose_no_flag(causes: tuple[int | None, ...]) -> None:
    flags = tuple(make_flag("a", Severity.WARNING, i, caused_by=c) for i, c in enumerate(causes))
    diagnosis = Diagnosis(flags=flags)
    listed = {i for row in rows(diagnosis, FlagFilter()) for i in (row.index, *row.followers)}
    assert listed == {0, 1}


def test_counts_are_of_faults_not_of_their_consequences(bad: Diagnosis) -> None:
    counts = severity_counts(bad)
    assert [counts[severity] for severity in Severity] == [1, 1, 1, 1]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("L4", ["nan_weights"]),
        ("diagonal", ["diagonal_collapse"]),
        ("nan encoder", ["nan_weights"]),
        ("NAN_WEIGHTS", ["nan_weights"]),
        ("nowhere", []),
        ("L9H3", ["diagonal_collapse", "nan_weights"]),
        ("l9.h9", ["nan_weights"]),
        ("H10", ["uniform_attention", "nan_weights"]),
        ("H99", []),
        ("..", []),
    ],
)
def test_search(bad: Diagnosis, text: str, expected: list[str]) -> None:
    assert signals(bad, FlagFilter(text=text)) == expected


def test_a_root_stays_when_only_what_follows_matches(bad: Diagnosis) -> None:
    assert signals(bad, FlagFilter(text="L11.H0-11")) == ["nan_weights"]


@pytest.mark.parametrize(
    ("order", "first"),
    [
        (FlagOrder.ONSET, "uniform_attention"),
        (FlagOrder.SEVERITY, "nan_weights"),
        (FlagOrder.LAYER, "uniform_attention"),
        (FlagOrder.SIGNAL, "diagonal_collapse"),
    ],
)
def test_orders(bad: Diagnosis, order: FlagOrder, first: str) -> None:
    assert signals(bad, FlagFilter(order=order))[0] == first


def test_muted_signals_go_last_and_stay_listed(bad: Diagnosis) -> None:
    wanted = FlagFilter(order=FlagOrder.SEVERITY, muted=frozenset({"nan_weights"}))
    assert signals(bad, wanted)[-1] == "nan_weights"


def test_a_growing_flag_keeps_its_identity() -> None:
    early, late = (
        make_flag("nan_weights", Severity.CRITICAL, 4, last_step=last) for last in (3000, 4900)
    )
    assert flag_key(early) == flag_key(late)
    assert flag_key(early) != flag_key(bad_flags()[NAN_INDEX])


@given(
    causes=st.lists(st.one_of(st.none(), st.integers(0, 12)), max_size=12),
    order=st.sampled_from(FlagOrder),
)
def test_every_flag_is_listed_exactly_once(causes: list[int | None], order: FlagOrder) -> None:
    flags = tuple(make_flag("a", Severity.NOTICE, i, caused_by=c) for i, c in enumerate(causes))
    shown = rows(Diagnosis(flags=flags), FlagFilter(order=order))
    listed = [i for row in shown for i in (row.index, *row.followers)]
    assert sorted(listed) == list(range(len(causes)))
