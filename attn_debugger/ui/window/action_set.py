"""The table of actions as live QActions: names, keys, hints, and the reason when disabled."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from PySide6.QtCore import QCoreApplication, QObject, Qt
from PySide6.QtGui import QAction, QKeySequence

from attn_debugger.ui.icons import icon
from attn_debugger.ui.theme import Theme
from attn_debugger.ui.window.actions import ACTIONS, REASONS, ActionSpec, Need


class ActionSet:
    """One QAction for each row of the table, by name; triggering one calls its command."""

    def __init__(self, commands: Mapping[str, Callable[[], None]], parent: QObject) -> None:
        self.specs: dict[str, ActionSpec] = {spec.name: spec for spec in ACTIONS}
        self.by_name: dict[str, QAction] = {}
        for spec in ACTIONS:
            action = QAction(spec_text(spec), parent)
            action.setObjectName(spec.name)
            action.setShortcuts([QKeySequence(key) for key in spec.keys])
            action.setShortcutContext(Qt.ShortcutContext.WindowShortcut)
            action.setAutoRepeat(spec.menu in ("go", "heads") or "zoom" in spec.name)
            action.setCheckable(spec.checkable)
            command = commands[spec.name]
            action.triggered.connect(lambda _checked=False, command=command: command())
            self.by_name[spec.name] = action
        self.enable({})

    def __getitem__(self, name: str) -> QAction:
        return self.by_name[name]

    def enable(self, fulfilled: Mapping[Need, bool]) -> None:
        """Enable what has what it needs; the others say in their hint what they are missing."""
        for name, action in self.by_name.items():
            spec = self.specs[name]
            enabled = not spec.needs or fulfilled.get(spec.needs, False)
            if action.isEnabled() != enabled or not action.toolTip().startswith("<"):
                action.setEnabled(enabled)
                action.setToolTip(hint(spec, enabled=enabled))
                action.setStatusTip(spec.explanation)

    def set_theme(self, theme: Theme) -> None:
        for name, action in self.by_name.items():
            if self.specs[name].icon:
                action.setIcon(icon(self.specs[name].icon, theme))

    def check(self, name: str, checked: bool) -> None:
        """Show a checkable action as on or off, without calling its command."""
        self.by_name[name].setChecked(checked)  # `triggered` is for the user's clicks only


def spec_text(spec: ActionSpec) -> str:
    """Return the label; actions by rank are told apart by their number."""
    if spec.name.startswith("worst_"):
        return QCoreApplication.translate("Actions", "Open worst head no. {0}").format(spec.keys[0])
    if spec.name.startswith("bookmark_"):
        number = spec.name.removeprefix("bookmark_")
        return QCoreApplication.translate("Actions", "Go to bookmark {0}").format(number)
    return spec.text


def key_texts(spec: ActionSpec) -> list[str]:
    """Return the keys as people read them."""
    form = QKeySequence.SequenceFormat.NativeText
    return [QKeySequence(key).toString(form) for key in spec.keys]


def hint(spec: ActionSpec, *, enabled: bool = True) -> str:
    """Return the tool tip: name, keys, sentence, and why it is disabled if it is."""
    keys = "  ".join(key_texts(spec)).replace("<", "&lt;")
    lines = [f"<b>{spec_text(spec)}</b>" + (f"&nbsp;&nbsp;&nbsp;{keys}" if keys else "")]
    lines.append(spec.explanation)
    if not enabled and spec.needs:
        reason = QCoreApplication.translate("Actions", REASONS[spec.needs])
        lines.append(QCoreApplication.translate("Actions", "Not available: {0}").format(reason))
    return "<br>".join(lines)
