"""What a run of the model does to it or to its input: the choices of each kind of run."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication, Signal, Slot
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QCheckBox,
    QComboBox,
    QDoubleSpinBox,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QListWidget,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from attn_debugger.core.heads import HeadRef
from attn_debugger.session.model_wishes import Trial

OTHERS, TOKEN, HIDE = "others", "token", "hide"
_LIST_HEIGHT = 150


class Options(QWidget):
    """Part of the dialog: `trial()` is what is chosen, `problem()` why it cannot be done."""

    changed = Signal()

    def trial(self) -> Trial:
        return Trial()

    def problem(self) -> str:
        """Return a sentence where the choice makes no sense, "" where it does."""
        return ""

    def know_tokens(self, known: bool) -> None:
        """Take note whether the input is the one whose tokens are known."""


class CheckOptions(Options):
    """Whether the model is also asked to learn ten samples by heart."""

    def __init__(self, before: Trial, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.overfit = QCheckBox(self.tr("Also: can a copy of it overfit ten samples?"))
        self.overfit.setToolTip(
            self.tr("Trains a copy for up to a minute. A model that cannot is broken somewhere.")
        )
        self.overfit.setChecked(before.overfit)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.overfit)

    def trial(self) -> Trial:
        return Trial(overfit=self.overfit.isChecked())


class ScaleOptions(Options):
    """By how much heads are scaled, and which."""

    def __init__(
        self, before: Trial, selected: HeadRef | None, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._selected = selected
        self.factor = QDoubleSpinBox()
        self.factor.setRange(-10.0, 10.0)
        self.factor.setDecimals(2)
        self.factor.setSingleStep(0.25)
        self.factor.setValue(before.factor)
        self.factor.setAccessibleName(self.tr("Factor"))
        self.meaning = QLabel()
        self.meaning.setProperty("role", "muted")
        self.which = QComboBox()
        self.which.addItem(self.tr("every head, one at a time"), False)
        if selected is not None:
            only = self.tr("only the selected head, L{0}.H{1}")
            self.which.addItem(only.format(selected.layer, selected.head), True)
        self.which.setAccessibleName(self.tr("Which heads"))
        row = QHBoxLayout()
        row.addWidget(self.factor)
        row.addWidget(self.meaning, 1)
        form = QFormLayout(self)
        form.setContentsMargins(0, 0, 0, 0)
        form.addRow(self.tr("Multiply its output by"), row)
        form.addRow(self.tr("Heads"), self.which)
        self.factor.valueChanged.connect(self._show_meaning)
        self._show_meaning()

    def trial(self) -> Trial:
        only = self._selected if self.which.currentData() else None
        return Trial(factor=self.factor.value(), head=only)

    @Slot()
    def _show_meaning(self) -> None:
        value = self.factor.value()
        words = ""
        if value == 0:
            words = self.tr("0 silences the head")
        elif value == 1:
            words = self.tr("1 changes nothing")
        elif value < 0:
            words = self.tr("below 0 turns it round")
        self.meaning.setText(words)


class TokenOptions(Options):
    """Which tokens are taken away, and what stands there instead."""

    def __init__(
        self,
        before: Trial,
        tokens: Sequence[str],
        selected: int | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._known = True
        self.which = QComboBox()
        self.which.addItem(self.tr("each token in turn"), False)
        self.which.addItem(self.tr("these, together:"), True)
        self.which.setAccessibleName(self.tr("Which tokens"))
        self.places = QLineEdit()
        self.places.setPlaceholderText(self.tr("positions, such as 4 or 3-5, 8"))
        self.places.setAccessibleName(self.tr("Positions of the tokens"))
        self.list = QListWidget()
        self.list.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.list.setAccessibleName(self.tr("Tokens of the sample"))
        self.list.setFixedHeight(_LIST_HEIGHT)
        for place, token in enumerate(tokens):
            self.list.addItem(f"{place}  {token}")
        self.how = QComboBox()
        for text, name in (
            (self.tr("replaced by other tokens of the batch"), OTHERS),
            (self.tr("replaced by the token"), TOKEN),
            (self.tr("hidden from attention, like padding"), HIDE),
        ):
            self.how.addItem(text, name)
        self.how.setAccessibleName(self.tr("What becomes of them"))
        self.token = QSpinBox()
        self.token.setRange(0, 10_000_000)
        self.token.setPrefix(self.tr("id "))
        self.token.setToolTip(self.tr("For example the id of [MASK]"))
        self.token.setAccessibleName(self.tr("Id of the token"))
        how = QHBoxLayout()
        how.addWidget(self.how, 1)
        how.addWidget(self.token)
        which = QHBoxLayout()
        which.addWidget(self.which)
        which.addWidget(self.places, 1)
        note = QLabel(
            self.tr(
                "The loss and the logits of all other positions tell what the model relied on. "
                "Attention mass alone is not reliance."
            )
        )
        note.setWordWrap(True)
        note.setProperty("role", "muted")
        form = QFormLayout(self)
        form.setContentsMargins(0, 0, 0, 0)
        form.addRow(self.tr("Tokens"), which)
        form.addRow("", self.list)
        form.addRow(self.tr("They are"), how)
        form.addRow(note)
        self._form = form
        self._restore(before, selected)
        self.list.itemSelectionChanged.connect(self._take_selection)
        self.which.currentIndexChanged.connect(self._show_state)
        self.how.currentIndexChanged.connect(self._show_state)
        self.places.textEdited.connect(self._show_state)
        self._show_state()

    def trial(self) -> Trial:
        together = bool(self.which.currentData())
        spans = (spans_of(self.places.text()) or ()) if together else ()
        how = self.how.currentData()
        return Trial(
            spans=spans,
            token=self.token.value() if how == TOKEN else None,
            hide=how == HIDE,
        )

    def problem(self) -> str:
        if self.which.currentData() and not spans_of(self.places.text()):
            return self.tr("Which tokens? Write positions such as 4 or 3-5, 8.")
        return ""

    def know_tokens(self, known: bool) -> None:
        self._known = known
        self._show_state()

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802
        super().showEvent(event)
        if selected := self.list.selectedItems():
            self.list.scrollToItem(selected[0], QAbstractItemView.ScrollHint.PositionAtCenter)

    def _restore(self, before: Trial, selected: int | None) -> None:
        how = HIDE if before.hide else TOKEN if before.token is not None else OTHERS
        self.how.setCurrentIndex(self.how.findData(how))
        self.token.setValue(before.token or 0)
        spans = before.spans
        if selected is not None:  # the key that the user points at goes first
            spans = ((selected, selected + 1),)
        if spans:
            self.which.setCurrentIndex(1)
            self.places.setText(places_of(spans))
            for first, end in spans:
                for place in range(first, min(end, self.list.count())):
                    self.list.item(place).setSelected(True)

    @Slot()
    def _take_selection(self) -> None:
        rows = sorted(index.row() for index in self.list.selectedIndexes())
        self.places.setText(places_of(_joined(rows)))
        self._show_state()

    @Slot()
    def _show_state(self) -> None:
        together = bool(self.which.currentData())
        self.places.setEnabled(together)
        self._form.setRowVisible(self.list, together and self._known and self.list.count() > 0)
        self.token.setVisible(self.how.currentData() == TOKEN)
        self.changed.emit()


def spans_of(text: str) -> tuple[tuple[int, int], ...] | None:
    """Return `3-5, 8` as ((3, 6), (8, 9)), the ends not included; None = it cannot be read."""
    spans = []
    for part in text.replace(";", ",").split(","):
        first, dash, last = part.strip().partition("-")
        if not first.strip().isdigit() or (dash and not last.strip().isdigit()):
            return None
        start, end = int(first), int(last) if dash else int(first)
        if end < start:
            return None
        spans.append((start, end + 1))
    return tuple(spans)


def places_of(spans: Sequence[tuple[int, int]]) -> str:
    """Return ((3, 6), (8, 9)) as `3-5, 8`."""
    return ", ".join(str(a) if b - a == 1 else f"{a}-{b - 1}" for a, b in spans)


def _joined(rows: Sequence[int]) -> tuple[tuple[int, int], ...]:
    spans: list[tuple[int, int]] = []
    for row in rows:
        if spans and spans[-1][1] == row:
            spans[-1] = (spans[-1][0], row + 1)
        else:
            spans.append((row, row + 1))
    return tuple(spans)


def scaled_words(factor: float) -> str:
    """Return what scaling by `factor` does to a head, in a word or two."""
    translate = QCoreApplication.translate
    if factor == 0:
        return translate("Model", "silenced")
    return translate("Model", "scaled by {factor}").format(factor=f"{factor:g}")
