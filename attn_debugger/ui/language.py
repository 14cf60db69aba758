"""The language of the window: which there are, and how one is put on before anything is built."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QLibraryInfo, QLocale, QTranslator

from attn_debugger.ui.resources import resource_path

# Code and own name of each language; the texts in the source are English.
LANGUAGES = {"en": "English", "zh_CN": "简体中文"}

# The window's own texts, and what the analysis says of a run.
_CATALOGS = ("attn_debugger", "analysis")


def install_translation(language: str | None) -> str:
    """Let the window speak `language`, by default the system's, where a translation is there.

    To be called once, before the window is built. Returns a sentence for the user when a language
    was asked for that is not there.
    """
    locale = QLocale(language) if language else QLocale()
    known = _known(locale)
    if known == "en":
        return ""
    if known is None:
        asked = language is not None and language.lower() not in ("c", "posix")
        return f"there is no translation into “{language}” yet, showing English" if asked else ""
    folder = str(resource_path("translations"))
    for name in _CATALOGS:
        _install(f"{name}_{known}", folder)
    # The buttons and dialogs that are Qt's own.
    _install(f"qtbase_{known}", QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath))
    return ""


def shown_language() -> str:
    """Return the code of the language that the window speaks."""
    # A text that every translation translates into its own code.
    return QCoreApplication.translate("Language", "en")


def _known(locale: QLocale) -> str | None:
    """Return our code for a locale; Chinese in traditional characters is another language."""
    if locale.language() == QLocale.Language.English:
        return "en"
    is_simplified = locale.script() == QLocale.Script.SimplifiedHanScript
    if locale.language() == QLocale.Language.Chinese and is_simplified:
        return "zh_CN"
    return None


def _install(name: str, folder: str) -> None:
    application = QCoreApplication.instance()
    translator = QTranslator(application)
    if application is not None and translator.load(name, folder):
        application.installTranslator(translator)
