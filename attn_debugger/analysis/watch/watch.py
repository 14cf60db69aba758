"""Watching tokens: which keys a text, a span or an expression names, and the weight on them.

`parse_watch("[PAD]")`, `parse_watch("the page header")`, `parse_watch("/^[A-Z]/")`,
`parse_watch("#4-9")`, `parse_watch("doc 2")`, and with a name for what is no text:
`parse_watch("the page header = #4-9")`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from attn_debugger.analysis.layout.layout import Layout
from attn_debugger.analysis.watch.token_text import from_byte_alphabet, is_byte_level, words_of
from attn_debugger.core.frame import LayerFrame
from attn_debugger.core.words import say
from attn_debugger.errors import UsageError

Queries = Literal["first", "last", "all"] | int
Kind = Literal["words", "expression", "span", "document"]

_SPAN = re.compile(r"#\s*(\d+)(?:\s*(?:-|–|:|\.\.)\s*(\d+))?")
_NAMED = re.compile(
    r"(?P<name>[^=]*[^=\s])\s*=\s*(?P<region>#.+|doc(?:ument)?\s+\d+|/.+/)", re.IGNORECASE
)
_DOCUMENT = re.compile(r"doc(?:ument)?\s+(\d+)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Watch:
    """What is watched, and from where.

    `queries`: `first` is the first token that is no padding, or the first declared special token
    (CLS); `last` the last one that is no padding; `all` the mean over every query that may see the
    watched keys; a number is that query.
    """

    text: str
    kind: Kind
    queries: Queries = "first"
    start: int = 0  # of a span of positions, both ends included; of a document, its number
    stop: int = 0
    name: str = ""  # what the user calls it

    @property
    def title(self) -> str:
        """What it is called: its own name, or what was typed."""
        return self.name or self.text


def parse_watch(text: str, queries: Queries = "first") -> Watch:
    """Read what was typed: words, `/an expression/`, `#4-9` (positions) or `doc 2`.

    All but words may be given a name: `header = #4-9`.

    Raises `UsageError` with a sentence for nothing, and for an expression that is none.
    """
    text = text.strip()
    if not text:
        raise UsageError(
            say("type a token or words to watch, /an expression/, #4-9 for positions, or doc 2")
        )
    if named := _NAMED.fullmatch(text):
        return replace(parse_watch(named["region"], queries), name=named["name"])
    if span := _SPAN.fullmatch(text):
        first, last = int(span[1]), int(span[2] or span[1])
        return Watch(text, "span", queries, min(first, last), max(first, last))
    if document := _DOCUMENT.fullmatch(text):
        return Watch(text, "document", queries, int(document[1]))
    if len(text) > 2 and text[0] == text[-1] == "/":
        try:
            re.compile(text[1:-1])
        except re.error as error:
            raise UsageError(
                say("{text} is no regular expression: {error}", text=text, error=error)
            ) from error
        return Watch(text, "expression", queries)
    return Watch(text, "words", queries)


def watched_keys(watch: Watch, frame: LayerFrame, n_keys: int) -> NDArray[np.bool_]:
    """Return which of `n_keys` keys are watched, (key,); none where the archive cannot tell."""
    keys = np.zeros(n_keys, np.bool_)
    if watch.kind == "span":
        keys[watch.start : watch.stop + 1] = True
    elif watch.kind == "document":
        documents = frame.key_documents
        if documents is not None and len(documents) == n_keys:
            keys |= documents == watch.start
    elif frame.tokens is not None and len(frame.tokens) == n_keys:
        for first, end in _places(watch, frame.tokens):
            keys[first:end] = True
    return keys


def _places(watch: Watch, tokens: tuple[str, ...]) -> list[tuple[int, int]]:
    """Return (first, end) of every place where the text or the expression is found."""
    words = words_of(tokens)
    if watch.kind == "expression":
        expression = re.compile(watch.text[1:-1])
        shown = [*tokens]
        if is_byte_level(tokens):
            shown = [from_byte_alphabet(token).strip() for token in tokens]
        places = [(place, place + 1) for place, text in enumerate(shown) if expression.search(text)]
        return places + [(word.first, word.end) for word in words if expression.search(word.text)]
    exact = [(place, place + 1) for place, token in enumerate(tokens) if token == watch.text]
    if exact:
        return exact
    texts = [word.text.casefold() for word in words]
    return [
        (words[place].first, words[place + length - 1].end)
        for wanted in _readings(watch.text)
        for place, length in _runs(texts, wanted)
    ]


def _readings(text: str) -> list[list[str]]:
    """Return the words of a text, and the same with punctuation as words of its own."""
    plain = text.casefold().split()
    parted = re.findall(r"\w+|[^\w\s]", text.casefold())
    return [plain] if parted == plain else [plain, parted]


def _runs(texts: Sequence[str], wanted: Sequence[str]) -> list[tuple[int, int]]:
    length = len(wanted)
    if not length:
        return []
    return [
        (place, length)
        for place in range(len(texts) - length + 1)
        if list(texts[place : place + length]) == list(wanted)
    ]


def watched_mass(watch: Watch, frame: LayerFrame, layout: Layout) -> NDArray[np.float32]:
    """Return the weight on the watched keys, (head,): the mean over the chosen queries.

    `layout` is that of the frame. NaN where it is not known: no map, no such token or query here,
    or nothing finite. Rows that are not finite are left out of a mean over queries, and so are
    padded queries and those that may see none of the watched keys.
    """
    n_heads = len(frame.heads)
    unknown = np.full(n_heads, np.nan, np.float32)
    if frame.weights is None or not frame.weights.size:
        return unknown
    keys = watched_keys(watch, frame, frame.n_keys)
    rows = _rows(watch.queries, frame, layout, keys)
    if not keys.any() or not rows.any():
        return unknown
    weights = frame.weights[:, rows] if rows.all() else frame.weights[:, np.flatnonzero(rows)]
    with np.errstate(invalid="ignore", over="ignore"):
        mass = weights @ keys.astype(np.float32)  # (head, row)
        finite = np.isfinite(weights.sum(axis=-1))
        total = np.where(finite, mass, 0.0).sum(axis=-1)
        return np.asarray(
            np.where(finite.any(axis=-1), total / np.maximum(finite.sum(axis=-1), 1), np.nan),
            np.float32,
        )


def _rows(
    queries: Queries, frame: LayerFrame, layout: Layout, keys: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    """Return which queries count, (query,)."""
    rows = layout.real_queries.copy()
    if queries == "all":
        if layout.allowed is not None:
            rows &= (layout.allowed & keys).any(axis=(0, -1))
        return rows
    chosen = np.zeros_like(rows)
    real = np.flatnonzero(rows)
    special = frame.info.facts.special_keys
    if isinstance(queries, int):
        place = queries
    elif not len(real):
        return chosen
    elif queries == "first" and special and frame.info.facts.kind == "self":
        place = special[0]
    else:
        place = int(real[0] if queries == "first" else real[-1])
    if 0 <= place < len(chosen):
        chosen[place] = True
    return chosen
