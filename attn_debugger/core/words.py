"""Sentences that can be said in another language: the English text, and what it was made of.

said = say("{n} of {total} rows are NaN", n=3, total=128)
said == "3 of 128 rows are NaN"  # a plain string wherever one is wanted: JSON, logs, reports

The window looks the template up in its catalog and fills the values in again
(`ui/translated.py`); nothing here knows of languages. The template is always a literal, so that
it can be collected from the source. Placeholders may carry formats (`{share:.0%}`); without
values the text is taken as it stands, braces included.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Self

_TEXT, _TEMPLATE, _VALUES, _PARTS = "text", "template", "values", "parts"


class Message(str):
    """An English text that remembers its template and values, or the parts it was joined from.

    With parts, `template` is the separator between them. Values and parts may be messages
    themselves; what is a plain string among them (a name, a path) is never translated.
    """

    template: str
    values: Mapping[str, object]
    parts: tuple[str, ...]

    __slots__ = ("parts", "template", "values")

    def __new__(
        cls,
        text: str,
        template: str,
        values: Mapping[str, object] | None = None,
        parts: tuple[str, ...] = (),
    ) -> Self:
        """Return the text with what it was made of; `say` and `join` are the usual ways."""
        message = super().__new__(cls, text)
        message.template = template
        message.values = dict(values or {})
        message.parts = parts
        return message

    def __str__(self) -> str:
        # `str(error)` and `str(message)` keep what the window needs.
        return self

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (_plain(self), self.template, self.values, self.parts)


def say(template: str, /, **values: object) -> Message:
    """Return a sentence. `template` must be a literal: it is collected for the catalogs."""
    for name, value in values.items():
        if isinstance(value, BaseException):
            values[name] = str(value)  # its own message, if it has one, and no traceback
    return Message(template.format(**values) if values else template, template, values)


def fixed(text: str, /) -> Message:
    """Return a sentence that stands as a literal elsewhere, in a table of texts, as a message."""
    return text if isinstance(text, Message) else Message(text, text)


def join(separator: str, parts: Iterable[str], /) -> Message:
    """Return `separator.join(parts)`; the separator is a template too (", " is "、" in Chinese)."""
    kept = tuple(parts)
    return Message(separator.join(kept), separator, parts=kept)


ITEMS = ", (between the items of a list)"


def listing(parts: Iterable[str], /) -> Message:
    """Return names or numbers in a row, ", " between them: other languages part them otherwise."""
    kept = tuple(parts)
    return Message(", ".join(kept), ITEMS, parts=kept)


def lowered(text: str) -> str:
    """Return a sentence as it goes on inside another: its first letter made small."""
    return _reworded(text, text[:1].lower() + text[1:])


def unended(text: str) -> str:
    """Return a sentence as it stands inside another: without its full stop."""
    return _reworded(text, _plain(text).rstrip("."))


def first_line(text: str) -> str:
    """Return the first line of a text: libraries follow their errors with pages."""
    return _reworded(text, (_plain(text).splitlines() or [""])[0])


def raised(text: str) -> str:
    """Return a text as a sentence begins: its first letter made a capital."""
    return _reworded(text, text[:1].upper() + text[1:])


def _reworded(text: str, english: str) -> str:
    if not isinstance(text, Message):
        return english
    return Message(english, text.template, text.values, text.parts)


def packed(value: Any) -> Any:
    """Return `value` ready for JSON, every message in it as an object; see `unpacked`.

    For child processes that answer the window: plain JSON would keep the English text only.
    """
    if isinstance(value, Message):
        return {
            _TEXT: _plain(value),
            _TEMPLATE: value.template,
            _VALUES: packed(dict(value.values)),
            _PARTS: packed(value.parts),
        }
    if isinstance(value, Mapping):
        return {key: packed(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [packed(item) for item in value]
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    # numpy's numbers say themselves as Python's; anything else is a word in a sentence.
    return value.item() if hasattr(value, "item") else _plain(value)


def unpacked(value: Any) -> Any:
    """Return what `packed` was given: objects of a message's form become messages again."""
    if isinstance(value, Mapping):
        if set(value) == {_TEXT, _TEMPLATE, _VALUES, _PARTS}:
            return Message(
                value[_TEXT],
                value[_TEMPLATE],
                unpacked(value[_VALUES]),
                tuple(unpacked(value[_PARTS])),
            )
        return {key: unpacked(item) for key, item in value.items()}
    if isinstance(value, list):
        return [unpacked(item) for item in value]
    return value


def _plain(text: object) -> str:
    return str.__str__(text) if isinstance(text, str) else str(text)
