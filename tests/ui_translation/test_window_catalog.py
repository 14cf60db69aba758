"""Everything the window says is marked, translated into Chinese, and lies compiled beside it."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from string import Formatter

import pytest
from catalog import QM, TS, translations, update
from marked_texts import Marked, marked_texts
from PySide6.QtCore import QTranslator


@pytest.fixture(scope="module")
def catalog() -> dict[Marked, str]:
    """Every text and its translation, empty where it is unfinished."""
    return translations(TS)


@pytest.fixture
def chinese(catalog: dict[Marked, str]) -> dict[Marked, str]:
    """What is translated; that nothing is missing is a test of its own."""
    return {text: said for text, said in catalog.items() if said}


def fields(text: str) -> list[str]:
    """Return the placeholders of a text with their formats, sorted: order is the language's own."""
    parts = Formatter().parse(text)
    return sorted(f"{name}:{form}!{turn}" for _, name, form, turn in parts if name is not None)


def test_the_catalog_holds_just_the_texts_of_the_source(catalog):
    marked = marked_texts()
    assert len(marked) > 900
    assert not marked - set(catalog), "new texts: run tests/ui_translation/catalog.py, translate"
    assert not set(catalog) - marked, "texts that are gone: run tests/ui_translation/catalog.py"


def test_lupdate_finds_just_the_texts_of_the_source(tmp_path: Path):
    ts = tmp_path / TS.name
    shutil.copy(TS, ts)
    update(ts)
    assert set(translations(ts)) == marked_texts()


def test_every_text_has_a_translation(catalog):
    assert not [text for text, said in catalog.items() if not said.strip()]


def test_placeholders_stay(chinese):
    wrong = [
        (text.text, said) for text, said in chinese.items() if fields(text.text) != fields(said)
    ]
    assert not wrong


def test_marks_of_html_and_keys_stay(chinese):
    def marks(text: str) -> list[str]:
        return sorted(re.findall(r"<[^>]+>|&(?=\w)|`[^`]*`|\*\.\w+", text))

    wrong = [(text.text, said) for text, said in chinese.items() if marks(text.text) != marks(said)]
    assert not wrong


def test_the_translation_is_chinese(chinese):
    """What has words in English has Chinese characters, but for names that stay."""
    same = {
        text.text
        for text, said in chinese.items()
        if re.search("[a-z]{3}", text.text) and not re.search("[\u4e00-\u9fff]", said)
    }
    assert same <= {"Attention Debugger", "Dropout", "Python"}


def test_terms_of_the_glossary_are_used(chinese):
    """A reader finds the same thing under the same name."""
    terms = {
        r"\bcheckpoints?\b": "检查点",
        r"\bentropy\b": "熵",
        r"\bbookmarks?\b": "书签",
        r"\bflags?\b": "告警",
        r"\btokens?\b": "词元",
        r"\bpadding\b": "填充",
        r"\bgradient norm\b": "梯度范数",
        r"\bqueries\b": "查询",
    }
    wrong = [
        (text.text, said)
        for text, said in chinese.items()
        for term, chosen in terms.items()
        if re.search(term, text.text, re.IGNORECASE) and chosen not in said
    ]
    assert not wrong


def test_the_compiled_catalog_is_up_to_date(qapp, chinese):
    translator = QTranslator()
    assert translator.load(str(QM))
    compiled = {text: translator.translate(text.context, text.text) for text in chinese}
    assert compiled == chinese, "run tests/ui_translation/catalog.py"
