"""Fixtures for the panels: a broken run, a clean one, and both themes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from panel_values import CHECKED, GAPS, bad_flags
from PySide6.QtWidgets import QApplication

from attn_debugger.core.flags import Diagnosis
from attn_debugger.ui.theme import DARK, LIGHT, Theme, apply_theme


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The offscreen platform says so whenever a window with a least size is shown."""
    harmless = pytest.mark.qt_log_ignore("This plugin does not support")
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(harmless)


@pytest.fixture
def bad() -> Diagnosis:
    return Diagnosis(
        flags=bad_flags(),
        not_evaluated=GAPS,
        story=("First this broke.", "Then that.", "Then the loss.", "And nobody stopped it."),
        checked=CHECKED,
        n_frames=50,
    )


@pytest.fixture
def clean() -> Diagnosis:
    return Diagnosis(checked=CHECKED, n_frames=50)


@pytest.fixture(params=[LIGHT, DARK], ids=lambda theme: theme.name)
def theme(request: pytest.FixtureRequest, qapp: QApplication) -> Iterator[Theme]:
    apply_theme(qapp, request.param)
    yield request.param
    apply_theme(qapp, LIGHT)
