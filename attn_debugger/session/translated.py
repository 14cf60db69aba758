"""Texts worded below the window, in the window's language.

They are messages (`core/words.py`) or fixed sentences; what the catalog does not know, names and
paths among them, stays as it is. All of them are in one context of the catalogs: `Analysis`.
"""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from attn_debugger.core.words import ITEMS, Message

CONTEXT = "Analysis"


def translated(text: str) -> str:
    """Return a text in the window's language; its own English where there is no translation."""
    if not isinstance(text, Message):
        return _looked_up(text)
    known = _looked_up(text.template)
    if text.parts:
        if known == ITEMS:
            known = ", "
        return known.join(translated_value(part) for part in text.parts)
    if known == text.template:
        # Values may be known where the sentence around them is not: better English than both.
        return str.__str__(text)
    if not text.values:
        return known
    try:
        return known.format(**{name: _value(value) for name, value in text.values.items()})
    except (LookupError, ValueError):  # a catalog of another version
        return str.__str__(text)


def translated_value(text: str) -> str:
    """Return a part of a sentence: translated if it is a message, a name otherwise."""
    return translated(text) if isinstance(text, Message) else text


def _value(value: object) -> object:
    return translated(value) if isinstance(value, Message) else value


def _looked_up(template: str) -> str:
    return QCoreApplication.translate(CONTEXT, template) if template else template
