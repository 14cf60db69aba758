"""Help pages in Chinese have what the English ones have; a page that is English says so."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QTranslator
from PySide6.QtWidgets import QApplication, QLabel

from attn_debugger.ui.help.pages import read_pages
from attn_debugger.ui.help.window import HelpWindow
from attn_debugger.ui.language import install_translation
from attn_debugger.ui.resources import resource_path

HELP = resource_path("help")
ENGLISH = {page.name: page for page in read_pages(HELP)}
CHINESE = {page.name: page for page in read_pages(HELP, "zh_CN") if page.language == "zh_CN"}


@pytest.fixture
def in_chinese(qapp: QApplication) -> Iterator[None]:
    install_translation("zh_CN")
    yield
    for translator in qapp.findChildren(QTranslator):
        qapp.removeTranslator(translator)
        translator.deleteLater()


def shape(text: str) -> list[str]:
    """Return what a translation must not change: code, headings, lists, tables, links."""
    code = re.findall(r"```.*?```", text, re.DOTALL)
    prose = re.sub(r"```.*?```", "", text, flags=re.DOTALL)
    marks = re.findall(r"^(#+ |- |\d+\. |\|)", prose, re.MULTILINE)
    return [*code, *marks, *re.findall(r"\]\(([^)]*)\)", prose), *re.findall(r"`[^`\n]+`", prose)]


def test_the_first_pages_are_there_in_chinese():
    assert {"index.md", "already-broken.md"} <= set(CHINESE)
    assert set(CHINESE) <= set(ENGLISH)


@pytest.mark.parametrize("name", sorted(CHINESE))
def test_a_page_has_the_shape_of_the_english_one(name):
    assert shape(CHINESE[name].text) == shape(ENGLISH[name].text)
    assert re.search("[\u4e00-\u9fff]", CHINESE[name].title)


def test_a_page_that_is_english_says_so(qtbot, in_chinese):
    window = HelpWindow()
    qtbot.addWidget(window)

    def says_so() -> bool:
        return any(
            "只有英文" in label.text() and label.isVisible()
            for label in window.findChildren(QLabel)
        )

    for name in ENGLISH:
        window.show_page(name)
        is_chinese = name in CHINESE or name == "signals.md"
        assert says_so() is not is_chinese, name
    window.close()


def test_in_english_nothing_is_said(qtbot):
    window = HelpWindow()
    qtbot.addWidget(window)
    window.show_page("window.md")
    assert not [label for label in window.findChildren(QLabel) if label.isVisible()]
    window.close()
