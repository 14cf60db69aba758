"""The menu bar, made from the table of actions."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QMenu, QMenuBar

from attn_debugger.ui.window.action_set import ActionSet
from attn_debugger.ui.window.actions import ACTIONS, MENUS


def build_menus(bar: QMenuBar, actions: ActionSet) -> dict[str, QMenu]:
    """Fill the menu bar with every action; return the menus by name."""
    menus = {}
    for name, title in MENUS:
        menus[name] = bar.addMenu(QCoreApplication.translate("Menus", title))
        menus[name].setToolTipsVisible(True)
    ranks = QMenu(QCoreApplication.translate("Menus", "Worst heads"), bar)
    for spec in ACTIONS:
        menu = ranks if spec.name.startswith("worst_") else menus[spec.menu]
        menu.addAction(actions[spec.name])
    menus["heads"].addMenu(ranks)
    return menus
