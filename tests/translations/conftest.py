import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

HERE = Path(__file__).parent
# The corpus says what is to be found; the templates are collected here.
sys.path[:0] = [str(HERE), str(HERE.parent / "corpus")]


@pytest.fixture
def in_chinese(qapp: object) -> Iterator[None]:
    """The window's language is Chinese, as far as texts from below the window are concerned."""
    from analysis_templates import CATALOG
    from PySide6.QtCore import QCoreApplication, QTranslator

    translator = QTranslator()
    assert translator.load(str(CATALOG.with_suffix(".qm")))
    QCoreApplication.installTranslator(translator)
    yield
    QCoreApplication.removeTranslator(translator)
