"""Which keys belong to the widget that has the focus, and not to the window's actions."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSpinBox,
    QComboBox,
    QLineEdit,
    QPlainTextEdit,
    QTextEdit,
    QWidget,
)

_ROWS = (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Return, Qt.Key.Key_Enter)
_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
_ALT_OR_CTRL = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier


def belongs_to_widget(widget: QWidget | None, event: QKeyEvent) -> bool:
    """Tell whether `widget`, having the focus, keeps this key for itself.

    A text field keeps all that types or moves in it, a list keeps Up, Down and Enter, a choice its
    arrows, a button Enter. Single keys work everywhere else.
    """
    key = Qt.Key(event.key())
    held = event.modifiers() & (_ALT_OR_CTRL | Qt.KeyboardModifier.MetaModifier)
    if is_text_field(widget):
        is_function_key = Qt.Key.Key_F1 <= key <= Qt.Key.Key_F35
        return not held and key != Qt.Key.Key_Escape and not is_function_key
    if held or event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
        return False
    if isinstance(widget, (QAbstractItemView, QComboBox)):
        return key in _ROWS
    if isinstance(widget, QAbstractButton):
        return key in _ENTER
    return False


def is_text_field(widget: QWidget | None) -> bool:
    """Tell whether text can be typed into `widget`."""
    if isinstance(widget, QLineEdit):
        return not widget.isReadOnly()
    if isinstance(widget, (QTextEdit, QPlainTextEdit)):
        return not widget.isReadOnly()
    if isinstance(widget, QComboBox):
        return widget.isEditable()
    return isinstance(widget, QAbstractSpinBox)
