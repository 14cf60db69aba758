"""The flags panel: the story on top, the list, and below it one finding in full."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QLabel, QSplitter, QStackedWidget, QTabWidget, QVBoxLayout, QWidget

from attn_debugger.core.flags import EMPTY_DIAGNOSIS, Diagnosis, Flag
from attn_debugger.ui.flags.delegate import FlagDelegate
from attn_debugger.ui.flags.detail_pane import DetailPane
from attn_debugger.ui.flags.filter_bar import FilterBar
from attn_debugger.ui.flags.gaps_tab import GapsTab
from attn_debugger.ui.flags.list_view import FlagListView
from attn_debugger.ui.flags.model import FlagModel
from attn_debugger.ui.flags.rows import FlagFilter, flag_key, root_of, rows, severity_counts
from attn_debugger.ui.flags.state import panel_state
from attn_debugger.ui.flags.story import StoryCard
from attn_debugger.ui.help.context import set_help
from attn_debugger.ui.theme import LIGHT, Theme


class FlagsPanel(QWidget):
    """Shows a diagnosis; says which finding the user wants to go to. Holds no other state.

    `show_diagnosis(diagnosis, scanned, total)` may be called as often as the scan goes on: what
    is selected, unfolded and scrolled to stays. `total` 0 means that nothing is open.
    """

    flag_activated = Signal(object)  # Flag: clicked, or Enter
    help_requested = Signal(str)  # "signals.md#nan_weights"
    muted_changed = Signal(object)  # frozenset of signal names
    limits_requested = Signal(str)  # of a signal, "" = of all

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        set_help(self, "window.md#flags")
        self._theme: Theme = LIGHT
        self._diagnosis = EMPTY_DIAGNOSIS
        self._scanned = self._total = 0
        self._again, self._running = False, True
        self._selected: int | None = None
        self._muted: frozenset[str] = frozenset()

        self._story = StoryCard()
        self._filter_bar = FilterBar()
        self._filter_bar.filter_changed.connect(self._refill)
        self._filter_bar.limits_requested.connect(lambda: self.limits_requested.emit(""))
        self._model = FlagModel(self)
        self._delegate = FlagDelegate(self)
        self._list = FlagListView()
        self._list.setAccessibleName(self.tr("Flags"))
        self._list.setModel(self._model)
        self._list.setItemDelegate(self._delegate)
        self._list.chosen.connect(self._activate)
        self._list.selectionModel().currentChanged.connect(self._current_changed)
        self._message = QLabel()
        self._message.setWordWrap(True)
        self._message.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._message.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._message.setContentsMargins(16, 16, 16, 16)
        self._scan_note = QLabel()
        self._scan_note.setProperty("role", "muted")
        self._detail = DetailPane()
        self._detail.go_requested.connect(self._go_to)
        self._detail.mute_requested.connect(self._toggle_mute)
        self._detail.help_requested.connect(self.help_requested)
        self._detail.limits_requested.connect(self.limits_requested)
        self._gaps = GapsTab()
        self._tabs = QTabWidget()
        self._tabs.setAccessibleName(self.tr("Flags, and what was not evaluated"))
        self._tabs.tabBar().setAccessibleName(self.tr("Flags, and what was not evaluated"))
        self._lay_out()
        self._refill()
        self._show_detail()

    # What the panel is shown

    def show_diagnosis(
        self,
        diagnosis: Diagnosis,
        scanned: int,
        total: int,
        *,
        again: bool = False,
        running: bool = True,
    ) -> None:
        """Show what the examination of `scanned` out of `total` frames has found.

        `again`: they are examined anew, and the findings are those of the limits of before.
        """
        chosen = None if self._selected is None else flag_key(self._diagnosis.flags[self._selected])
        self._scanned, self._total = scanned, total
        self._again, self._running = again, running
        if not diagnosis.flags:
            self._detail.forget_pictures()
        if diagnosis != self._diagnosis:
            self._diagnosis = diagnosis
            keys = [flag_key(flag) for flag in diagnosis.flags]
            self._selected = keys.index(chosen) if chosen in keys else None
            self._story.show_sentences(diagnosis.story)
            self._filter_bar.show_counts(
                severity_counts(diagnosis), (flag.signal for flag in diagnosis.flags)
            )
            self._gaps.show_gaps(diagnosis.not_evaluated)
            self._refill()
            self._show_detail()
        self._show_state()

    def select_flag(self, index: int | None) -> None:
        """Mark a finding, by its index in the diagnosis, and tell it in full. Activates nothing."""
        if index is not None and not 0 <= index < len(self._diagnosis.flags):
            index = None
        self._selected = index
        self._mark_selected()
        self._show_detail()

    def show_picture(self, flag: Flag, picture: QImage) -> None:
        """Show the map of a finding's head beside its words; remembered for this run."""
        if flag in self._diagnosis.flags:
            self._detail.show_picture(self._diagnosis.flags.index(flag), picture)

    @property
    def detail(self) -> DetailPane:
        """Where the selected finding is told in full."""
        return self._detail

    def show_limits(self, n_changed: int) -> None:
        """Say how many thresholds are not at their defaults."""
        self._filter_bar.show_limits(n_changed)

    def set_muted(self, signals: frozenset[str]) -> None:
        """Dim the findings of these signals and list them last."""
        self._mute_signals(signals)

    def add_tab(self, widget: QWidget, title: str) -> None:
        """Put something of others' beside the findings."""
        self._tabs.addTab(widget, title)

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self._delegate.theme = theme
        self._story.set_theme(theme)
        self._filter_bar.set_theme(theme)
        self._gaps.set_theme(theme)
        self._detail.set_theme(theme)
        self._list.viewport().update()
        self._show_state()

    # What the user does

    def _activate(self, index: QModelIndex) -> None:
        flag_index = self._model.flag_index(index)
        if flag_index is not None:
            self._go_to(flag_index)

    def _go_to(self, flag_index: int) -> None:
        self.select_flag(flag_index)
        self.flag_activated.emit(self._diagnosis.flags[flag_index])

    def _current_changed(self, current: QModelIndex) -> None:
        flag_index = self._model.flag_index(current)
        if flag_index is not None and flag_index != self._selected:
            self._selected = flag_index
            self._show_detail()

    def _toggle_mute(self, signal: str) -> None:
        self._mute_signals(self._muted ^ {signal})

    def _mute_signals(self, signals: frozenset[str]) -> None:
        if signals == self._muted:
            return
        self._muted = signals
        self._refill()
        self._show_detail()
        self.muted_changed.emit(signals)

    # Drawing

    def _flag(self) -> Flag | None:
        return None if self._selected is None else self._diagnosis.flags[self._selected]

    def _wanted(self) -> FlagFilter:
        return replace(self._filter_bar.filter, muted=self._muted)

    def _refill(self) -> None:
        unfolded = self._unfolded()
        scroll = self._list.verticalScrollBar().value()
        shown = rows(self._diagnosis, self._wanted())
        self._model.show_rows(self._diagnosis, shown, self._muted)
        for row, entry in enumerate(shown):
            if entry.followers and flag_key(self._diagnosis.flags[entry.index]) in unfolded:
                self._list.setExpanded(self._model.index(row, 0), True)
        self._mark_selected()
        self._list.verticalScrollBar().setValue(scroll)
        self._show_state()

    def _unfolded(self) -> set[tuple[object, ...]]:
        flags = self._model.diagnosis.flags
        return {
            flag_key(flags[entry.index])
            for row, entry in enumerate(self._model.rows)
            if entry.followers and self._list.isExpanded(self._model.index(row, 0))
        }

    def _mark_selected(self) -> None:
        index = QModelIndex()
        if self._selected is not None:
            index = self._model.index_of(self._selected)
            if root_of(self._diagnosis, self._selected) != self._selected and index.isValid():
                self._list.setExpanded(index.parent(), True)
        if index.isValid():
            self._list.setCurrentIndex(index)
        else:
            self._list.selectionModel().clear()

    def _show_detail(self) -> None:
        flag = self._flag()
        muted = flag is not None and flag.signal in self._muted
        self._detail.show_flag(self._diagnosis, self._selected, muted=muted)
        self._show_lower()

    def _show_state(self) -> None:
        hidden = bool(self._diagnosis.flags) and self._model.rowCount() == 0
        state = panel_state(
            self._diagnosis,
            self._scanned,
            self._total,
            all_hidden=hidden,
            again=self._again,
            running=self._running,
        )
        self._message.setText(state.html(self._theme))
        self._pages.setCurrentIndex(0 if state.show_list else 1)
        self._filter_bar.show_state(is_open=self._total > 0, has_flags=bool(self._diagnosis.flags))
        self._show_lower()
        self._scan_note.setText(state.note)
        self._scan_note.setVisible(bool(state.note))
        n = len(self._diagnosis.not_evaluated)
        self._tabs.setTabText(
            1, self.tr("Not evaluated ({n})").format(n=n) if n else self.tr("Not evaluated")
        )

    def _show_lower(self) -> None:
        """Give the list all the room until there is a finding to tell in full."""
        wanted = self._selected is not None
        if wanted and self._detail.isHidden():
            half = self._splitter.height() // 2
            self._detail.setVisible(True)
            self._detail.scroll_to_top()
            self._splitter.setSizes([half, half])
        elif not wanted:
            self._detail.setVisible(False)

    def _lay_out(self) -> None:
        self._pages = QStackedWidget()
        self._pages.addWidget(self._list)
        self._pages.addWidget(self._message)
        upper = QWidget()
        column = QVBoxLayout(upper)
        column.setContentsMargins(8, 6, 8, 4)
        column.setSpacing(6)
        column.addWidget(self._story)
        column.addWidget(self._filter_bar)
        column.addWidget(self._pages, 1)
        column.addWidget(self._scan_note)
        self._list.setMinimumHeight(9 * self.fontMetrics().height())
        self._splitter = QSplitter(Qt.Orientation.Vertical)
        self._splitter.addWidget(upper)
        self._splitter.addWidget(self._detail)
        self._splitter.setChildrenCollapsible(False)
        self._splitter.setStretchFactor(0, 1)
        self._splitter.setStretchFactor(1, 1)
        self._tabs.setDocumentMode(True)
        self._tabs.addTab(self._splitter, self.tr("Flags"))
        self._tabs.addTab(self._gaps, self.tr("Not evaluated"))
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(self._tabs)
