"""The lower half of the flags panel: one finding in full, its picture, and what to do with it."""

from __future__ import annotations

from PySide6.QtCore import Qt, QUrl, Signal
from PySide6.QtGui import QGuiApplication, QImage, QTextDocument
from PySide6.QtWidgets import QHBoxLayout, QTextBrowser, QToolButton, QVBoxLayout, QWidget

from attn_debugger.core.flags import EMPTY_DIAGNOSIS, Diagnosis
from attn_debugger.ui.flags.detail import detail_html, detail_text
from attn_debugger.ui.flags.rows import flag_key
from attn_debugger.ui.icons import icon
from attn_debugger.ui.theme import LIGHT, Theme

_PICTURE = "picture:flag"
_PICTURE_SIDE = 132  # of the longer side on screen
_MOST_PICTURES = 64


class DetailPane(QWidget):
    """Tells a finding; says where the user wants to go from it."""

    go_requested = Signal(int)  # index of a finding in the diagnosis
    mute_requested = Signal(str)  # a signal's name: mute it, or end its being muted
    help_requested = Signal(str)  # "signals.md#nan_weights"
    limits_requested = Signal(str)  # a signal's name

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme: Theme = LIGHT
        self._diagnosis = EMPTY_DIAGNOSIS
        self._index: int | None = None
        self._shown: tuple[object, ...] | None = None  # the finding that is told now
        self._pictures: dict[tuple[object, ...], QImage] = {}
        self._text = QTextBrowser()
        self._text.setAccessibleName(self.tr("The selected flag in full"))
        self._text.setOpenLinks(False)
        self._text.anchorClicked.connect(self._follow)
        self._go = self._tool(self.tr("Go there"), self.tr("Show its first step and head (Enter)"))
        self._go.clicked.connect(self._go_there)
        self._copy = self._tool(self.tr("Copy"), self.tr("Copy this flag as text"))
        self._copy.clicked.connect(self._copy_text)
        self._mute = self._tool(self.tr("Mute"), self.tr("Dim every flag of this signal"))
        self._mute.clicked.connect(self._toggle_mute)
        column = QVBoxLayout(self)
        column.setContentsMargins(8, 4, 8, 6)
        column.setSpacing(4)
        column.addWidget(self._text, 1)
        buttons = QHBoxLayout()
        for button in (self._go, self._copy, self._mute):
            buttons.addWidget(button)
        buttons.addStretch(1)
        column.addLayout(buttons)

    def show_flag(self, diagnosis: Diagnosis, index: int | None, *, muted: bool = False) -> None:
        """Tell one finding of a diagnosis, or nothing."""
        self._diagnosis, self._index = diagnosis, index
        for button in (self._go, self._copy, self._mute):
            button.setEnabled(index is not None)
        self._mute.setText(self.tr("Unmute") if muted else self.tr("Mute"))
        self._draw()

    def show_picture(self, index: int, picture: QImage) -> None:
        """Keep the picture of a finding's head and show it whenever the finding is told."""
        key = flag_key(self._diagnosis.flags[index])
        self._pictures.pop(key, None)
        self._pictures[key] = picture
        while len(self._pictures) > _MOST_PICTURES:
            self._pictures.pop(next(iter(self._pictures)))
        if index == self._index:
            self._draw()

    def forget_pictures(self) -> None:
        self._pictures.clear()

    def scroll_to_top(self) -> None:
        """Show the finding from its title on: Qt scrolls what is laid out while it comes up."""
        self._text.verticalScrollBar().setValue(0)

    def text(self) -> str:
        return self._text.toPlainText()

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        for button, name in ((self._copy, "copy"), (self._mute, "mute"), (self._go, "next-flag")):
            button.setIcon(icon(name, theme))
        self._draw()

    def _draw(self) -> None:
        if self._index is None:
            self._text.clear()
            self._shown = None
            return
        key = flag_key(self._diagnosis.flags[self._index])
        html = detail_html(self._diagnosis, self._index, self._theme)
        picture = self._pictures.get(key)
        if picture is not None and not picture.isNull():
            ratio = self.devicePixelRatioF()
            side = round(_PICTURE_SIDE * ratio)
            scaled = picture.scaled(side, side, Qt.AspectRatioMode.KeepAspectRatio)
            scaled.setDevicePixelRatio(ratio)
            self._text.document().addResource(
                QTextDocument.ResourceType.ImageResource, QUrl(_PICTURE), scaled
            )
            size = scaled.deviceIndependentSize()
            html += (
                f"<p style='margin:8px 0'><img src='{_PICTURE}' width='{size.width():.0f}' "
                f"height='{size.height():.0f}'></p>"
            )
        # While the scan goes on, the finding grows under the eyes of whoever reads it.
        scroll = self._text.verticalScrollBar()
        place = scroll.value() if key == self._shown else 0
        self._text.setHtml(html)
        scroll.setValue(place)
        self._shown = key

    def _go_there(self) -> None:
        if self._index is not None:
            self.go_requested.emit(self._index)

    def _copy_text(self) -> None:
        if self._index is not None:
            QGuiApplication.clipboard().setText(detail_text(self._diagnosis, self._index))

    def _toggle_mute(self) -> None:
        if self._index is not None:
            self.mute_requested.emit(self._diagnosis.flags[self._index].signal)

    def _follow(self, url: QUrl) -> None:
        if url.scheme() == "help":
            self.help_requested.emit(f"signals.md#{url.path()}")
        elif url.scheme() == "limits":
            self.limits_requested.emit(url.path())
        elif url.scheme() == "flag":
            self.go_requested.emit(int(url.path()))

    def _tool(self, text: str, tip: str) -> QToolButton:
        button = QToolButton()
        button.setText(text)
        button.setToolTip(tip)
        button.setAccessibleName(tip)
        button.setAutoRaise(True)
        button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        return button
