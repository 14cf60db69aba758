"""What holds for every test: no screen, no settings of the user's, nothing left behind."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

# Before Qt is loaded by anyone.
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ.setdefault("OMP_NUM_THREADS", "1")


def pytest_configure(config: pytest.Config) -> None:
    # What the screenless platform says of every window; it is true and changes nothing.
    config.addinivalue_line("qt_log_ignore", "This plugin does not support ")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo) -> Iterator:
    report = yield
    if call.when == "call":
        item.stash[BODY_PASSED] = report.passed
    return report


BODY_PASSED = pytest.StashKey[bool]()


@pytest.fixture(autouse=True)
def _fresh_settings(tmp_path: Path) -> None:
    """Each test gets settings of its own; where Qt is not loaded there is nothing to do."""
    if "PySide6.QtCore" in sys.modules:
        from PySide6.QtCore import QSettings, QStandardPaths

        QStandardPaths.setTestModeEnabled(True)
        for form in (QSettings.Format.NativeFormat, QSettings.Format.IniFormat):
            QSettings.setPath(form, QSettings.Scope.UserScope, str(tmp_path / "settings"))


@pytest.fixture(autouse=True)
def _nothing_left_behind(request: pytest.FixtureRequest) -> Iterator[None]:
    """A test that passed leaves no window open and no thread of ours running."""
    yield
    if not request.node.stash.get(BODY_PASSED, False):
        return
    threads = [
        thread.name
        for thread in threading.enumerate()
        if thread.name == "archive worker" and thread.is_alive()
    ]
    assert not threads, "the test left archive workers running: call session.shutdown()"
    if "PySide6.QtWidgets" not in sys.modules:
        return
    from PySide6.QtWidgets import QApplication

    if QApplication.instance() is not None:
        QApplication.sendPostedEvents(None, 52)  # DeferredDelete
        left = [w for w in QApplication.topLevelWidgets() if w.isVisible()]
        assert not left, f"the test left windows open: {left}"
