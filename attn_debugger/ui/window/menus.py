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
    bookmarks = QMenu(QCoreApplication.translate("Menus", "Bookmarks"), bar)
    numbered = {"worst": ranks, "bookmark": bookmarks}
    for spec in ACTIONS:
        family, _, number = spec.name.partition("_")
        menu = numbered.get(family, menus[spec.menu]) if number.isdigit() else menus[spec.menu]
        menu.addAction(actions[spec.name])
    menus["heads"].addMenu(ranks)
    menus["go"].addMenu(bookmarks)
    return menus
