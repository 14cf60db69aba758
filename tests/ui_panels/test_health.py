"""The health line: names the first fault, never calls clean what was not looked at."""

from __future__ import annotations

from dataclasses import replace

import pytest
from panel_values import NAN_INDEX, bad_flags, make_flag, make_run, show
from PySide6.QtWidgets import QToolButton, QWidget
from pytestqt.qtbot import QtBot

from attn_debugger.core.flags import EMPTY_DIAGNOSIS, Diagnosis, Severity
from attn_debugger.ui.health import HealthLine, health
from attn_debugger.ui.theme import Theme

RUN = make_run()


def test_a_broken_run_is_told_in_one_line(bad: Diagnosis) -> None:
    said = health(bad, 50, 50, RUN)
    assert said.text == (
        "3 problems.  First: step 2000, L9.H0-7 diagonal collapse.  "
        "NaN since step 3000 (origin L4.H7)."
    )
    assert said.mood == "critical"
    assert said.target == bad.flags[1]


def test_a_clean_run_names_what_was_checked(clean: Diagnosis) -> None:
    said = health(clean, 50, 50, RUN)
    assert said.mood == "clean"
    assert said.text == (
        "No problems in 50 steps × 144 heads (checked: NaN, diagonal collapse, sink)"
    )
    assert said.target is None


@pytest.mark.parametrize("scanned", [0, 1, 49])
def test_it_is_never_green_before_the_scan_ends(clean: Diagnosis, scanned: int) -> None:
    said = health(clean, scanned, 50, RUN)
    assert said.mood == "checking"
    assert said.text == f"Checking {scanned}/50"
    stopped = health(clean, scanned, 50, RUN, running=False)
    assert stopped.mood == "unknown"
    assert stopped.text == f"{scanned} of 50 steps checked"


def test_faults_are_named_while_the_scan_goes_on(bad: Diagnosis) -> None:
    said = health(bad, 31, 50, RUN)
    assert said.mood == "critical"
    assert said.text.endswith("Checking 31/50…")


def test_what_follows_is_not_counted_and_never_leads(bad: Diagnosis) -> None:
    alone = replace(bad, flags=bad.flags[NAN_INDEX : NAN_INDEX + 1])
    assert health(alone, 50, 50, RUN).text == "1 problem.  First: step 3000, L4.H7 NaN."


def test_the_nan_is_named_even_when_something_critical_came_first(bad: Diagnosis) -> None:
    overflow = make_flag("score_overflow", Severity.CRITICAL, 1, first_step=1300)
    said = health(replace(bad, flags=(overflow, *bad.flags[2:4])), 50, 50, RUN)
    assert "First: step 1300, L1.H0 score overflow." in said.text
    assert "NaN since step 3000 (origin L4.H7)." in said.text


def test_notices_are_not_called_problems_and_labels_say_nothing() -> None:
    flags = bad_flags()
    notice = health(Diagnosis(flags=flags[:1], checked=("sink",)), 50, 50, RUN)
    assert notice.mood == "notice"
    assert notice.text == "1 notice.  First: step 0, L2.H10 uniform attention."
    two = (flags[0], replace(flags[0], layer=3))
    assert health(Diagnosis(flags=two), 50, 50, RUN).text.startswith("2 notices.")
    label = health(Diagnosis(flags=flags[2:3], checked=("sink",)), 50, 50, RUN)
    assert label.mood == "clean"


def test_nothing_judged_is_not_clean() -> None:
    said = health(EMPTY_DIAGNOSIS, 50, 50, RUN)
    assert said.mood == "unknown"
    assert "Not evaluated" in said.text


def test_the_best_known_checks_are_named_first() -> None:
    checked = ("diagonal_collapse", "brand_new", "missing_capture", "nan_weights")
    said = health(Diagnosis(checked=checked), 50, 50, RUN)
    assert said.text.endswith("(checked: NaN, diagonal collapse, not captured, brand new)")


def test_a_fault_without_a_step_is_named_without_one() -> None:
    flag = make_flag("shape_mismatch", Severity.CRITICAL, 3, heads=(), first_step=None)
    said = health(Diagnosis(flags=(flag,)), 50, 50, RUN)
    assert said.text == "1 problem.  First: L3, unexpected shape."


def test_nothing_open_says_nothing() -> None:
    assert health(EMPTY_DIAGNOSIS, 0, 0, None).text == ""


def test_the_button_leads_to_what_is_named(bad: Diagnosis, qtbot: QtBot, theme: Theme) -> None:
    line = HealthLine()
    qtbot.addWidget(line)
    line.set_theme(theme)
    line.show_diagnosis(bad, 50, 50, RUN)
    show(line, 900, 34)
    button = line.findChild(QToolButton)
    assert isinstance(button, QToolButton)
    assert "]" in button.text()
    with qtbot.waitSignal(line.jump_requested) as caught:
        button.click()
    assert caught.args == [bad.flags[1]]
    assert line.accessibleName() == line.health.text


def test_a_clean_line_has_no_button(clean: Diagnosis, qtbot: QtBot) -> None:
    line = HealthLine()
    qtbot.addWidget(line)
    line.show_diagnosis(clean, 50, 50, RUN)
    show(line, 400, 34)
    button = line.findChild(QToolButton)
    assert isinstance(button, QToolButton)
    assert not button.isVisible()


def test_the_line_is_there_only_while_a_run_is(bad: Diagnosis, qtbot: QtBot) -> None:
    outer = QWidget()
    qtbot.addWidget(outer)
    line = HealthLine(outer)
    assert line.isHidden()
    line.show_diagnosis(bad, 50, 50, RUN)
    assert not line.isHidden()
    line.show_diagnosis(EMPTY_DIAGNOSIS, 0, 0, None)
    assert line.isHidden()
