"""What a run of the model may do, as the dialog offers it; and the bar above a probe."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtWidgets import QDialogButtonBox
from pytestqt.qtbot import QtBot

from attn_debugger.core.heads import HeadRef
from attn_debugger.session.model_wishes import RunnableModel, Trial
from attn_debugger.session.probes import ShownProbe
from attn_debugger.ui.model.probe_bar import ProbeBar
from attn_debugger.ui.model.run_dialog import RunDialog, Wish
from attn_debugger.ui.model.run_options import (
    CheckOptions,
    Options,
    ScaleOptions,
    TokenOptions,
    places_of,
    spans_of,
)


def dialog(qtbot: QtBot, options: Options) -> RunDialog:
    before = Wish(model=RunnableModel(name="attn_debugger.demo.factories:healthy"))
    made = RunDialog("Run", before, options=options)
    qtbot.addWidget(made)
    made.show()
    return made


def can_go(made: RunDialog) -> bool:
    return made.buttons.button(QDialogButtonBox.StandardButton.Ok).isEnabled()


def test_the_check_of_learning_by_heart_is_opt_in(qtbot: QtBot) -> None:
    made = dialog(qtbot, CheckOptions(Trial()))
    assert not made.wish().trial.overfit
    made.options.overfit.setChecked(True)
    assert made.wish().trial.overfit


def test_heads_are_scaled_all_or_the_selected_one(qtbot: QtBot) -> None:
    options = ScaleOptions(Trial(), HeadRef(1, 3))
    made = dialog(qtbot, options)
    assert made.wish().trial == Trial(factor=0.0)
    assert "silences" in options.meaning.text()
    options.factor.setValue(1.5)
    options.which.setCurrentIndex(1)
    assert "L1.H3" in options.which.currentText()
    assert made.wish().trial == Trial(factor=1.5, head=HeadRef(1, 3))
    assert ScaleOptions(Trial(), None).which.count() == 1


def test_tokens_are_chosen_in_the_list_or_by_position(qtbot: QtBot) -> None:
    options = TokenOptions(Trial(), ("the", "cat", "sat", "down"), selected=1)
    made = dialog(qtbot, options)
    assert made.wish().trial.spans == ((1, 2),)  # the key that was pointed at in the map
    options.list.clearSelection()
    assert made.problem.isVisible()
    assert not can_go(made)
    for row in (0, 2, 3):
        options.list.item(row).setSelected(True)
    assert options.places.text() == "0, 2-3"
    assert made.wish().trial.spans == ((0, 1), (2, 4))
    options.how.setCurrentIndex(options.how.findData("token"))
    options.token.setValue(103)
    assert made.wish().trial.token == 103
    options.how.setCurrentIndex(options.how.findData("hide"))
    assert made.wish().trial == Trial(spans=((0, 1), (2, 4)), hide=True)
    options.which.setCurrentIndex(0)
    assert made.wish().trial.spans == ()
    # The list is of the recorded batch; of another input only positions are known.
    options.which.setCurrentIndex(1)
    made.kind.setCurrentIndex(made.kind.findData("recorded"))
    assert options.list.isVisible()
    made.kind.setCurrentIndex(made.kind.findData("own"))
    assert not options.list.isVisible()


@pytest.mark.parametrize(
    ("text", "spans"),
    [
        ("4", ((4, 5),)),
        ("3-5, 8", ((3, 6), (8, 9))),
        ("3-", None),
        ("5-3", None),
        ("", None),
        ("a", None),
    ],
)
def test_positions_as_they_are_written(text: str, spans: object) -> None:
    assert spans_of(text) == spans
    if spans:
        assert places_of(spans) == text  # type: ignore[arg-type]


def test_the_bar_says_that_it_is_a_probe_and_leads_back(qtbot: QtBot) -> None:
    bar = ProbeBar()
    qtbot.addWidget(bar)
    shown = ShownProbe(title="Your text “hi”", step=300, frame_index=3, path="p.h5")
    bar.show_probe(shown, 3)
    assert not bar.isHidden()
    assert "not recorded" in bar.badge.text()
    assert not bar.badge.isHidden()
    assert "comparing" in bar.words.text()
    with qtbot.waitSignal(bar.turned) as told:
        bar.turn_button.click()
    assert told.args == [False]
    agreeing = replace(shown, differences=np.array([[1e-4, np.nan]]), agrees=True)
    bar.show_probe(agreeing, 3)
    assert "agrees with the recording" in bar.words.text()
    bar.show_probe(replace(agreeing, agrees=False), 3)
    assert "L0.H0" in bar.words.text()
    bar.show_probe(replace(agreeing, agrees=None, reason="another input"), 3)
    assert "not compared: another input" in bar.words.text()
    bar.show_probe(replace(shown, is_on=False), 3)
    assert bar.turn_button.text() == "Show the probe"
    bar.show_probe(shown, 4)
    assert "as it was recorded" in bar.words.text()
    assert bar.badge.isHidden()
    with qtbot.waitSignal(bar.step_wanted) as told:
        bar.turn_button.click()
    assert told.args == [3]
    bar.show_probe(None, 4)
    assert bar.isHidden()
