"""The look of the window: two palettes, the colours that carry meaning, and how they apply.

Palettes are our own: on bare X11 `QStyleHints.setColorScheme` changes nothing (measured).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QFont, QFontDatabase, QGuiApplication, QPalette
from PySide6.QtWidgets import QApplication

from attn_debugger.core.flags import Severity
from attn_debugger.ui.colour_maps import NAN_MAGENTA, colour_table
from attn_debugger.ui.stylesheet import stylesheet

ThemeMode = Literal["auto", "light", "dark"]

__all__ = ["DARK", "LIGHT", "Theme", "ThemeMode", "apply_theme", "colour_table", "theme_for"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Theme:
    """Colours as `#rrggbb`. Text colours reach a contrast of 4.5 on all three grounds (tested)."""

    name: Literal["light", "dark"]
    background: str  # of the window
    surface: str  # of lists, text fields, plots
    raised: str  # of headers, buttons, alternate rows
    border: str
    text: str
    muted: str  # secondary text
    accent: str  # selection, links, the cursor
    on_accent: str  # text on the accent
    hover: str
    label: str
    notice: str
    warning: str
    critical: str
    clean: str  # "no problems"
    confirmed: str  # a cause the evidence speaks for
    masked: str  # cells masked on purpose: never the colour of a zero
    gap: str  # nothing was captured
    band: str  # a layer's heads as a band, and grid lines of plots
    nan: str = NAN_MAGENTA

    @property
    def is_dark(self) -> bool:
        return self.name == "dark"

    def severity_colour(self, severity: Severity) -> str:
        """Return the colour of a severity: always beside its icon and its word, never alone."""
        return {
            Severity.LABEL: self.label,
            Severity.NOTICE: self.notice,
            Severity.WARNING: self.warning,
            Severity.CRITICAL: self.critical,
        }[severity]

    def tint(self, colour: str, strength: float = 0.12) -> str:
        """Return a ground of that colour, soft enough for text: `strength` of it on the surface."""
        front, back = QColor(colour), QColor(self.surface)
        red, green, blue = (
            round(one * strength + other * (1.0 - strength))
            for one, other in (
                (front.red(), back.red()),
                (front.green(), back.green()),
                (front.blue(), back.blue()),
            )
        )
        return QColor(red, green, blue).name()

    def palette(self) -> QPalette:
        """Return the palette of every standard widget, its disabled group included."""
        palette = QPalette()
        role = QPalette.ColorRole
        for colour, roles in (
            (self.background, (role.Window,)),
            (self.surface, (role.Base,)),
            (self.raised, (role.Button, role.AlternateBase, role.ToolTipBase)),
            (self.text, (role.WindowText, role.Text, role.ButtonText, role.ToolTipText)),
            (self.accent, (role.Highlight, role.Link, role.Accent)),
            (self.on_accent, (role.HighlightedText, role.BrightText)),
            (self.muted, (role.PlaceholderText, role.LinkVisited)),
            (self.border, (role.Mid, role.Midlight)),
            (QColor(self.border).darker(130).name(), (role.Dark,)),
            (QColor(self.surface).lighter(120).name(), (role.Light,)),
        ):
            for one in roles:
                palette.setColor(one, QColor(colour))
        palette.setColor(role.Shadow, QColor(0, 0, 0, 90))
        faint = QColor(self.muted)
        faint.setAlpha(150)
        for one in (role.WindowText, role.Text, role.ButtonText):
            palette.setColor(QPalette.ColorGroup.Disabled, one, faint)
        return palette


LIGHT = Theme(
    name="light",
    background="#f4f5f7",
    surface="#ffffff",
    raised="#eaecf0",
    border="#cfd4db",
    text="#1c2127",
    muted="#565e68",
    accent="#0b5cbd",
    on_accent="#ffffff",
    hover="#e3ecf8",
    label="#565e68",
    notice="#0a6472",
    warning="#8a4b00",
    critical="#b3122c",
    clean="#1b6b38",
    confirmed="#b3122c",
    masked="#d3d8e0",
    gap="#eef0f3",
    band="#b9c1cc",
)

DARK = Theme(
    name="dark",
    background="#1a1d21",
    surface="#22262b",
    raised="#2c3138",
    border="#40464f",
    text="#e4e7eb",
    muted="#a4adb8",
    accent="#6aacff",
    on_accent="#0f1317",
    hover="#2b3746",
    label="#a4adb8",
    notice="#52c7d8",
    warning="#f2b04a",
    critical="#ff8a94",
    clean="#6fd08c",
    confirmed="#ff8a94",
    masked="#3d444e",
    gap="#262b31",
    band="#59636f",
)


def theme_for(mode: ThemeMode) -> Theme:
    """Return the light or the dark theme; `auto` follows the desktop, light where it is silent."""
    if mode == "light":
        return LIGHT
    if mode == "dark":
        return DARK
    application = QGuiApplication.instance()
    if isinstance(application, QGuiApplication):
        scheme = application.styleHints().colorScheme()
        if scheme == Qt.ColorScheme.Dark:
            return DARK
    return LIGHT


def apply_theme(application: QApplication, theme: Theme) -> None:
    """Dress the whole program; safe to call again at any time."""
    if application.style().name().lower() != "fusion":
        application.setStyle("Fusion")
    application.setPalette(theme.palette())
    points = application.font().pointSizeF()
    application.setStyleSheet(stylesheet(theme, points if points > 0 else 9.0))


def set_text_size(application: QApplication, points: int) -> None:
    """Write all text in that size, 0 = the system's; `apply_theme` is to follow."""
    system = QFontDatabase.systemFont(QFontDatabase.SystemFont.GeneralFont).pointSizeF()
    wanted = float(points) or system
    if wanted > 0:
        font = application.font()
        font.setPointSizeF(wanted)
        application.setFont(font)


def fixed_font(scale: float = 1.0) -> QFont:
    """Return the system's fixed-width font, `scale` times the size of the application's font."""
    font = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
    size = QApplication.font().pointSizeF()
    if size > 0:
        font.setPointSizeF(size * scale)
    return font
