"""The settings: language, colours, size of text, and memory; what can change at once does."""

from __future__ import annotations

from PySide6.QtCore import Qt, QTimer, Signal, Slot
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QLabel,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from attn_debugger.ui.language import LANGUAGES
from attn_debugger.ui.window.settings import CACHE_LIMITS, FONT_POINTS, Settings

REST_MS = 200


class SettingsDialog(QDialog):
    """Shows what is set and says what was chosen; who owns the window brings it about."""

    language_chosen = Signal(str)  # a code of LANGUAGES, empty = the system's
    theme_chosen = Signal(str)  # auto, light or dark
    font_chosen = Signal(int)  # points, 0 = the system's
    cache_chosen = Signal(int)  # megabytes

    def __init__(self, settings: Settings, theme_mode: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Settings"))
        languages = {"": self.tr("as the system"), **LANGUAGES}
        self.language = _choice(languages, settings.language, self)
        self.later = QLabel(self.tr("The language changes at the next start."), self)
        self.later.setProperty("role", "muted")
        self.later.setWordWrap(True)
        themes = {
            "auto": self.tr("as the system"),
            "light": self.tr("light"),
            "dark": self.tr("dark"),
        }
        self.theme = _choice(themes, theme_mode, self)
        self.font_size = QSpinBox(self)
        # One below the smallest stands for the system's own size.
        self.font_size.setRange(FONT_POINTS[0] - 1, FONT_POINTS[1])
        self.font_size.setSpecialValueText(self.tr("as the system"))
        self.font_size.setSuffix(self.tr(" pt"))
        self.font_size.setKeyboardTracking(False)  # on the way to 16 there is a 1
        self.font_size.setValue(settings.font_points or FONT_POINTS[0] - 1)
        self.cache = QSpinBox(self)
        self.cache.setRange(*CACHE_LIMITS)
        self.cache.setSingleStep(64)
        self.cache.setSuffix(self.tr(" MB"))
        self.cache.setValue(settings.cache_megabytes)
        self.cache.setToolTip(
            self.tr("Frames that were read are kept in it, for scrubbing back and forth.")
        )
        self._lay_out()
        self.language.activated.connect(
            lambda: self.language_chosen.emit(self.language.currentData())
        )
        self.theme.activated.connect(lambda: self.theme_chosen.emit(self.theme.currentData()))
        # To write everything anew takes a moment: a held key is waited for.
        self._rest = QTimer(self)
        self._rest.setSingleShot(True)
        self._rest.setInterval(REST_MS)
        self._rest.timeout.connect(self._choose_font)
        self.font_size.valueChanged.connect(lambda _points: self._rest.start())
        self.cache.valueChanged.connect(self.cache_chosen)

    @Slot()
    def _choose_font(self) -> None:
        points = self.font_size.value()
        self.font_chosen.emit(points if points >= FONT_POINTS[0] else 0)

    def done(self, result: int) -> None:
        if self._rest.isActive():
            self._rest.stop()
            self._choose_font()
        super().done(result)

    def _lay_out(self) -> None:
        form = QFormLayout()
        for words, widget in (
            (self.tr("Language"), self.language),
            ("", self.later),
            (self.tr("Colours"), self.theme),
            (self.tr("Size of text"), self.font_size),
            (self.tr("Memory for frames"), self.cache),
        ):
            form.addRow(words, widget)
            widget.setAccessibleName(words)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close, self)
        buttons.rejected.connect(self.reject)
        self.setMinimumWidth(self.fontMetrics().averageCharWidth() * 60)
        column = QVBoxLayout(self)
        column.addLayout(form)
        column.addStretch(1)
        column.addWidget(buttons)


def _choice(entries: dict[str, str], chosen: str, parent: QWidget) -> QComboBox:
    box = QComboBox(parent)
    for code, words in entries.items():
        box.addItem(words, code)
    box.setCurrentIndex(max(0, box.findData(chosen)))
    return box
