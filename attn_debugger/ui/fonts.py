"""Fonts that the window needs beyond the system's own: those with Chinese characters."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtGui import QFontDatabase
from PySide6.QtWidgets import QApplication

# Said in English also where the window is Chinese: without a font nobody could read it.
NO_CHINESE_FONT = (
    "No font with Chinese characters is installed, so they show as boxes. Install one, e.g. "
    "“sudo apt install fonts-noto-cjk” (Debian, Ubuntu) or “sudo dnf install "
    "google-noto-sans-cjk-fonts” (Fedora), and start again."
)

# Fonts made for simplified Chinese, those of the large systems first; one drawn for Japanese or
# Korean has all characters too, but in shapes that look wrong to a Chinese reader.
_PREFERRED = (
    "Microsoft YaHei UI",
    "Microsoft YaHei",
    "PingFang SC",
    "Noto Sans CJK SC",
    "Source Han Sans SC",
    "Source Han Sans CN",
    "Noto Sans SC",
    "WenQuanYi Micro Hei",
    "WenQuanYi Zen Hei",
    "Droid Sans Fallback",
    "SimHei",
    "SimSun",
)


def chinese_font() -> str:
    """Return a font family with simplified Chinese characters; empty where there is none."""
    families = QFontDatabase.families(QFontDatabase.WritingSystem.SimplifiedChinese)
    for family in _PREFERRED:
        if family in families:
            return family
    return families[0] if families else ""


def prefer_chinese_font(application: QApplication) -> None:
    """Draw Chinese characters with a font made for them; all others as before."""
    family = chinese_font()
    font = application.font()
    if family and family not in font.families():
        font.setFamilies([*font.families(), family])
        application.setFont(font)


def has_chinese(texts: Iterable[str]) -> bool:
    """Return whether some text holds a Chinese character."""
    return any("\u4e00" <= letter <= "\u9fff" for text in texts for letter in text)
