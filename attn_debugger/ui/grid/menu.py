"""The grid's own menu: in which order its heads stand, and which of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QMenu, QWidget

from attn_debugger.core.heads import HeadRef
from attn_debugger.ui.grid.ordering import Arrangement, SortName

translate = QCoreApplication.translate


def arrangement_menu(
    parent: QWidget,
    arrangement: Arrangement,
    choose: Callable[[Arrangement], None],
    fit: Callable[[], None],
    leave_out_special: Callable[[bool], None],
    *,
    without_special: bool,
    number_name: str,
    selected: HeadRef | None,
) -> QMenu:
    """Return the menu; `choose` gets the arrangement that was picked.

    An order that cannot be had says in its text what it lacks.
    """
    menu = QMenu(parent)
    menu.addSection(translate("GridMenu", "Order of the heads"))
    group = QActionGroup(menu)
    by_number = translate("GridMenu", "Largest {0} first").format(number_name)
    likeness = translate("GridMenu", "Most like {0} first").format(selected)
    if not number_name:
        by_number = translate("GridMenu", "By the number on the tiles (none is chosen)")
    if selected is None:
        likeness = translate("GridMenu", "Most like the selected head (none is selected)")
    orders: tuple[tuple[SortName, str, bool], ...] = (
        ("model", translate("GridMenu", "Layers down, heads right"), True),
        ("severity", translate("GridMenu", "Worst finding first"), True),
        ("number", by_number, bool(number_name)),
        ("likeness", likeness, selected is not None),
    )
    for sort, text, possible in orders:
        action = _checkable(menu, text, arrangement.sort == sort)
        action.setEnabled(possible)
        action.setData(sort)
        action.triggered.connect(
            lambda _checked, sort=sort: choose(replace(arrangement, sort=sort))
        )
        group.addAction(action)
    menu.addSection(translate("GridMenu", "Heads without findings"))
    leave_out = _checkable(menu, translate("GridMenu", "Leave them out"), arrangement.only_findings)
    leave_out.triggered.connect(lambda on: choose(replace(arrangement, only_findings=on)))
    fade = _checkable(menu, translate("GridMenu", "Fade them"), arrangement.fade)
    fade.triggered.connect(lambda on: choose(replace(arrangement, fade=on)))
    menu.addSection(translate("GridMenu", "Ranges from the data"))
    special = _checkable(
        menu, translate("GridMenu", "Leave out sinks and special tokens"), without_special
    )
    special.triggered.connect(leave_out_special)
    menu.addSeparator()
    menu.addAction(translate("GridMenu", "Show the whole grid")).triggered.connect(fit)
    return menu


def _checkable(menu: QMenu, text: str, checked: bool) -> QAction:
    action = menu.addAction(text)
    action.setCheckable(True)
    action.setChecked(checked)
    return action
