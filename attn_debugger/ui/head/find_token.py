"""Jump to a token by typing it: Enter goes to the next query that matches, Shift+Enter to a key."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLineEdit, QWidget

from attn_debugger.ui.head.picture import HeadMap

Cell = tuple[int, int]


def matching_positions(labels: Sequence[str], text: str) -> tuple[int, ...]:
    """Return the positions whose token contains `text`, whatever the case; a number is a position.

    Whole tokens go first: looking for `a` means the article before every word with an a in it.
    """
    wanted = text.strip().casefold()
    if not wanted:
        return ()
    if wanted.isdecimal() and int(wanted) < len(labels):
        return (int(wanted),)
    tokens = [label.strip("␣·").casefold() for label in labels]
    whole = tuple(place for place, token in enumerate(tokens) if token == wanted)
    return whole or tuple(place for place, token in enumerate(tokens) if wanted in token)


def next_after(positions: Sequence[int], current: int | None) -> int | None:
    """Return the first position after `current`, from the start again after the last one."""
    if not positions:
        return None
    later = [place for place in positions if current is None or place > current]
    return later[0] if later else positions[0]


def find_query(shown: HeadMap, text: str, selected: Cell | None) -> Cell | None:
    """Return the next query that matches, after the selected one, and the key it looks at most."""
    current = None if selected is None else selected[0]
    query = next_after(matching_positions(shown.query_labels, text), current)
    if query is None:
        return None
    return query, int(np.nan_to_num(shown.weights[query], nan=-1.0).argmax())


def find_key(shown: HeadMap, text: str, selected: Cell | None) -> Cell | None:
    """Return the next key that matches: in the selected row, or where most weight falls on it."""
    current = None if selected is None else selected[1]
    key = next_after(matching_positions(shown.key_labels, text), current)
    if key is None:
        return None
    if selected is not None:
        return selected[0], key
    return int(np.nan_to_num(shown.weights[:, key], nan=-1.0).argmax()), key


class FindToken(QLineEdit):
    """The field to type in. It knows no tokens: it says what is looked for, and for which side."""

    query_wanted = Signal(str)
    key_wanted = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setPlaceholderText(self.tr("Find token"))
        self.setToolTip(
            self.tr("Enter: the next query with this token or number; Shift+Enter: the next key")
        )
        self.setAccessibleName(self.tr("Find a token"))
        self.setClearButtonEnabled(True)
        self.setMaximumWidth(150)

    def least_width(self) -> int:
        """Return the width that shows what the field says of itself, beside its clear button."""
        return self.fontMetrics().horizontalAdvance(self.placeholderText()) + 40

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            shifted = event.modifiers() & Qt.KeyboardModifier.ShiftModifier
            (self.key_wanted if shifted else self.query_wanted).emit(self.text())
            event.accept()
            return
        super().keyPressEvent(event)

    def say_missing(self, missing: bool) -> None:
        """Show whether the last search found nothing."""
        self.setProperty("missing", missing)
        self.setStyleSheet("QLineEdit { text-decoration: line-through; }" if missing else "")
