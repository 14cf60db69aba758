"""What stands between a bare machine and an abort inside Qt: a sentence with the package's name."""

from __future__ import annotations

import ctypes
import sys

import pytest

from attn_debugger import app, display
from attn_debugger.errors import UsageError
from attn_debugger.missing_library import about_missing_library


@pytest.fixture
def on_x11(monkeypatch):
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.delenv("QT_QPA_PLATFORM", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    monkeypatch.setenv("DISPLAY", ":0")
    monkeypatch.setattr(display, "_display_answers", lambda: True)


@pytest.mark.parametrize(
    ("library", "package"),
    [("libxcb-cursor.so.0", "libxcb-cursor0"), ("libxkbcommon-x11.so.0", "libxkbcommon-x11-0")],
)
def test_a_missing_x11_library_is_named_with_its_package(on_x11, monkeypatch, library, package):
    def load(name):
        if name == library:
            raise OSError(f"{name}: cannot open shared object file: No such file or directory")

    monkeypatch.setattr(ctypes, "CDLL", load)
    with pytest.raises(UsageError, match=f"{library}.*sudo apt install {package}"):
        display.require_display()


def test_a_missing_qt_library_is_named_with_its_package():
    sentence = about_missing_library("libEGL.so.1: cannot open shared object file")
    assert "libEGL.so.1" in sentence
    assert "sudo apt install libegl1" in sentence


def test_an_unknown_import_error_is_told_as_it_is():
    sentence = about_missing_library("undefined symbol: qt_version_tag")
    assert "undefined symbol" in sentence
    assert "pip install" in sentence


def test_a_display_that_answers_is_let_through(on_x11, monkeypatch):
    monkeypatch.setattr(ctypes, "CDLL", lambda name: None)
    display.require_display()


def test_a_chosen_platform_is_the_users_own_business(monkeypatch):
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
    display.require_display()


def test_demos_are_offered_without_their_training_code():
    before = "torch" in sys.modules
    names = [name for name, _, _ in app.demos()]
    assert "overflow-nan" in names
    assert ("torch" in sys.modules) is before
