"""What could not be judged: grouped by reason, with one line that would change it."""

from __future__ import annotations

import pytest
from panel_values import GAPS

from attn_debugger.core.flags import NotEvaluated
from attn_debugger.ui.flags.gaps import combined_advice, gaps_html, gaps_text, grouped
from attn_debugger.ui.theme import LIGHT


def gap(advice: str, reason: str = "r") -> NotEvaluated:
    return NotEvaluated(signal="s", layer=0, reason=reason, advice=advice)


def test_the_options_of_several_pieces_of_advice_become_one_line() -> None:
    assert combined_advice(GAPS) == 'record(model, "run.h5", scores=True, qk=True)'


@pytest.mark.parametrize(
    ("advice", "line"),
    [
        ("", ""),
        ("declare the mask", ""),
        ('record(model, "run.h5")', 'record(model, "run.h5")'),
        (
            'record(model, path, attributes={"causal": True, "window": 4}, scores=True)',
            'record(model, "run.h5", attributes={"causal": True, "window": 4}, scores=True)',
        ),
        (
            "record(model, path, probe=record.Probe(batch))",
            'record(model, "run.h5", probe=record.Probe(batch))',
        ),
    ],
)
def test_advice_is_joined_only_where_it_is_a_call(advice: str, line: str) -> None:
    assert combined_advice([gap(advice)]) == line


def test_one_reason_lists_its_signals_with_their_layers() -> None:
    reasons = dict(grouped(GAPS))
    assert reasons["scores not recorded"] == (
        ("score_extreme", "L0,1", 'record(model, "run.h5", scores=True)'),
    )
    assert reasons["no fixed probe"][0][1] == ""


def test_the_texts_name_reason_signal_and_advice() -> None:
    html = gaps_html(GAPS, LIGHT)
    for part in ("Scores not recorded", "q and k not recorded", "Extreme scores", "use a probe"):
        assert part in html
    assert "Extreme scores L0,1" in gaps_text(GAPS)


def test_nothing_missing_is_said_too() -> None:
    assert "could be judged" in gaps_html((), LIGHT)
