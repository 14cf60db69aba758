"""Which texts of a window have less room than they need, and which widgets overlap."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from PySide6.QtCore import QCoreApplication, QEvent, QModelIndex, QPoint, QRect, Qt
from PySide6.QtGui import QFontMetrics, QFontMetricsF
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractScrollArea,
    QAbstractSpinBox,
    QComboBox,
    QDockWidget,
    QHeaderView,
    QLabel,
    QLineEdit,
    QMenuBar,
    QStyle,
    QStyleOptionComboBox,
    QStyleOptionSpinBox,
    QTabBar,
    QToolBar,
    QWidget,
)

TOLERANCE = 1  # pixel: sizes are whole, text is not


def cut_texts(window: QWidget) -> list[str]:
    """Return a line for every text in sight that does not fit, and for every overlap."""
    # What was just changed is laid out first.
    QCoreApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest.value)
    found = []
    shown = [w for w in [window, *window.findChildren(QWidget)] if _in_sight(w)]
    for widget in shown:
        for kind, finds in _FINDERS:
            if isinstance(widget, kind):
                found += [f"{_name(widget)}: {words}" for words in finds(widget)]
                break
    return found + list(_overlaps(shown))


def _in_sight(widget: QWidget) -> bool:
    # What scrolls is all covered by what it scrolls.
    seen = widget.viewport() if isinstance(widget, QAbstractScrollArea) else widget
    return widget.isVisible() and not seen.visibleRegion().isEmpty()


def _name(widget: QWidget) -> str:
    owner = widget.parentWidget()
    return f"{type(owner).__name__}/{type(widget).__name__}"


def _lacks(widget: QWidget, what: str, has: int, needs: int) -> Iterator[str]:
    if has + TOLERANCE < needs:
        yield f"“{what}” has {has} px of {needs}"


def _in_label(label: QLabel) -> Iterator[str]:
    text = label.text()
    if not text or _is_elided(label):
        return
    if label.wordWrap():
        needs = label.heightForWidth(label.width())
        yield from _lacks(label, f"{text} (height)", label.height(), needs)
        yield from _lacks(label, f"{text} (a word)", label.width(), _longest_word(label))
    else:
        yield from _lacks(label, text, label.width(), label.sizeHint().width())
        yield from _lacks(label, f"{text} (height)", label.height(), label.sizeHint().height())


def _is_elided(label: QWidget) -> bool:
    """Whether a label cuts itself, which `elided` in `recording` judges."""
    return type(label).__name__ == "ElidedLabel"


def _longest_word(label: QLabel) -> int:
    """Return the width of the longest word: where it does not fit, wrapping does not help."""
    # Qt breaks a line also after a stroke or a hyphen.
    words = re.split(r"[\s/-]+", re.sub(r"<[^>]*>|&\w+;", " ", label.text()))
    metrics = label.fontMetrics()
    return max((metrics.horizontalAdvance(w) for w in words if w.isascii()), default=0)


def _in_button(button: QAbstractButton) -> Iterator[str]:
    if button.text() and not (button.hasHeightForWidth() or _shows_icon_only(button)):
        yield from _lacks(button, button.text(), button.width(), button.sizeHint().width())
        yield from _lacks(button, button.text(), button.height(), button.fontMetrics().height())
    elif button.hasHeightForWidth():
        needs = button.heightForWidth(button.width())
        yield from _lacks(button, button.text(), button.height(), needs)


def _shows_icon_only(button: QAbstractButton) -> bool:
    style = getattr(button, "toolButtonStyle", None)
    only = Qt.ToolButtonStyle.ToolButtonIconOnly
    return style is not None and style() == only and not button.icon().isNull()


def _in_combo(box: QComboBox) -> Iterator[str]:
    option = QStyleOptionComboBox()
    box.initStyleOption(option)
    control = QStyle.ComplexControl.CC_ComboBox
    field = QStyle.SubControl.SC_ComboBoxEditField
    room = box.style().subControlRect(control, option, field, box)
    needs = box.fontMetrics().horizontalAdvance(box.currentText())
    if not box.itemIcon(box.currentIndex()).isNull():
        needs += box.iconSize().width() + 4
    yield from _lacks(box, box.currentText(), room.width(), needs)


def _in_spin(box: QAbstractSpinBox) -> Iterator[str]:
    option = QStyleOptionSpinBox()
    box.initStyleOption(option)
    control = QStyle.ComplexControl.CC_SpinBox
    field = QStyle.SubControl.SC_SpinBoxEditField
    room = box.style().subControlRect(control, option, field, box)
    yield from _lacks(
        box, box.text(), room.width(), box.fontMetrics().horizontalAdvance(box.text())
    )


def _in_line(line: QLineEdit) -> Iterator[str]:
    """What the user types may scroll; what the field says of itself may not be cut."""
    text = line.placeholderText()
    if text and not line.text() and not isinstance(line.parentWidget(), QAbstractSpinBox):
        room = line.contentsRect().width() - 2 * 2 - line.textMargins().left()
        room -= line.textMargins().right()
        room -= sum(b.width() + 4 for b in line.findChildren(QAbstractButton) if b.isVisible())
        yield from _lacks(line, text, room, line.fontMetrics().horizontalAdvance(text))


def _in_tabs(bar: QTabBar) -> Iterator[str]:
    for index in range(bar.count()):
        text, rect = bar.tabText(index), bar.tabRect(index)
        if not bar.isTabVisible(index):
            continue
        needs = bar.fontMetrics().horizontalAdvance(text.replace("&&", "&"))
        yield from _lacks(bar, text, rect.width(), needs)
        yield from _lacks(bar, f"{text} (all tabs)", bar.width(), rect.right())


def _in_header(header: QHeaderView) -> Iterator[str]:
    for index in range(header.count()):
        if header.orientation() == Qt.Orientation.Horizontal and not header.isSectionHidden(index):
            words = header.model().headerData(index, header.orientation())
            if words:
                needs = header.fontMetrics().horizontalAdvance(str(words))
                yield from _lacks(header, str(words), header.sectionSize(index), needs)


def _in_menus(bar: QMenuBar) -> Iterator[str]:
    for action in bar.actions():
        if action.isVisible():
            rect = bar.actionGeometry(action)
            needs = bar.fontMetrics().horizontalAdvance(action.text().replace("&", ""))
            yield from _lacks(bar, action.text(), rect.width(), needs)
            yield from _lacks(bar, f"{action.text()} (all menus)", bar.width(), rect.right())


def _in_tools(bar: QToolBar) -> Iterator[str]:
    more = bar.findChild(QWidget, "qt_toolbar_ext_button")
    if more is not None and more.isVisible():
        yield "some tools are behind the button at its end"


def _in_dock(dock: QDockWidget) -> Iterator[str]:
    title = dock.windowTitle()
    if dock.titleBarWidget() is None and not dock.isFloating():
        buttons = [b for b in dock.findChildren(QAbstractButton) if b.parentWidget() is dock]
        left = min((b.x() for b in buttons if b.isVisible()), default=dock.width())
        font = dock.font()
        font.setWeight(font.Weight.DemiBold)
        yield from _lacks(dock, title, left - 8, QFontMetrics(font).horizontalAdvance(title))


def _in_items(view: QAbstractItemView) -> Iterator[str]:
    """Texts of lists and tables that Qt draws itself: ours are watched while they are painted."""
    model = view.model()
    if model is None or type(view.itemDelegate()).__module__.startswith("attn_debugger"):
        return
    yield from _in_rows(view, QModelIndex())


def _in_rows(view: QAbstractItemView, parent: QModelIndex) -> Iterator[str]:
    model = view.model()
    for row in range(min(model.rowCount(parent), 200)):
        for column in range(model.columnCount(parent)):
            index = model.index(row, column, parent)
            rect = view.visualRect(index)
            if rect.isEmpty() or not view.viewport().rect().intersects(rect):
                continue
            words = str(index.data(Qt.ItemDataRole.DisplayRole) or "")
            tip = str(index.data(Qt.ItemDataRole.ToolTipRole) or "")
            needs = view.fontMetrics().size(0, words).width()
            if index.data(Qt.ItemDataRole.DecorationRole) is not None:
                needs += view.style().pixelMetric(QStyle.PixelMetric.PM_SmallIconSize)
            if not (words in tip and is_path(words)):
                yield from _lacks(view, words, rect.width(), needs)
        yield from _in_rows(view, model.index(row, 0, parent))


def is_path(text: str) -> bool:
    """Whether a text is (also) the name of a file or a module, of whatever length."""
    return bool(re.search(r"\S/\S|\w\.\w+\.\w|\.(h5|pt|safetensors)\b", text))


def _overlaps(shown: list[QWidget]) -> Iterator[str]:
    """Yield pairs of texts that lie on each other, of widgets that are not one in the other."""
    kinds = (QLabel, QAbstractButton, QComboBox, QLineEdit, QAbstractSpinBox)
    places = [
        (widget, QRect(widget.mapTo(widget.window(), QPoint()), widget.size()))
        for widget in shown
        if isinstance(widget, kinds) and not isinstance(widget.parentWidget(), kinds)
    ]
    for number, (one, place) in enumerate(places):
        for other, its_place in places[number + 1 :]:
            if one.window() is not other.window():
                continue
            common = place & its_place
            is_in_scroll = one.visibleRegion().isEmpty() or other.visibleRegion().isEmpty()
            if common.width() > TOLERANCE and common.height() > TOLERANCE and not is_in_scroll:
                seen = _seen_part(one) & _seen_part(other)
                if seen.width() > TOLERANCE and seen.height() > TOLERANCE:
                    yield f"{_name(one)} and {_name(other)} overlap at {seen.getRect()}"


def _seen_part(widget: QWidget) -> QRect:
    seen = widget.visibleRegion().boundingRect()
    return seen.translated(widget.mapTo(widget.window(), QPoint()))


class ElisionWatch:
    """Notes every text that our own painting ends in an ellipsis, while it is on."""

    def __init__(self) -> None:
        self.cut: set[str] = set()
        self._originals = {kind: kind.elidedText for kind in (QFontMetrics, QFontMetricsF)}

    def __enter__(self) -> ElisionWatch:
        for kind, original in self._originals.items():
            kind.elidedText = self._noting(original)  # type: ignore[method-assign]
        return self

    def _noting(self, original: Callable[..., str]) -> Callable[..., str]:
        def elided(metrics: object, text: str, *rest: object, **named: object) -> str:
            shown = original(metrics, text, *rest, **named)
            if shown != text:
                self.cut.add(text)
            return shown

        return elided

    def __exit__(self, *_: object) -> None:
        for kind, original in self._originals.items():
            kind.elidedText = original  # type: ignore[method-assign]


_FINDERS: tuple[tuple[type[QWidget], Callable[..., Iterator[str]]], ...] = (
    (QLabel, _in_label),
    (QComboBox, _in_combo),
    (QAbstractSpinBox, _in_spin),
    (QAbstractButton, _in_button),
    (QLineEdit, _in_line),
    (QTabBar, _in_tabs),
    (QHeaderView, _in_header),
    (QMenuBar, _in_menus),
    (QToolBar, _in_tools),
    (QDockWidget, _in_dock),
    (QAbstractItemView, _in_items),
)
