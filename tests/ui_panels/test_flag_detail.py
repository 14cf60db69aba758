"""One finding in full: evidence, lead, causes and remedies; nothing that the data does not say."""

from __future__ import annotations

from dataclasses import replace

from panel_values import NAN_INDEX, bad_flags, make_flag

from attn_debugger.core.flags import Diagnosis, Severity
from attn_debugger.ui.flags.detail import detail_html, detail_text, evidence, lead
from attn_debugger.ui.theme import LIGHT


def test_value_is_held_against_the_limit_with_its_unit() -> None:
    nan, diagonal = bad_flags()[NAN_INDEX], bad_flags()[1]
    assert evidence(nan) == "16 rows, the limit is 0 rows"
    assert evidence(diagonal) == "0.99 diagonal mass, the limit is 0.9 diagonal mass"
    assert evidence(replace(nan, threshold=None)) == "16 rows"
    assert evidence(replace(nan, value=None)) == ""


def test_lead_tells_before_after_and_unknown_apart() -> None:
    flag = bad_flags()[1]
    assert "400 steps before" in lead(flag)
    assert "30 steps after" in lead(replace(flag, lead=-30))
    assert "1 step before" in lead(replace(flag, lead=1))
    assert "very step" in lead(replace(flag, lead=0))
    assert lead(replace(flag, lead=None)) == ""


def test_the_text_for_a_bug_report_is_complete(bad: Diagnosis) -> None:
    text = detail_text(bad, NAN_INDEX)
    for part in (
        "CRITICAL: NaN [nan_weights]",
        "encoder.layer.4.attention.self",
        "query 17",
        "steps 3000-4900 (20 frames)",
        "every layer above inherits them",
        "[confirmed] Overflow of the scores (the largest score was 61440)",
        "[excluded] NaN in the input",
        "[possible] Learning rate too high",
        "1. Compute the scores in float32.",
        "7 further findings",
    ):
        assert part in text
    assert text.index("confirmed") < text.index("possible") < text.index("excluded")


def test_a_follower_names_its_cause_and_links_to_it(bad: Diagnosis) -> None:
    assert "Follows from: NaN L4.H7" in detail_text(bad, NAN_INDEX + 1)
    assert f"href='flag:{NAN_INDEX}'" in detail_html(bad, NAN_INDEX + 1, LIGHT)


def test_texts_from_the_archive_cannot_inject_markup() -> None:
    flag = make_flag(
        "sink", Severity.LABEL, 0, message="<b>&", layer_name="<img src='http://x/y'>", unit="<i>"
    )
    html = detail_html(Diagnosis(flags=(flag,)), 0, LIGHT)
    assert "<img" not in html
    assert "&lt;b&gt;&amp;" in html


def test_what_is_unknown_is_left_out() -> None:
    bare = make_flag(
        "sink", Severity.LABEL, None, heads=(), first_step=None, last_step=None, message="A sink."
    )
    text = detail_text(Diagnosis(flags=(bare,)), 0)
    for word in ("None", "Measured", "Timing", "Why", "What to do", "query"):
        assert word not in text
