"""Every text below the window has a Chinese translation that says the same values."""

from __future__ import annotations

import re
import string

import pytest
from analysis_templates import CATALOG, ITEMS, catalog, not_literal, templates

from attn_debugger.core.words import say

TEMPLATES = templates()
CHINESE = catalog()

# What stays as it is in every language: code, formulas, names of papers and issues.
_CODE = re.compile(
    r"^(record\(.*\)|with recorder\.step\(.*|.* (issue|review) \d+|.*\d{4}|.*sqrt\(.*|.*n_heads.*"
    r"|nats|dropout|scale|-| x |\|\|[PX] - mean.*)$"
)


def test_templates_are_literal() -> None:
    assert not_literal() == []


def test_all_are_translated() -> None:
    missing = [(text, places[0]) for text, places in TEMPLATES.items() if text not in CHINESE]
    assert missing == [], (
        "translate them in resources/translations/analysis_zh_CN.ts (terms: GLOSSARY.md there), "
        "after python tests/translations/analysis_templates.py; then the same with --compile"
    )


def test_none_is_left_over_and_none_is_empty() -> None:
    assert [text for text in CHINESE if text not in TEMPLATES] == []
    assert [text for text, chinese in CHINESE.items() if not chinese] == []


@pytest.mark.parametrize("language", ["English", "Chinese"])
def test_texts_can_be_filled_in(language: str) -> None:
    """No brace is lost: a broken template would raise where something is found."""
    for text, chinese in CHINESE.items():
        fields = _fields(text)
        if fields and all(name.isidentifier() for name, _, _ in fields):
            shown = text if language == "English" else chinese
            say(shown, **{name: _a_value(text, name) for name, _, _ in fields})


def test_translations_have_the_same_placeholders() -> None:
    wrong = []
    for text, chinese in CHINESE.items():
        if not _is_filled_in(text):
            continue
        if sorted(_fields(text)) != sorted(_fields(chinese)):
            wrong.append((text, chinese))
    assert wrong == []


def test_translations_are_chinese() -> None:
    same = [
        text
        for text, chinese in CHINESE.items()
        if not re.search("[\u4e00-\u9fff。，；：、（）\u200b]", chinese)
        and not (chinese == text and _CODE.search(text))
    ]
    assert same == []


def test_sentences_end_as_chinese_ones_do() -> None:
    """A full stop (a label: a colon) where the English has one: they are put beside each other."""
    wrong = [
        (text, chinese)
        for text, chinese in CHINESE.items()
        if text != ITEMS and not text.endswith(":") and _ends(text, ".") != _ends(chinese, "。.：")
    ]
    assert wrong == []


def test_the_compiled_catalog_is_of_this_source() -> None:
    from PySide6.QtCore import QTranslator

    translator = QTranslator()
    assert translator.load(str(CATALOG.with_suffix(".qm")))
    stale = [
        text
        for text, chinese in CHINESE.items()
        if translator.translate("Analysis", text) != chinese
    ]
    assert stale == [], "run python tests/translations/analysis_templates.py --compile"


def _fields(text: str) -> list[tuple[str, str, str]]:
    return [
        (name, conversion or "", spec or "")
        for _, name, spec, conversion in string.Formatter().parse(text)
        if name is not None
    ]


def _is_filled_in(text: str) -> bool:
    """Advice such as `attributes={'causal': True}` is code, not a template."""
    if "{'" in text:
        return False
    return bool(_fields(text))


def _a_value(text: str, name: str) -> object:
    return 1 if re.search(rf"{{{name}(![rs])?:[^}}]*[gfd%,]", text) else "1"


def _ends(text: str, marks: str) -> bool:
    return text.rstrip().endswith(tuple(marks)) and not text.endswith("...")
