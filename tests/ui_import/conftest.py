import os
from pathlib import Path

import pytest

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    # Qt's offscreen platform says so about every window that is shown; it means nothing.
    harmless = pytest.mark.qt_log_ignore("This plugin does not support propagateSizeHints")
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker(harmless)
