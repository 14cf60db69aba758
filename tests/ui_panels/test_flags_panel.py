"""The panel: what it says in each state, what it emits, what survives a growing diagnosis."""

from __future__ import annotations

from dataclasses import replace

import pytest
from panel_values import NAN_INDEX, bad_flags, cut_off, make_flag, show
from PySide6.QtCore import QEvent, QModelIndex, QPoint, Qt
from PySide6.QtGui import QColor, QGuiApplication, QImage, QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QTextBrowser, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from attn_debugger.core.flags import EMPTY_DIAGNOSIS, Diagnosis, Severity
from attn_debugger.ui.flags.filter_bar import FilterBar
from attn_debugger.ui.flags.list_view import FlagListView
from attn_debugger.ui.flags.model import FLAG_INDEX_ROLE
from attn_debugger.ui.flags.panel import FlagsPanel
from attn_debugger.ui.flags.state import panel_state
from attn_debugger.ui.theme import Theme


@pytest.fixture
def panel(qtbot: QtBot, theme: Theme) -> FlagsPanel:
    made = FlagsPanel()
    qtbot.addWidget(made)
    made.set_theme(theme)
    return made


def list_of(panel: FlagsPanel) -> FlagListView:
    found = panel.findChild(FlagListView)
    assert isinstance(found, FlagListView)
    return found


def lines(panel: FlagsPanel) -> list[str]:
    model = list_of(panel).model()
    return [model.index(row, 0).data() for row in range(model.rowCount())]


def row_of(panel: FlagsPanel, flag_index: int) -> QModelIndex:
    model = list_of(panel).model()
    for row in range(model.rowCount()):
        index = model.index(row, 0)
        if index.data(FLAG_INDEX_ROLE) == flag_index:
            return index
    raise AssertionError(f"flag {flag_index} is not listed")


def detail(panel: FlagsPanel) -> str:
    browsers = [b for b in panel.findChildren(QTextBrowser) if "full" in b.accessibleName()]
    return browsers[0].toPlainText()


def button(panel: FlagsPanel, text: str) -> QToolButton:
    return next(b for b in panel.findChildren(QToolButton) if b.text() == text)


def test_rows_read_as_acceptance_says(panel: FlagsPanel, bad: Diagnosis) -> None:
    panel.show_diagnosis(bad, 50, 50)
    assert lines(panel) == [
        "Uniform attention L2.H10 0-4900 (50)",
        "Diagonal collapse L9.H0-7 2000-4900 (30)",
        "NaN L4.H7 3000-4900 (20)",
    ]


def test_a_click_goes_there(panel: FlagsPanel, bad: Diagnosis, qtbot: QtBot) -> None:
    panel.show_diagnosis(bad, 50, 50)
    show(panel, 340, 700)
    view = list_of(panel)
    middle = view.visualRect(row_of(panel, NAN_INDEX)).center()
    with qtbot.waitSignal(panel.flag_activated) as caught:
        QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(middle))
    assert caught.args == [bad.flags[NAN_INDEX]]
    assert "Overflow of the scores" in detail(panel)


def test_arrows_move_and_enter_goes_there(panel: FlagsPanel, bad: Diagnosis, qtbot: QtBot) -> None:
    panel.show_diagnosis(bad, 50, 50)
    panel.select_flag(0)
    view = list_of(panel)
    with qtbot.assertNotEmitted(panel.flag_activated):
        QTest.keyClick(view, Qt.Key.Key_Down)
    assert "Diagonal collapse" in detail(panel)
    with qtbot.waitSignal(panel.flag_activated) as caught:
        QTest.keyClick(view, Qt.Key.Key_Return)
    assert caught.args == [bad.flags[1]]


@pytest.mark.parametrize(
    ("key", "own"),
    [(Qt.Key.Key_Up, True), (Qt.Key.Key_Return, True), (Qt.Key.Key_Left, False)],
)
def test_only_the_keys_of_a_list_are_kept_from_the_window(
    panel: FlagsPanel, key: Qt.Key, own: bool
) -> None:
    event = QKeyEvent(QEvent.Type.ShortcutOverride, key, Qt.KeyboardModifier.NoModifier)
    event.ignore()
    QApplication.sendEvent(list_of(panel), event)
    assert event.isAccepted() == own


def test_selecting_from_outside_marks_and_tells_but_activates_nothing(
    panel: FlagsPanel, bad: Diagnosis, qtbot: QtBot
) -> None:
    panel.show_diagnosis(bad, 50, 50)
    with qtbot.assertNotEmitted(panel.flag_activated):
        panel.select_flag(NAN_INDEX + 2)
    view = list_of(panel)
    assert view.currentIndex().data(FLAG_INDEX_ROLE) == NAN_INDEX + 2
    assert view.isExpanded(row_of(panel, NAN_INDEX))
    panel.select_flag(None)
    assert not view.currentIndex().isValid()
    panel.select_flag(999)
    assert not view.currentIndex().isValid()


def test_a_label_that_the_filter_hides_is_told_all_the_same(
    panel: FlagsPanel, bad: Diagnosis
) -> None:
    panel.show_diagnosis(bad, 50, 50)
    panel.select_flag(2)
    assert "Sink" in detail(panel)


def test_the_scan_may_go_on_under_the_users_hands(panel: FlagsPanel, bad: Diagnosis) -> None:
    early = replace(bad, flags=bad.flags[:4])
    panel.show_diagnosis(early, 31, 50)
    panel.select_flag(NAN_INDEX)
    label = make_flag("sink", Severity.LABEL, 0, heads=(5,))
    grown = replace(
        bad,
        flags=(
            label,
            *(
                flag if flag.caused_by is None else replace(flag, caused_by=NAN_INDEX + 1)
                for flag in bad.flags
            ),
        ),
    )
    panel.show_diagnosis(grown, 50, 50)
    assert list_of(panel).currentIndex().data(FLAG_INDEX_ROLE) == NAN_INDEX + 1
    assert "NaN" in detail(panel)


def test_reading_is_not_disturbed_by_the_scan(panel: FlagsPanel, bad: Diagnosis) -> None:
    panel.show_diagnosis(bad, 31, 50)
    panel.select_flag(NAN_INDEX)
    show(panel, 320, 480)
    browser = next(b for b in panel.findChildren(QTextBrowser) if "full" in b.accessibleName())
    browser.verticalScrollBar().setValue(40)
    grown = replace(bad.flags[NAN_INDEX], last_step=5000, n_frames=21)
    flags = (*bad.flags[:NAN_INDEX], grown, *bad.flags[NAN_INDEX + 1 :])
    panel.show_diagnosis(replace(bad, flags=flags), 32, 50)
    assert "3000-5000" in browser.toPlainText()
    assert browser.verticalScrollBar().value() == 40
    panel.select_flag(0)
    assert browser.verticalScrollBar().value() == 0
    panel.close()


def test_what_was_unfolded_stays_unfolded(panel: FlagsPanel, bad: Diagnosis) -> None:
    panel.show_diagnosis(bad, 31, 50)
    list_of(panel).expand(row_of(panel, NAN_INDEX))
    panel.show_diagnosis(replace(bad, flags=(*bad.flags, bad.flags[2])), 32, 50)
    assert list_of(panel).isExpanded(row_of(panel, NAN_INDEX))


def test_a_new_run_forgets_the_old_selection(panel: FlagsPanel, bad: Diagnosis) -> None:
    panel.show_diagnosis(bad, 50, 50)
    panel.select_flag(NAN_INDEX)
    panel.show_diagnosis(EMPTY_DIAGNOSIS, 0, 0)
    assert detail(panel) == ""
    assert not button(panel, "Copy").isEnabled()


def test_severity_buttons_filter_and_count(panel: FlagsPanel, bad: Diagnosis) -> None:
    panel.show_diagnosis(bad, 50, 50)
    bar = panel.findChild(FilterBar)
    assert isinstance(bar, FilterBar)
    label = next(b for b in bar.findChildren(QToolButton) if "label" in b.accessibleName())
    assert label.text() == "1"
    label.setChecked(True)
    assert any(line.startswith("Sink") for line in lines(panel))


def test_muting_dims_lists_last_and_tells_the_session(
    panel: FlagsPanel, bad: Diagnosis, qtbot: QtBot
) -> None:
    panel.show_diagnosis(bad, 50, 50)
    panel.select_flag(0)
    with qtbot.waitSignal(panel.muted_changed) as caught:
        button(panel, "Mute").click()
    assert caught.args == [frozenset({"uniform_attention"})]
    assert lines(panel)[-1].startswith("Uniform attention")
    assert button(panel, "Unmute").isEnabled()


def test_copy_puts_the_finding_on_the_clipboard(panel: FlagsPanel, bad: Diagnosis) -> None:
    panel.show_diagnosis(bad, 50, 50)
    panel.select_flag(NAN_INDEX)
    button(panel, "Copy").click()
    assert QGuiApplication.clipboard().text().startswith("CRITICAL: NaN [nan_weights]")


def test_the_picture_of_a_flag_stays_with_it(panel: FlagsPanel, bad: Diagnosis) -> None:
    panel.show_diagnosis(bad, 31, 50)
    panel.select_flag(NAN_INDEX)
    show(panel, 340, 900)
    picture = QImage(16, 16, QImage.Format.Format_RGB32)
    picture.fill(QColor("#ff00ff"))
    panel.show_picture(bad.flags[NAN_INDEX], picture)
    browser = next(b for b in panel.findChildren(QTextBrowser) if "full" in b.accessibleName())
    assert "<img" in browser.toHtml()
    panel.select_flag(0)
    assert "<img" not in browser.toHtml()
    panel.select_flag(NAN_INDEX)
    assert "<img" in browser.toHtml()
    panel.show_diagnosis(EMPTY_DIAGNOSIS, 0, 0)
    panel.show_diagnosis(bad, 50, 50)
    panel.select_flag(NAN_INDEX)
    assert "<img" not in browser.toHtml()
    panel.close()


def test_links_lead_to_the_cause_and_to_the_help(
    panel: FlagsPanel, bad: Diagnosis, qtbot: QtBot
) -> None:
    panel.show_diagnosis(bad, 50, 50)
    panel.select_flag(NAN_INDEX + 1)
    browser = next(b for b in panel.findChildren(QTextBrowser) if "full" in b.accessibleName())
    with qtbot.waitSignal(panel.help_requested) as helped:
        browser.anchorClicked.emit("help:nan_weights")
    assert helped.args == ["signals.md#nan_weights"]
    with qtbot.waitSignal(panel.flag_activated) as gone:
        browser.anchorClicked.emit(f"flag:{NAN_INDEX}")
    assert gone.args == [bad.flags[NAN_INDEX]]


@pytest.mark.parametrize("scanned", [0, 1, 49])
def test_nothing_unscanned_is_called_clean(clean: Diagnosis, scanned: int) -> None:
    state = panel_state(clean, scanned, 50)
    assert not state.good
    assert state.headline == f"Checking {scanned}/50"
    stopped = panel_state(clean, scanned, 50, running=False)
    assert not stopped.good
    assert stopped.headline == f"{scanned} of 50 steps checked"


def test_states_without_a_list(clean: Diagnosis, bad: Diagnosis) -> None:
    assert panel_state(EMPTY_DIAGNOSIS, 0, 0).headline == "Nothing is open"
    done = panel_state(clean, 50, 50)
    assert done.good
    assert "NaN, diagonal collapse, sink" in done.sentence
    assert not panel_state(EMPTY_DIAGNOSIS, 50, 50).good
    labels = replace(clean, flags=(bad.flags[2],))
    assert panel_state(labels, 50, 50, all_hidden=True).good
    hidden = panel_state(bad, 50, 50, all_hidden=True)
    assert not hidden.good
    assert hidden.headline == "Nothing matches"
    growing = panel_state(bad, 31, 50)
    assert growing.show_list
    assert growing.note == "Checking 31/50"


def test_the_panel_shows_progress_until_the_scan_ends(panel: FlagsPanel, clean: Diagnosis) -> None:
    panel.show_diagnosis(clean, 13, 50)
    texts = " ".join(label.text() for label in panel.findChildren(QLabel))
    assert "Checking 13/50" in texts
    panel.show_diagnosis(clean, 50, 50)
    texts = " ".join(label.text() for label in panel.findChildren(QLabel))
    assert "No problems in 50 frames" in texts


def test_three_hundred_flags_are_listed(panel: FlagsPanel) -> None:
    flags = tuple(
        make_flag("score_extreme", Severity.WARNING, i % 48, first_step=i) for i in range(300)
    )
    panel.show_diagnosis(Diagnosis(flags=flags), 50, 50)
    assert len(lines(panel)) == 300


@pytest.mark.parametrize("width", [320, 560])
def test_no_text_is_cut_off(panel: FlagsPanel, bad: Diagnosis, width: int) -> None:
    panel.show_diagnosis(bad, 31, 50)
    panel.select_flag(NAN_INDEX)
    show(panel, width, 720)
    assert cut_off(panel) == []
    assert panel.width() == width
    panel.close()


def test_every_part_that_takes_the_focus_has_a_name(panel: FlagsPanel, bad: Diagnosis) -> None:
    panel.show_diagnosis(bad, 50, 50)
    nameless = [
        type(widget).__name__
        for widget in panel.findChildren(QWidget)
        if widget.focusPolicy() & Qt.FocusPolicy.TabFocus
        and not widget.accessibleName()
        and widget.metaObject().className() not in ("QTabBar", "QComboBoxListView")
    ]
    assert nameless == []


def test_rows_speak_to_a_screen_reader(panel: FlagsPanel) -> None:
    panel.show_diagnosis(Diagnosis(flags=bad_flags()[:1]), 50, 50)
    spoken = list_of(panel).model().index(0, 0).data(Qt.ItemDataRole.AccessibleTextRole)
    assert spoken == "notice, Uniform attention, L2.H10, steps 0-4900 (50)"


def test_the_first_finding_is_told_from_its_title_on(panel: FlagsPanel, bad: Diagnosis) -> None:
    panel.show_diagnosis(bad, 50, 50)
    show(panel, 320, 420)
    panel.select_flag(NAN_INDEX)
    QApplication.processEvents()
    browser = next(b for b in panel.findChildren(QTextBrowser) if "full" in b.accessibleName())
    assert browser.verticalScrollBar().maximum() > 0  # there is more than fits
    assert browser.verticalScrollBar().value() == 0
