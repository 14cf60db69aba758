"""Labels of keys lie level where turning them would not let more of them stand."""

import pytest
from PySide6.QtGui import QFont, QFontMetricsF

from attn_debugger.ui.head.labels import label_font, label_room


@pytest.mark.parametrize(
    ("labels", "pitch", "level"),
    [
        (["a", "m", "␣"], 11.0, True),  # single characters: every second one, either way
        (["a", "m", "␣"], 40.0, True),
        (["understanding", "of"], 11.0, False),
        (["understanding", "of"], 40.0, False),
        (["understanding", "of"], 140.0, True),
    ],
)
def test_keys_lie_level_where_that_costs_no_label(
    qapp, labels: list[str], pitch: float, level: bool
) -> None:
    metrics = QFontMetricsF(label_font(QFont()))
    room = label_room(labels, labels, QFont(), pitch)
    assert (room.top == metrics.height() + 6) == level
