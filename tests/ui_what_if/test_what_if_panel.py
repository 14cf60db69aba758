"""The what-if panel: what the knobs do, what is greyed and why."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtGui import QStandardItemModel
from pytestqt.qtbot import QtBot
from what_if_frames import head_frame

from attn_debugger.analysis.what_if import Change, basis_of, what_if
from attn_debugger.ui.theme import DARK, LIGHT
from attn_debugger.ui.what_if.panel import WhatIfPanel


@pytest.fixture
def panel(qtbot: QtBot) -> WhatIfPanel:
    made = WhatIfPanel()
    qtbot.addWidget(made)
    made.set_theme(LIGHT)
    made.resize(1200, 420)
    made.show()
    return made


def test_untouched_it_shows_what_was_recorded(panel: WhatIfPanel) -> None:
    frame = head_frame()
    panel.show_head(frame)
    assert frame.weights is not None
    assert panel.controls.change() == Change()
    np.testing.assert_array_equal(panel.strip.panes[0].values, frame.weights[0])
    np.testing.assert_array_equal(panel.strip.panes[1].values, frame.weights[0])
    assert not panel.strip.panes[2].values.any()
    assert "step 200" in panel.strip.panes[0].title


def test_taking_the_sink_away_shows_map_and_difference(panel: WhatIfPanel) -> None:
    frame = head_frame()
    panel.show_head(frame)
    assert panel.controls.sink_button.text().startswith("key 0")
    panel.controls.sink_button.click()
    expected = what_if(basis_of(frame), Change(without_key=0))
    np.testing.assert_array_equal(panel.strip.panes[1].values, expected.weights)
    assert not np.nan_to_num(panel.strip.panes[1].values[:, 0]).any()
    assert np.nanmin(panel.strip.panes[2].values) < -0.5
    assert panel.answer is not None
    assert panel.answer.n_empty_rows == 1
    panel.controls.reset_button.click()
    assert panel.controls.change() == Change()
    assert panel.answer.n_empty_rows == 0


def test_every_knob_reaches_the_answer(panel: WhatIfPanel) -> None:
    panel.show_head(head_frame())
    knobs = panel.controls
    knobs.temperature.setValue(50)
    knobs.causal.setCurrentIndex(2)
    knobs.window_size.setValue(4)
    knobs.without_key.setValue(5)
    knobs.dropout.setValue(0.3)
    change = knobs.change()
    assert change.temperature == pytest.approx(10**0.5, abs=1e-3)
    assert (change.causal, change.window, change.without_key) == (False, 4, 5)
    assert change.dropout == pytest.approx(0.3)
    assert panel.answer is not None
    before = panel.answer.weights
    knobs.draw_button.click()
    assert panel.answer.weights is not before
    assert (panel.answer.weights != before).any()


def test_what_the_weights_do_not_tell_is_grey_with_its_reason(panel: WhatIfPanel) -> None:
    panel.show_head(head_frame(with_scores=False))
    knobs = panel.controls
    model = knobs.causal.model()
    assert isinstance(model, QStandardItemModel)
    assert not model.item(2).isEnabled()
    assert "record scores=True" in model.item(2).toolTip()
    assert not knobs.scale.isEnabled()
    assert "qk=True" in knobs.scale.toolTip()
    assert not knobs.padding.isEnabled()
    assert "Not known here" in knobs.reasons.text()
    assert "stored weights" in knobs.reasons.text()
    assert knobs.without_key.isEnabled()


def test_changes_stay_while_stepping(panel: WhatIfPanel) -> None:
    panel.show_head(head_frame())
    panel.controls.temperature.setValue(-40)
    panel.show_head(replace(head_frame(), step=300))
    assert panel.controls.temperature.value() == -40
    assert "step 300" in panel.strip.panes[0].title
    # A step that only has weights forbids what was asked: it falls back, and is not hidden.
    panel.controls.causal.setCurrentIndex(2)
    panel.show_head(head_frame(with_scores=False))
    assert panel.controls.change().causal is None
    assert panel.answer is not None


def test_it_computes_only_while_it_is_seen(panel: WhatIfPanel) -> None:
    panel.hide()
    panel.show_head(head_frame())
    assert panel.answer is None
    panel.show()
    assert panel.answer is not None


def test_no_map_is_a_sentence(panel: WhatIfPanel) -> None:
    panel.show_head(replace(head_frame(), weights=None))
    assert "no full map" in panel._message.text()
    assert not panel.controls.isEnabled()
    panel.show_head(None, "the file is gone")
    assert panel._message.text() == "the file is gone"


def test_both_themes(panel: WhatIfPanel) -> None:
    panel.show_head(head_frame())
    light = panel.grab().toImage()
    panel.set_theme(DARK)
    assert panel.grab().toImage() != light
