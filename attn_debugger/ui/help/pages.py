"""Which help pages there are, what they are called, and where a link leads."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

HOME = "index.md"
SIGNALS_PAGE = "signals.md"

# The order of the contents; a page that is not named here follows in the order of its name.
_ORDER = (
    HOME,
    "window.md",
    SIGNALS_PAGE,
    "comparing.md",
    "remote.md",
    "already-broken.md",
    "recording.md",
    "importing.md",
    "coverage.md",
    "archive-format.md",
    "performance.md",
)


@dataclass(frozen=True, slots=True)
class HelpPage:
    """A page: its file name, its title and its Markdown, and the language they are in."""

    name: str
    title: str
    text: str
    language: str = "en"


def read_pages(folder: Path, language: str = "en") -> tuple[HelpPage, ...]:
    """Return every page of a folder in the order of the contents; a missing folder has none.

    A page that lies in a folder named after the language takes the place of the English one.
    """
    if not folder.is_dir():
        return ()
    pages = []
    for english in sorted(folder.glob("*.md")):
        own = folder / language / english.name
        path, spoken = (own, language) if own.is_file() else (english, "en")
        text = path.read_text(encoding="utf-8")
        pages.append(HelpPage(path.name, _title(text) or path.stem, text, spoken))
    rank = {name: place for place, name in enumerate(_ORDER)}
    return tuple(sorted(pages, key=lambda page: (rank.get(page.name, len(rank)), page.name)))


def split_target(target: str) -> tuple[str, str]:
    """Return (page, anchor) of a link such as `signals.md#nan_weights`; no page is the home."""
    page, _, anchor = target.partition("#")
    return page or HOME, anchor


def slug(heading: str) -> str:
    """Return the anchor of a heading: lower case, words joined by `-`, underscores kept."""
    return re.sub(r"[^\w]+", "-", heading.lower()).strip("-")


def best_heading(headings: Sequence[str], anchor: str) -> int | None:
    """Return which heading an anchor means: its slug, one of its words, or a part of it."""
    wanted = anchor.lower()
    lower = [heading.lower() for heading in headings]
    for fitting in (
        [slug(text) == slug(wanted) for text in lower],
        [wanted in re.findall(r"\w+", text) for text in lower],
        [wanted in text for text in lower],
    ):
        if any(fitting):
            return fitting.index(True)
    return None


def matches(page: HelpPage, words: str) -> bool:
    """Return whether a page holds every one of some words, in any case."""
    text = page.text.lower()
    return all(word in text for word in words.lower().split())


def _title(text: str) -> str:
    for line in text.splitlines():
        if line.startswith("# "):
            return line[2:].strip()
    return ""
