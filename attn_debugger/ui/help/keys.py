"""The table of keys for the help, made from the window's own table of actions."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from attn_debugger.ui.window.action_set import key_texts, spec_text
from attn_debugger.ui.window.actions import ACTIONS, MENUS, menu_name

PLACEHOLDER = "{{keys}}"


def keys_markdown() -> str:
    """Return one table a menu: keys, what the action is called, what it does."""
    translate = QCoreApplication.translate
    parts = []
    for menu, title in MENUS:
        name = menu_name(title)
        rows = [
            f"| {_keys(key_texts(spec))} | {_cell(spec_text(spec))} | {_cell(spec.explanation)} |"
            for spec in ACTIONS
            if spec.menu == menu and spec.keys
        ]
        if rows:
            names = (
                translate("Help", "Key"),
                translate("Help", "Action"),
                translate("Help", "What it does"),
            )
            head = f"| {' | '.join(names)} |"
            parts.append("\n".join([f"### {name}", "", head, "|---|---|---|", *rows]))
    return "\n\n".join(parts)


def _keys(texts: list[str]) -> str:
    return ", ".join(f"`{_cell(text)}`" for text in texts)


def _cell(text: str) -> str:
    return text.replace("|", "\\|")
