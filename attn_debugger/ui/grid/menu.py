"""The grid's own menu: in which order its heads stand, which of them, and compared with what."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol

from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QMenu

from attn_debugger.session.translated import translated
from attn_debugger.ui.grid.ordering import Arrangement, SortName
from attn_debugger.ui.grid.words import GridSubject

translate = QCoreApplication.translate


class Arranged(Protocol):
    """What the menu asks of the grid."""

    def arrange(self, arrangement: Arrangement) -> None: ...
    def fit(self) -> None: ...
    def leave_out_special(self, left_out: bool) -> None: ...
    def show_difference(self, shown: bool) -> None: ...
    def request_pin(self, pinned: bool) -> None: ...


def add_orders(menu: QMenu, grid: Arranged, subject: GridSubject) -> None:
    """Add the orders. One that cannot be had says in its text what it lacks."""
    arrangement = subject.arrangement
    menu.addSection(translate("GridMenu", "Order of the heads"))
    group = QActionGroup(menu)
    by_number = translate("GridMenu", "Largest {0} first").format(subject.number_name)
    if not subject.number_name:
        by_number = translate("GridMenu", "By the number on the tiles (none is chosen)")
    likeness = translate("GridMenu", "Most like {0} first").format(subject.selected)
    if subject.selected is None:
        likeness = translate("GridMenu", "Most like the selected head (none is selected)")
    change = translate("GridMenu", "Most changed since step {0} first").format(subject.pinned)
    if subject.two_runs:
        change = translate("GridMenu", "Most different in B first")
    elif subject.pinned is None:
        change = translate("GridMenu", "Most changed since the pinned step (none is pinned)")
    orders: tuple[tuple[SortName, str, bool], ...] = (
        ("model", translate("GridMenu", "Layers down, heads right"), True),
        ("severity", translate("GridMenu", "Worst finding first"), True),
        ("number", by_number, bool(subject.number_name)),
        ("likeness", likeness, subject.selected is not None),
        ("change", change, subject.two_runs or subject.pinned is not None),
    )
    for sort, text, possible in orders:
        action = _checkable(menu, text, arrangement.sort == sort)
        action.setEnabled(possible)
        action.setData(sort)
        action.triggered.connect(
            lambda _checked, sort=sort: grid.arrange(replace(arrangement, sort=sort))
        )
        group.addAction(action)


def add_filters(
    menu: QMenu,
    grid: Arranged,
    subject: GridSubject,
    tags: Sequence[str],
    findings: Sequence[str],
) -> None:
    """Add which heads are shown: with findings, of some layers, with one tag or one finding."""
    arrangement = subject.arrangement
    menu.addSection(translate("GridMenu", "Heads without findings"))
    leave_out = _checkable(menu, translate("GridMenu", "Leave them out"), arrangement.only_findings)
    leave_out.triggered.connect(lambda on: grid.arrange(replace(arrangement, only_findings=on)))
    fade = _checkable(menu, translate("GridMenu", "Fade them"), arrangement.fade)
    fade.triggered.connect(lambda on: grid.arrange(replace(arrangement, fade=on)))
    menu.addSection(translate("GridMenu", "Only some heads"))
    layers = menu.addMenu(translate("GridMenu", "Layers"))
    for text, wanted in _layer_choices(subject):
        action = _checkable(layers, text, arrangement.layers == wanted)
        action.triggered.connect(
            lambda _checked, wanted=wanted: grid.arrange(replace(arrangement, layers=wanted))
        )
    tagged = menu.addMenu(translate("GridMenu", "With a tag"))
    for tag in ("", *tags):
        text = translated(tag) or translate("GridMenu", "Any, or none")
        action = _checkable(tagged, text, arrangement.tag == tag)
        action.triggered.connect(
            lambda _checked, tag=tag: grid.arrange(replace(arrangement, tag=tag))
        )
    flagged = menu.addMenu(translate("GridMenu", "With a finding, at any step"))
    for finding in ("", *findings):
        text = finding or translate("GridMenu", "Any, or none")
        action = _checkable(flagged, text, arrangement.finding == finding)
        action.triggered.connect(
            lambda _checked, finding=finding: grid.arrange(replace(arrangement, finding=finding))
        )


def _layer_choices(subject: GridSubject) -> list[tuple[str, tuple[int, int] | None]]:
    """Return the ranges of layers on offer, around the selected head's; None = all."""
    choices: list[tuple[str, tuple[int, int] | None]] = [(translate("GridMenu", "All"), None)]
    if subject.arrangement.layers is not None:
        first, last = subject.arrangement.layers
        now = translate("GridMenu", "Layers {0} to {1}").format(first, last)
        choices.append((now, subject.arrangement.layers))
    if subject.selected is not None:
        layer = subject.selected.layer
        last = max(subject.n_layers - 1, layer)
        for text, wanted in (
            (translate("GridMenu", "Only layer {0}").format(layer), (layer, layer)),
            (translate("GridMenu", "Up to layer {0}").format(layer), (0, layer)),
            (translate("GridMenu", "From layer {0} on").format(layer), (layer, last)),
        ):
            if wanted not in (choice for _, choice in choices):
                choices.append((text, wanted))
    return choices


def add_pin(menu: QMenu, grid: Arranged, pinned: int | None, *, shows_difference: bool) -> None:
    """Add what concerns the pinned step."""
    menu.addSection(translate("GridMenu", "Compare steps"))
    pin = menu.addAction(translate("GridMenu", "Pin this step, show what changes from here"))
    pin.triggered.connect(lambda: grid.request_pin(True))
    if pinned is None:
        return
    change = translate("GridMenu", "Show the change since step {0}").format(pinned)
    shown = _checkable(menu, change, shows_difference)
    shown.triggered.connect(grid.show_difference)
    unpin = menu.addAction(translate("GridMenu", "Let go of step {0}").format(pinned))
    unpin.triggered.connect(lambda: grid.request_pin(False))


def add_looks(menu: QMenu, grid: Arranged, *, without_special: bool) -> None:
    """Add what concerns ranges and zoom."""
    menu.addSection(translate("GridMenu", "Ranges from the data"))
    special = _checkable(
        menu, translate("GridMenu", "Leave out sinks and special tokens"), without_special
    )
    special.triggered.connect(grid.leave_out_special)
    menu.addSeparator()
    menu.addAction(translate("GridMenu", "Show the whole grid")).triggered.connect(grid.fit)


def _checkable(menu: QMenu, text: str, checked: bool) -> QAction:
    action = menu.addAction(text)
    action.setCheckable(True)
    action.setChecked(checked)
    return action
