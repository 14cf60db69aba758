"""How a note and its place are worded: pure functions."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from attn_debugger.core.notes import Note, Notes, Spot

LONGEST_LINE = 120


def spot_words(spot: Spot) -> str:
    """Return where a note stands: `step 3000 · L4.H7 · query 5 → key 3`."""
    translate = QCoreApplication.translate
    words = [translate("Notes", "step {0}").format(spot.step)]
    if spot.stream != "train":
        words.append(spot.stream)
    if spot.sample:
        words.append(translate("Notes", "sample {0}").format(spot.sample))
    if spot.head is not None:
        words.append(str(spot.head))
    if spot.cell is not None:
        words.append(translate("Notes", "query {0} → key {1}").format(*spot.cell))
    return "  ·  ".join(words)


def first_line(text: str) -> str:
    """Return the beginning of a text, on one line."""
    line = " ".join(text.split())
    return line if len(line) <= LONGEST_LINE else line[: LONGEST_LINE - 1] + "…"


def bookmark_number(notes: Notes, note: Note) -> int | None:
    """Return the digit that Ctrl jumps to this note with; None beyond nine or without bookmark."""
    numbered = notes.bookmarks[:9]
    return numbered.index(note) + 1 if note in numbered else None


def note_line(notes: Notes, note: Note) -> str:
    """Return a note in one or two lines, as the list shows it."""
    number = bookmark_number(notes, note)
    key = f"   Ctrl+{number}" if number is not None else ""
    text = first_line(note.text)
    return f"{spot_words(note.spot)}{key}" + (f"\n{text}" if text else "")
