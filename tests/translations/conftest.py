import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

HERE = Path(__file__).parent
# The corpus says what is to be found; the templates are collected here.
sys.path[:0] = [str(HERE), str(HERE.parent / "corpus")]


@pytest.fixture
def in_chinese(qapp: object) -> Iterator[None]:
    """The window's language is Chinese, as far as texts from below the window are concerned."""
    with _installed("analysis_zh_CN"):
        yield


@pytest.fixture
def window_in_chinese(qapp: object) -> Iterator[None]:
    """The whole window is Chinese."""
    with _installed("analysis_zh_CN", "attn_debugger_zh_CN"):
        yield


@contextmanager
def _installed(*names: str) -> Iterator[None]:
    from analysis_templates import CATALOG
    from PySide6.QtCore import QCoreApplication, QTranslator

    translators = [QTranslator() for _ in names]
    for name, translator in zip(names, translators, strict=True):
        assert translator.load(str(CATALOG.with_name(f"{name}.qm")))
        QCoreApplication.installTranslator(translator)
    try:
        yield
    finally:
        for translator in translators:
            QCoreApplication.removeTranslator(translator)
