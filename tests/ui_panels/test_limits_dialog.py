"""The table of thresholds: typed, refused, reset, narrowed, loaded and saved."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit, QTreeWidgetItem

from attn_debugger.analysis.limits import LIMITS
from attn_debugger.analysis.thresholds import Thresholds
from attn_debugger.core.flags import Diagnosis, Flag, Severity
from attn_debugger.session.findings import ScanProgress
from attn_debugger.ui.limits.dialog import LimitsDialog

FLAG = Flag(
    signal="sink",
    severity=Severity.WARNING,
    layer=0,
    heads=(0,),
    first_step=0,
    last_step=0,
    first_frame=0,
    last_frame=0,
    message="",
)


@pytest.fixture
def dialog(qtbot) -> LimitsDialog:
    shown = LimitsDialog()
    qtbot.addWidget(shown)
    shown.show()
    return shown


def row_of(dialog: LimitsDialog, name: str) -> QTreeWidgetItem:
    for item, limit in dialog.tree._rows():
        if limit.name == name:
            return item
    raise AssertionError(name)


def type_value(dialog: LimitsDialog, name: str, text: str) -> None:
    row_of(dialog, name).setText(1, text)


def test_every_limit_has_a_row_with_its_value_default_and_unit(dialog: LimitsDialog) -> None:
    assert len(list(dialog.tree._rows())) == len(LIMITS)
    row = row_of(dialog, "score_critical")
    assert [row.text(column) for column in (1, 2, 3)] == ["10000", "10000", "score"]
    assert "score_critical" in row.toolTip(0)


def test_typing_tells_the_new_limits_after_a_pause(dialog: LimitsDialog, qtbot) -> None:
    with qtbot.waitSignal(dialog.limits_chosen, timeout=3000) as told:
        type_value(dialog, "score_notice", "31.5")
        type_value(dialog, "min_rows", "6")

    assert told.args == [replace(Thresholds(), score_notice=31.5, min_rows=6)]
    assert row_of(dialog, "score_notice").font(1).bold()
    assert "2 limits are changed" in dialog._state.text()


@pytest.mark.parametrize(
    ("text", "sentence"),
    [("many", "not a number"), ("-1", "not negative"), ("nan", "finite"), ("1.5", "whole number")],
)
def test_what_is_no_limit_is_refused_with_a_sentence(
    dialog: LimitsDialog, text: str, sentence: str
) -> None:
    type_value(dialog, "min_keys", text)

    assert row_of(dialog, "min_keys").text(1) == "8"
    assert dialog.tree.thresholds == Thresholds()
    assert sentence in dialog._state.text()


def test_one_and_all_can_be_reset(dialog: LimitsDialog) -> None:
    type_value(dialog, "sink", "0.5")
    type_value(dialog, "band", "0.7")
    dialog.tree.setCurrentItem(row_of(dialog, "sink"))

    dialog._reset_one.click()
    assert dialog.tree.thresholds == replace(Thresholds(), band=0.7)
    dialog._reset_all.click()
    assert dialog.tree.thresholds == Thresholds()
    assert not dialog._reset_all.isEnabled()


def test_it_can_be_narrowed_to_a_signal_and_to_words(dialog: LimitsDialog) -> None:
    dialog.show_signal("sink")
    shown = {limit.name for item, limit in dialog.tree._rows() if not item.isHidden()}
    assert shown == {"sink"}
    dialog.show_signal("")
    dialog.search.setText("soft-cap rows")
    shown = {limit.name for item, limit in dialog.tree._rows() if not item.isHidden()}
    assert shown == {"cap_hits"}
    dialog.search.setText("")
    dialog.show_signal("nan_weights")
    assert "no limits" in dialog._state.text()


def test_what_is_saved_is_what_check_reads_and_loads_again(
    dialog: LimitsDialog, tmp_path: Path, qtbot
) -> None:
    path = tmp_path / "own.toml"
    type_value(dialog, "sink", "0.5")
    dialog.save(path)
    dialog.tree.reset_all()

    assert Thresholds.from_toml(path) == replace(Thresholds(), sink=0.5)
    with qtbot.waitSignal(dialog.limits_chosen, timeout=3000) as told:
        dialog.load(path)
    assert told.args == [replace(Thresholds(), sink=0.5)]
    path.write_text("sinc = 0.5\n", encoding="utf-8")
    dialog.load(path)
    assert "Did you mean `sink`?" in dialog._state.text()
    assert dialog.tree.thresholds.sink == 0.5


def test_the_count_says_how_far_the_check_is(dialog: LimitsDialog) -> None:
    found = Diagnosis(flags=(FLAG,))
    dialog.show_count(found, ScanProgress(3, 10, running=True, again=True))
    assert dialog.count.text() == "Checking anew, 3/10: 1 warning so far"
    dialog.show_count(found, ScanProgress(10, 10))
    assert dialog.count.text() == "This run by these limits: 1 warning"
    dialog.show_count(Diagnosis(), ScanProgress(10, 10))
    assert dialog.count.text() == "This run by these limits: no flags"


def test_what_was_typed_last_counts_when_it_is_closed(dialog: LimitsDialog, qtbot) -> None:
    type_value(dialog, "sink", "0.5")
    with qtbot.waitSignal(dialog.limits_chosen, timeout=100):
        dialog.close()


def test_keys_alone_change_a_value(dialog: LimitsDialog, qtbot) -> None:
    tree = dialog.tree
    tree.setFocus()
    tree.setCurrentItem(row_of(dialog, "score_notice"), 1)
    qtbot.keyClick(tree, Qt.Key.Key_F2)
    editor = tree.findChild(QLineEdit)
    qtbot.keyClicks(editor, "25")
    qtbot.keyClick(editor, Qt.Key.Key_Return)

    qtbot.waitUntil(lambda: tree.thresholds.score_notice == 25, timeout=2000)
