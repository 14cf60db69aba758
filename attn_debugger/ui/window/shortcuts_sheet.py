"""The sheet of all keys, made from the table of actions."""

from __future__ import annotations

from html import escape

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QTextBrowser, QVBoxLayout, QWidget

from attn_debugger.ui.marking import marked
from attn_debugger.ui.window.action_set import key_texts, spec_text
from attn_debugger.ui.window.actions import ACTIONS, MENUS, menu_name

# What mouse and wheel do has no QAction.
_MOUSE = (
    (
        marked("Shortcuts", "Grid: click, double-click"),
        marked("Shortcuts", "select a head, open it"),
    ),
    (
        marked("Shortcuts", "Grid: Ctrl+wheel, drag"),
        marked("Shortcuts", "zoom at the pointer, move"),
    ),
    (
        marked("Shortcuts", "Timeline: drag, wheel, Ctrl+drag"),
        marked("Shortcuts", "scrub, zoom, move"),
    ),
    (
        marked("Shortcuts", "Timeline: Shift+drag"),
        marked("Shortcuts", "choose the part that Loop plays"),
    ),
)


def sheet_html() -> str:
    """Return the whole sheet as HTML, one section a menu."""
    translate = QCoreApplication.translate
    parts = []
    for menu, title in MENUS:
        parts.append(f"<h3>{escape(menu_name(title))}</h3><table width='100%'>")
        for spec in ACTIONS:
            if spec.menu != menu:
                continue
            keys = " &nbsp; ".join(f"<b>{escape(key)}</b>" for key in key_texts(spec)) or "–"
            parts.append(
                f"<tr><td width='26%'>{keys}</td><td width='26%'>{escape(spec_text(spec))}</td>"
                f"<td>{escape(spec.explanation)}</td></tr>"
            )
        parts.append("</table>")
    mouse = translate("Shortcuts", "Mouse")
    parts.append(f"<h3>{mouse}</h3><table width='100%'>")
    for what, does in _MOUSE:
        parts.append(
            f"<tr><td width='52%'><b>{escape(translate('Shortcuts', what))}</b></td>"
            f"<td>{escape(translate('Shortcuts', does))}</td></tr>"
        )
    parts.append("</table>")
    return "".join(parts)


class ShortcutsSheet(QDialog):
    """Shows all keys; stays open beside the window."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Keyboard shortcuts"))
        self.text = QTextBrowser(self)
        self.text.setAccessibleName(self.tr("All keys"))
        self.text.setHtml(sheet_html())
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close, self)
        buttons.rejected.connect(self.close)
        column = QVBoxLayout(self)
        column.addWidget(self.text)
        column.addWidget(buttons)
        self.resize(760, 620)
