"""Everything stays readable with a font half as large again."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from panel_values import HEAD, NAN_INDEX, cut_off, make_history, make_run, show
from PySide6.QtWidgets import QApplication, QScrollArea, QWidget
from pytestqt.qtbot import QtBot

from attn_debugger.core.flags import Diagnosis
from attn_debugger.ui.flags.panel import FlagsPanel
from attn_debugger.ui.flags.story import StoryCard
from attn_debugger.ui.health import HealthLine
from attn_debugger.ui.plots.trend_plots import TrendPlots
from attn_debugger.ui.start.start_page import StartPage
from attn_debugger.ui.theme import LIGHT, apply_theme


@pytest.fixture(autouse=True)
def large_font(qapp: QApplication) -> Iterator[None]:
    before = qapp.font()
    large = qapp.font()
    large.setPointSizeF(before.pointSizeF() * 1.5)
    qapp.setFont(large)
    apply_theme(qapp, LIGHT)
    yield
    qapp.setFont(before)
    apply_theme(qapp, LIGHT)


def fill(widget: QWidget, bad: Diagnosis) -> None:
    if isinstance(widget, FlagsPanel):
        widget.show_diagnosis(bad, 31, 50)
        widget.select_flag(NAN_INDEX)
    elif isinstance(widget, HealthLine):
        widget.show_diagnosis(bad, 31, 50, make_run())
    elif isinstance(widget, TrendPlots):
        widget.show_run(make_run())
        widget.show_history(make_history())
        widget.select_head(HEAD)
        widget.flush()
    elif isinstance(widget, StartPage):
        widget.show_demos([("a", "A title of some length", "and a line that is longer still")] * 9)


@pytest.mark.parametrize("kind", [FlagsPanel, HealthLine, TrendPlots, StartPage])
@pytest.mark.parametrize("width", [420, 1366])
def test_no_text_is_cut_off(qtbot: QtBot, bad: Diagnosis, kind: type[QWidget], width: int) -> None:
    widget = kind()
    qtbot.addWidget(widget)
    widget.set_theme(LIGHT)  # type: ignore[attr-defined]
    fill(widget, bad)
    show(widget, width, 40 if kind is HealthLine else 720)
    assert widget.width() == width
    assert cut_off(widget) == []
    widget.close()


def test_a_short_story_needs_no_scroll_bar(qtbot: QtBot, bad: Diagnosis) -> None:
    panel = FlagsPanel()
    qtbot.addWidget(panel)
    panel.set_theme(LIGHT)
    fill(panel, bad)
    show(panel, 420, 760)
    card = panel.findChild(StoryCard)
    assert isinstance(card, StoryCard)
    area = card.findChild(QScrollArea)
    assert isinstance(area, QScrollArea)
    assert area.verticalScrollBar().maximum() == 0
    panel.close()
