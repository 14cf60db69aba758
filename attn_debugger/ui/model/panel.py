"""The model panel: a checkpoint's attention modules, the rules it obeys, how to attach one."""

from __future__ import annotations

from html import escape
from pathlib import PurePath

from PySide6.QtCore import QModelIndex, QSize, Qt, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QHeaderView,
    QLabel,
    QProgressBar,
    QStackedWidget,
    QTabWidget,
    QTextBrowser,
    QToolButton,
    QTreeView,
    QVBoxLayout,
    QWidget,
)

from attn_debugger.core.run import Checkpoint
from attn_debugger.core.topology import ModelTopology
from attn_debugger.ui.elided_label import ElidedLabel
from attn_debugger.ui.help.context import set_help
from attn_debugger.ui.icons import icon
from attn_debugger.ui.model.modules import LAYER_ROLE, ModulesModel
from attn_debugger.ui.model.outputs_view import OutputsView
from attn_debugger.ui.model.run_view import RunView
from attn_debugger.ui.model.text import checks_html, summary
from attn_debugger.ui.model.weights_view import WeightsView
from attn_debugger.ui.theme import LIGHT, Theme

_EMPTY, _BUSY, _CONTENT = range(3)


class ModelPanel(QWidget):
    """Shows one topology, the weights over all checkpoints, and what running the model gave.

    Loads and runs nothing itself: it asks.
    """

    open_requested = Signal()
    checkpoint_requested = Signal(str)  # a path of the run's checkpoint table
    layer_requested = Signal(int)  # an archive layer: a module was activated

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        set_help(self, "window.md#model")
        self._theme: Theme = LIGHT
        self._topology: ModelTopology | None = None
        self._checkpoints: tuple[Checkpoint, ...] = ()
        self._open = QToolButton()
        self._open.setText(self.tr("Open checkpoint…"))
        self._open.setToolTip(
            self.tr("Read a state dict (.pt) or safetensors file. No code in it is ever run.")
        )
        self._open.setAccessibleName(self.tr("Open a checkpoint"))
        self._open.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self._open.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._open.clicked.connect(self.open_requested)
        self._saved = QComboBox()
        self._saved.setAccessibleName(self.tr("Checkpoints saved beside the run"))
        self._saved.setMinimumContentsLength(8)
        self._saved.setSizeAdjustPolicy(
            QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
        )
        self._saved.activated.connect(self._choose)
        self._error = QLabel()
        self._error.setWordWrap(True)
        self._error.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._empty = QLabel()
        self._empty.setWordWrap(True)
        self._empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._empty.setContentsMargins(12, 12, 12, 12)
        self._busy_text = QLabel()
        self._busy_text.setWordWrap(True)
        self._busy_text.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._busy_bar = QProgressBar()
        self._busy_bar.setRange(0, 0)
        self._busy_bar.setTextVisible(False)
        self._busy_bar.setFixedHeight(4)
        self._name = ElidedLabel(mode=Qt.TextElideMode.ElideMiddle)
        self._summary = QLabel()
        self._summary.setWordWrap(True)
        self._summary.setProperty("role", "muted")
        self._modules = ModulesModel(self)
        self._tree = QTreeView()
        self._tree.setAccessibleName(self.tr("Attention modules of the checkpoint"))
        self._tree.setModel(self._modules)
        self._tree.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self._tree.header().setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self._tree.setUniformRowHeights(True)
        self._tree.setIndentation(14)
        self._tree.setAllColumnsShowFocus(True)
        self._tree.clicked.connect(self._activate)
        self._tree.activated.connect(self._activate)
        self._checks = QTextBrowser()
        self._checks.setAccessibleName(self.tr("Checks of the checkpoint"))
        self.weights = WeightsView()
        self.outputs = OutputsView()
        self.run = RunView()
        self._lay_out()
        self._show_page()

    def sizeHint(self) -> QSize:  # noqa: N802
        return QSize(310, 640)

    def show_topology(self, topology: ModelTopology | None) -> None:
        """Show a checkpoint, or say how to attach one; an error shown before goes away."""
        self._topology = topology
        self._error.setVisible(False)
        self._fill()
        self._show_page()

    def show_checkpoints(self, checkpoints: tuple[Checkpoint, ...]) -> None:
        """Offer the checkpoints that the run's archive lists."""
        if checkpoints == self._checkpoints:
            return
        self._checkpoints = checkpoints
        self._saved.clear()
        self._saved.addItem(self.tr("Checkpoints ({n})").format(n=len(checkpoints)), "")
        for checkpoint in checkpoints:
            name = PurePath(checkpoint.path).name
            text = self.tr("step {n}: {name}").format(n=checkpoint.step, name=name)
            self._saved.addItem(text, checkpoint.path)
        self._saved.setVisible(bool(checkpoints))
        self._show_page()

    def show_error(self, sentence: str) -> None:
        """Say why a checkpoint could not be read. What was shown before stays."""
        self._error.setText(sentence)
        self._error.setVisible(True)
        self._show_page()

    def clear_error(self) -> None:
        """Take an error away: something worked since."""
        self._error.setVisible(False)

    def show_busy(self, sentence: str) -> None:
        """Say what is being read; ends with the next topology or error."""
        self._error.setVisible(False)
        self._busy_text.setText(sentence)
        self._pages.setCurrentIndex(_BUSY)

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self._open.setIcon(icon("open", theme))
        self._name.setPalette(theme.palette())
        self.weights.set_theme(theme)
        self.outputs.set_theme(theme)
        ground = theme.tint(theme.critical)
        self._error.setStyleSheet(
            f"color: {theme.critical}; background: {ground}; padding: 6px; border-radius: 4px;"
        )
        self._fill()
        self._show_page()

    def _choose(self, row: int) -> None:
        path = self._saved.itemData(row)
        if path:
            self.checkpoint_requested.emit(path)

    def _activate(self, index: QModelIndex) -> None:
        layer = index.data(LAYER_ROLE)
        if isinstance(layer, int):
            self.layer_requested.emit(layer)

    def _fill(self) -> None:
        topology = self._topology
        if topology is None:
            muted = f"<p style='color:{self._theme.muted}'>"
            self._checks.setHtml(muted + escape(self.tr("No checkpoint is attached.")) + "</p>")
            return
        self._name.set_text(PurePath(topology.path).name, topology.path)
        self._summary.setText(summary(topology))
        self._modules.show_topology(topology, self._theme)
        header = self._tree.header()
        header.setStretchLastSection(False)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        for column in (1, 2):
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.ResizeToContents)
        for row in range(self._modules.rowCount()):
            item = self._modules.index(row, 0)
            for child in range(self._modules.rowCount(item)):
                self._tree.setFirstColumnSpanned(child, item, True)
        self._checks.setHtml(checks_html(topology, self._theme))

    def _show_page(self) -> None:
        self._pages.setCurrentIndex(_EMPTY if self._topology is None else _CONTENT)
        theme = self._theme
        how = self.tr("Attach a checkpoint to see its layers, heads and checks beside the run.")
        ways = self.tr(
            "Open a state dict (.pt) or a safetensors file, or drop one onto the window."
        )
        if self._checkpoints:
            ways = self.tr("This run lists the checkpoints saved beside it: choose one above.")
        title = self.tr("No checkpoint")
        self._empty.setText(
            f"<p><b>{title}</b></p><p>{how}</p><p style='color:{theme.muted}'>{ways}</p>"
        )

    def _lay_out(self) -> None:
        tools = QVBoxLayout()
        tools.setSpacing(4)
        tools.addWidget(self._open)
        tools.addWidget(self._saved)
        self._saved.setVisible(False)
        self._error.setVisible(False)
        busy = QWidget()
        column = QVBoxLayout(busy)
        column.setContentsMargins(24, 0, 24, 0)
        column.addStretch(1)
        column.addWidget(self._busy_text)
        column.addWidget(self._busy_bar)
        column.addStretch(1)
        content = QWidget()
        column = QVBoxLayout(content)
        column.setContentsMargins(0, 4, 0, 0)
        column.setSpacing(2)
        column.addWidget(self._name)
        column.addWidget(self._summary)
        column.addSpacing(4)
        column.addWidget(self._tree, 1)
        self._pages = QStackedWidget()
        for page in (self._empty, busy, content):
            self._pages.addWidget(page)
        self.tabs = QTabWidget()
        self.tabs.setDocumentMode(True)
        self.tabs.tabBar().setAccessibleName(self.tr("Pages on the model"))
        # Five titles in the width of a narrow dock.
        self.tabs.tabBar().setStyleSheet("QTabBar::tab { padding: 5px 6px; }")
        for page, title in (
            (self._pages, self.tr("Modules")),
            (self._checks, self.tr("Rules")),
            (self.weights, self.tr("Weights")),
            (self.outputs, self.tr("Outputs")),
            (self.run, self.tr("Run")),
        ):
            self.tabs.addTab(page, title)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(8, 6, 8, 6)
        outer.setSpacing(6)
        outer.addLayout(tools)
        outer.addWidget(self._error)
        outer.addWidget(self.tabs, 1)
