"""Which language the window speaks, what is said without a font for it, and what can be set."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QLocale, QTranslator
from PySide6.QtWidgets import QApplication

from attn_debugger.app import Options, build_window
from attn_debugger.ui import fonts
from attn_debugger.ui.language import LANGUAGES, install_translation, shown_language
from attn_debugger.ui.theme import DARK, LIGHT
from attn_debugger.ui.window import indicators
from attn_debugger.ui.window.main_window import MainWindow
from attn_debugger.ui.window.settings import Settings
from attn_debugger.ui.window.settings_dialog import SettingsDialog


@pytest.fixture
def english_again(qapp: QApplication) -> Iterator[None]:
    font = qapp.font()
    yield
    for translator in qapp.findChildren(QTranslator):
        qapp.removeTranslator(translator)
        translator.deleteLater()
    QLocale.setDefault(QLocale.c())
    qapp.setFont(font)


@pytest.fixture
def window(qtbot) -> Iterator[MainWindow]:
    window = build_window(Options(fresh=True, theme="light"))
    yield window
    window.close()
    window.session.shutdown()
    window.deleteLater()


@pytest.mark.parametrize("asked", ["zh_CN", "zh-CN", "zh", "zh_SG", "zh_Hans"])
def test_chinese_is_spoken_by_any_of_its_names(asked, english_again):
    assert install_translation(asked) == ""
    assert shown_language() == "zh_CN"
    assert QCoreApplication.translate("Actions", "Open…") == "打开…"
    # What the analysis says, and Qt's own buttons.
    assert QCoreApplication.translate("QPlatformTheme", "Cancel") == "取消"


@pytest.mark.parametrize("asked", ["en", "en_GB", None])
def test_english_needs_no_translation(asked, english_again):
    QLocale.setDefault(QLocale("en_US"))
    assert install_translation(asked) == ""
    assert shown_language() == "en"


def test_the_language_of_the_system_is_the_default(english_again):
    QLocale.setDefault(QLocale("zh_CN"))
    assert install_translation(None) == ""
    assert shown_language() == "zh_CN"


@pytest.mark.parametrize("asked", ["eo", "zh_TW"])
def test_a_language_without_a_translation_is_said(asked, english_again):
    assert f"“{asked}”" in install_translation(asked)
    assert shown_language() == "en"


def test_nothing_is_said_where_nobody_asked(english_again):
    QLocale.setDefault(QLocale("fr_FR"))
    assert install_translation(None) == ""


def test_a_missing_font_is_said_once_with_what_to_install(window, monkeypatch):
    monkeypatch.setattr(indicators, "chinese_font", lambda: "")
    window.indicators.miss_chinese_font()
    assert "fonts-noto-cjk" in window.notice.text
    window.notice.dismiss()
    window.indicators.miss_chinese_font()
    assert window.notice.text == ""


def test_nothing_is_said_where_there_is_a_font(window, monkeypatch):
    monkeypatch.setattr(indicators, "chinese_font", lambda: "Noto Sans CJK SC")
    window.indicators.miss_chinese_font()
    assert window.notice.text == ""


def test_a_font_made_for_chinese_is_preferred(monkeypatch):
    for there, chosen in (
        (["Noto Sans CJK JP", "Noto Sans CJK SC"], "Noto Sans CJK SC"),
        (["Some Other Font"], "Some Other Font"),
        ([], ""),
    ):
        monkeypatch.setattr(fonts.QFontDatabase, "families", lambda _writing, there=there: there)
        assert fonts.chinese_font() == chosen


def test_chinese_tokens_are_told_from_others():
    assert fonts.has_chinese(["the", "注意"])
    assert not fonts.has_chinese(["the", "Größe", "▁x", "か"])


def test_settings_outlive_the_program_and_damage(qapp):
    settings = Settings()
    assert (settings.language, settings.font_points) == ("", 0)
    settings.language, settings.font_points = "zh_CN", 14
    assert settings.first_time("something")
    settings.sync()
    later = Settings()
    assert (later.language, later.font_points) == ("zh_CN", 14)
    assert not later.first_time("something")
    later._write("font_points", "four")
    assert Settings().font_points == 0
    later._write("font_points", 4000)
    assert Settings().font_points == 0


def test_a_fresh_start_keeps_settings_for_itself_only(qapp):
    Settings(fresh=True).language = "zh_CN"
    assert Settings(fresh=True).language == ""
    assert Settings().language == ""


def open_settings(window: MainWindow) -> SettingsDialog:
    window.actions_by_name["settings"].trigger()
    return window.findChild(SettingsDialog)


def choose(box, data) -> None:
    box.setCurrentIndex(box.findData(data))
    box.activated.emit(box.currentIndex())


def test_colours_and_size_of_text_change_at_once(window, qapp, qtbot):
    before = qapp.font().pointSizeF()
    dialog = open_settings(window)
    try:
        choose(dialog.theme, "dark")
        assert window.theme is DARK
        assert qapp.palette().window().color().name() == DARK.background
        dialog.font_size.setValue(16)
        qtbot.waitUntil(lambda: qapp.font().pointSizeF() == 16)
        assert window.status.font().pointSizeF() == 16
        dialog.font_size.setValue(dialog.font_size.minimum())
        qtbot.waitUntil(lambda: window.settings.font_points == 0)
        assert qapp.font().pointSizeF() == before
    finally:
        choose(dialog.theme, "light")
        dialog.font_size.setValue(dialog.font_size.minimum())
        dialog.close()
    assert window.theme is LIGHT


def test_the_language_is_kept_for_the_next_start(window):
    dialog = open_settings(window)
    assert {dialog.language.itemData(row) for row in range(dialog.language.count())} == {
        "",
        *LANGUAGES,
    }
    choose(dialog.language, "zh_CN")
    assert window.settings.language == "zh_CN"
    assert "next start" in dialog.later.text()
    dialog.close()


def test_the_memory_for_frames_holds_at_once(window, monkeypatch):
    said: list[int] = []
    monkeypatch.setattr(window.session, "set_cache_bytes", said.append)
    dialog = open_settings(window)
    dialog.cache.setValue(320)
    assert said == [320 << 20]
    assert window.settings.cache_megabytes == 320
    dialog.close()


def test_the_catalogs_are_part_of_the_package():
    folder = Path(__file__).resolve().parents[2] / "resources/translations"
    assert {path.name for path in folder.glob("*.qm")} == {
        "attn_debugger_zh_CN.qm",
        "analysis_zh_CN.qm",
    }
