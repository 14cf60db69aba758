"""Importing pyqtgraph in half the time.

`pyqtgraph.Qt` copies every name of QtCore, QtGui and QtWidgets into modules of its own. PySide
makes a class when it is first asked for, so the copying makes some two thousand of which a window
uses two hundred, and takes as long as all the rest of pyqtgraph. Given mirrors that look a name up
when somebody wants it, there is nothing to copy.
"""

from __future__ import annotations

import importlib
import sys
from types import ModuleType
from typing import Any

MIRRORED = ("QtCore", "QtGui", "QtWidgets")


class Mirror(ModuleType):
    """A module that has all that another one has; what is set on it stays its own."""

    def __init__(self, name: str, original: ModuleType) -> None:
        super().__init__(name, f"Mirror of {original.__name__}.")
        self.__path__: list[str] = []
        self._original = original

    def __getattr__(self, name: str) -> Any:
        value = getattr(self._original, name)
        setattr(self, name, value)
        return value


class Unlisted:
    """A module that tells no names, so that none are copied."""

    def __init__(self, original: ModuleType) -> None:
        self._original = original

    def __dir__(self) -> list[str]:
        return []

    def __getattr__(self, name: str) -> Any:
        return getattr(self._original, name)


def import_pyqtgraph() -> None:
    """Import pyqtgraph over mirrors of Qt's modules; no effect when it is imported already.

    A pyqtgraph that does not take the mirrors is imported as it is, which only takes longer.
    """
    if "pyqtgraph" in sys.modules:
        return
    try:
        _import_over_mirrors()
    except Exception:  # noqa: BLE001 - whatever it is, without mirrors it is not met
        _forget_pyqtgraph()
        importlib.import_module("pyqtgraph")


def _import_over_mirrors() -> None:
    package = importlib.import_module("PySide6")
    originals = {name: importlib.import_module(f"PySide6.{name}") for name in MIRRORED}
    for name, original in originals.items():
        mirror = f"pyqtgraph.Qt.{name}"
        sys.modules[mirror] = Mirror(mirror, original)
        setattr(package, name, Unlisted(original))
    try:
        importlib.import_module("pyqtgraph")
    finally:
        for name, original in originals.items():
            setattr(package, name, original)


def _forget_pyqtgraph() -> None:
    """Drop what an import left that did not come to its end: nothing of it may be built upon."""
    for name in list(sys.modules):
        if name.partition(".")[0] == "pyqtgraph":
            del sys.modules[name]
