"""The help: every page opens, every link between pages leads somewhere, keys are the real ones."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from panel_values import show
from PySide6.QtWidgets import QApplication, QLineEdit, QListWidget, QWidget
from pytestqt.qtbot import QtBot

from attn_debugger.analysis.texts import SIGNALS
from attn_debugger.ui.flags.panel import FlagsPanel
from attn_debugger.ui.health import HealthLine
from attn_debugger.ui.help.context import help_for, set_help
from attn_debugger.ui.help.keys import keys_markdown
from attn_debugger.ui.help.pages import (
    HelpPage,
    best_heading,
    matches,
    read_pages,
    slug,
    split_target,
)
from attn_debugger.ui.help.window import HelpWindow
from attn_debugger.ui.model.panel import ModelPanel
from attn_debugger.ui.plots.trend_plots import TrendPlots
from attn_debugger.ui.resources import resource_path
from attn_debugger.ui.start.start_page import StartPage
from attn_debugger.ui.theme import DARK, LIGHT, Theme, apply_theme
from attn_debugger.ui.window.actions import ACTIONS

PAGES = read_pages(resource_path("help"))
OURS = ("index.md", "window.md", "already-broken.md")


@pytest.fixture
def help_window(qtbot: QtBot, theme: Theme) -> Iterator[HelpWindow]:
    made = HelpWindow()
    qtbot.addWidget(made)
    made.set_theme(theme)
    show(made, 900, 640)
    yield made
    made.close()


def contents(window: HelpWindow) -> list[str]:
    found = window.findChild(QListWidget)
    assert isinstance(found, QListWidget)
    return [found.item(r).text() for r in range(found.count()) if not found.item(r).isHidden()]


def test_the_first_page_is_the_first() -> None:
    assert PAGES[0].name == "index.md"
    assert set(OURS) <= {page.name for page in PAGES}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_page_has_a_title_and_its_pictures(page: HelpPage) -> None:
    assert page.title
    for name in re.findall(r"!\[[^\]]*\]\(([^)]+)\)", page.text):
        assert (resource_path("help") / name).is_file(), name


def test_pages_open_by_name_and_heading(help_window: HelpWindow) -> None:
    for page in PAGES:
        help_window._go(page.name)
        assert help_window.browser.toPlainText().startswith(page.title)
    help_window._go("window.md#all-keys")
    QApplication.processEvents()
    block = help_window.browser.textCursor().block()
    assert block.text() == "All keys"
    assert help_window.browser.verticalScrollBar().value() > 0


def test_an_unknown_page_or_heading_is_not_a_crash(help_window: HelpWindow) -> None:
    help_window._go("nowhere.md")
    assert "no page" in help_window.browser.toPlainText()
    help_window._go("index.md#nowhere")
    assert help_window.browser.toPlainText().startswith("First steps")
    assert not help_window.browser.go_to("nowhere-at-all")


def test_links_and_the_way_back(help_window: HelpWindow) -> None:
    help_window._go("index.md")
    help_window.browser.link_followed.emit("window.md")
    help_window.browser.link_followed.emit("#plots")
    assert help_window.page == "window.md#plots"
    help_window.back()
    help_window.back()
    assert help_window.page == "index.md"
    help_window.back()
    assert help_window.page == "index.md"
    help_window.forward()
    assert help_window.page == "window.md"


def test_the_search_narrows_the_contents_and_enter_leads_there(help_window: HelpWindow) -> None:
    help_window._go("index.md")
    search = help_window.findChild(QLineEdit)
    assert isinstance(search, QLineEdit)
    search.setText("weights_only")
    assert "The run is already broken" in contents(help_window)
    assert "First steps" not in contents(help_window)
    search.returnPressed.emit()
    assert help_window.page != "index.md"
    assert help_window.browser.textCursor().selectedText() == "weights_only"
    search.clear()
    assert len(contents(help_window)) == len(PAGES)


def test_a_theme_change_keeps_the_page(help_window: HelpWindow) -> None:
    help_window._go("window.md")
    for theme in (LIGHT, DARK):
        help_window.set_theme(theme)
        assert help_window.browser.toPlainText().startswith("The window")


def test_the_window_follows_the_programs_theme(help_window: HelpWindow, qapp: QApplication) -> None:
    for theme in (DARK, LIGHT):
        apply_theme(qapp, theme)
        QApplication.processEvents()
        assert help_window._theme is theme


def test_the_keys_are_those_of_the_actions(help_window: HelpWindow) -> None:
    table = keys_markdown()
    for spec in ACTIONS:
        assert not spec.keys or spec.explanation in table
    help_window._go("window.md")
    text = help_window.browser.toPlainText()
    assert "{{keys}}" not in text
    assert "F8" in text


@pytest.mark.parametrize("name", OURS)
def test_our_pages_link_to_pages_and_headings_that_exist(name: str) -> None:
    by_name = {page.name: page for page in PAGES}
    for image in re.findall(r"!\[[^]]*\]\(([^)]+)\)", by_name[name].text):
        assert resource_path(f"help/{image}").is_file()
    for link in re.findall(r"(?<!!)\[[^]]*\]\(([^)]+)\)", by_name[name].text):
        target, anchor = split_target(link)
        assert target in by_name, link
        if anchor:
            headings = re.findall(r"^#+ (.+)$", by_name[target].text, re.MULTILINE)
            assert slug(anchor) in {slug(heading) for heading in headings}


def test_the_code_of_our_pages_is_python() -> None:
    for page in PAGES:
        if page.name in OURS:
            for block in re.findall(r"```python\n(.*?)```", page.text, re.DOTALL):
                compile(block, page.name, "exec")


@pytest.mark.parametrize("signal", sorted(SIGNALS))
def test_every_flag_finds_its_explanation(signal: str) -> None:
    (page,) = [page for page in PAGES if page.name == "signals.md"]
    headings = re.findall(r"^#+ (.+)$", page.text, re.MULTILINE)
    place = best_heading(headings, signal)
    assert place is not None
    assert f"`{signal}`" in headings[place]


def test_an_anchor_prefers_the_whole_word() -> None:
    headings = ["Rows below 1: `row_sum_deficit`", "Rows: `row_sum`", "Row sum"]
    assert best_heading(headings, "row_sum") == 1
    assert best_heading(headings, "row-sum") == 2
    assert best_heading(headings, "deficit") == 0
    assert best_heading(headings, "nowhere") is None


@pytest.mark.parametrize(
    "kind", [FlagsPanel, TrendPlots, ModelPanel, StartPage, HealthLine], ids=lambda k: k.__name__
)
def test_help_opens_at_what_has_the_focus(qtbot: QtBot, kind: type[QWidget]) -> None:
    widget = kind()
    qtbot.addWidget(widget)
    for part in (widget, *widget.findChildren(QWidget)):
        page, anchor = split_target(help_for(part))
        text = next(one.text for one in PAGES if one.name == page)
        headings = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
        assert not anchor or slug(anchor) in {slug(heading) for heading in headings}


def test_a_widget_without_a_page_leads_to_none(qtbot: QtBot) -> None:
    outer = QWidget()
    qtbot.addWidget(outer)
    assert help_for(outer) == ""
    assert help_for(None) == ""
    set_help(outer, "index.md")
    assert help_for(QWidget(outer)) == "index.md"


def test_slugs_and_targets() -> None:
    assert slug("All keys") == "all-keys"
    assert slug("`nan_weights`") == "nan_weights"
    assert split_target("") == ("index.md", "")
    assert split_target("signals.md#nan_weights") == ("signals.md", "nan_weights")
    assert matches(HelpPage("a.md", "A", "Red Green"), "green red")
    assert not matches(HelpPage("a.md", "A", "Red"), "green")
