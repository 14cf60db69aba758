"""Weights over checkpoints beside the scores; results of running the model; the dialog before."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from panel_values import show
from PySide6.QtCore import QUrl
from PySide6.QtWidgets import QDialogButtonBox
from pytestqt.qtbot import QtBot

from attn_debugger.analysis.output_profile import layer_output, profile_of
from attn_debugger.core.heads import HeadRef
from attn_debugger.core.run import Checkpoint, LayerFacts, Run
from attn_debugger.core.topology import ModelCheck
from attn_debugger.core.weights import (
    CheckpointWeights,
    LayerWeights,
    ProjectionScale,
    WeightHistory,
)
from attn_debugger.session.model_wishes import RunnableModel
from attn_debugger.ui.model.outputs_view import outputs_html
from attn_debugger.ui.model.results import (
    ablation_html,
    checks_result_html,
    occlusion_html,
    replay_html,
)
from attn_debugger.ui.model.run_dialog import RunDialog, Wish
from attn_debugger.ui.model.run_view import RunView
from attn_debugger.ui.model.weights_view import WeightsView
from attn_debugger.ui.theme import LIGHT, Theme

RUN = Run(
    path="run.h5",
    version=1,
    steps=np.array([0, 100, 200]),
    streams=("train",) * 3,
    times=None,
    scalars={},
    curves={},
    layers=(),
    facts=LayerFacts(),
    attributes={},
    checkpoints=(Checkpoint(0, "a.pt"), Checkpoint(200, "b.pt")),
)


def weights() -> WeightHistory:
    history = WeightHistory()
    for step, gain, std in ((0, 1.0, 0.3), (200, 5.0, 0.05)):
        layer = LayerWeights(
            path="h.0.attn",
            layer=0,
            per_head={"score_gain": (gain, 2 * gain), "query_norm": (gain, gain)},
            scales={"query": ProjectionScale(std=std, xavier=0.09, kaiming=0.12)},
            unchanged=("query",) if step else (),
        )
        read = CheckpointWeights(path=f"{step}.pt", step=step, layers=(layer,))
        history = history.with_checkpoint(read)
    return history


@pytest.fixture
def view(qtbot: QtBot, theme: Theme) -> WeightsView:
    made = WeightsView()
    qtbot.addWidget(made)
    made.set_theme(theme)
    made.show_run(RUN)
    show(made, 320, 600)
    return made


def test_it_says_why_there_is_nothing_to_see(view: WeightsView, qtbot: QtBot) -> None:
    assert "2 checkpoints, not read yet" in view.weights_plot.message()
    assert "not scanned" in view.scores_plot.message()
    with qtbot.waitSignal(view.read_requested):
        view.read_button.click()
    view.show_run(replace(RUN, path="other.h5", checkpoints=()))
    assert "lists no checkpoints" in view.weights_plot.message()
    assert not view.read_button.isEnabled()


def test_the_head_is_drawn_over_the_steps_of_the_checkpoints(view: WeightsView) -> None:
    view.select_head(HeadRef(0, 1))
    view.show_weights(weights())
    view.move_cursor(200)
    view._draw()
    assert view.weights_plot.message() == ""
    assert view.weights_plot.read_out() == "10"
    view.move_cursor(0)
    assert view.weights_plot.read_out() == "2"
    view.number.setCurrentIndex(1)
    assert view.weights_plot.read_out() == "1"
    view.select_head(HeadRef(3, 0))
    assert "layer 3" in view.weights_plot.message()


def test_the_spread_stands_beside_what_initialisers_give(view: WeightsView) -> None:
    view.show_weights(weights())
    view.select_head(HeadRef(0, 0))
    view.move_cursor(150)
    assert "step 0" in view.scales.text()
    assert "3.3 times xavier" in view.scales.text()
    view.move_cursor(200)
    assert "times xavier" not in view.scales.text()
    assert "never moved" in view.scales.text()


def test_an_unreadable_checkpoint_is_said(view: WeightsView) -> None:
    broken = CheckpointWeights(path="a.pt", step=0, error="a.pt: cut short")
    view.show_weights(WeightHistory().with_checkpoint(broken))
    view._draw()
    assert view.weights_plot.message() == "a.pt: cut short"


def test_checkpoints_of_a_run_far_away_are_not_read(view: WeightsView) -> None:
    view.show_run(replace(RUN, path="ssh://there/run.h5", checkpoints=(Checkpoint(0, "a.pt"),)))
    assert not view.read_button.isEnabled()
    assert "another machine" in view.weights_plot.message()


def test_results_are_words_numbers_and_links() -> None:
    checks = [
        ModelCheck(name="scale", result="passed", evidence="fine"),
        ModelCheck(name="causal", result="failed", evidence="<b>future</b>"),
        ModelCheck(name="padding", result="not_run", reason="no mask"),
    ]
    html = checks_result_html(checks, LIGHT, [ModelCheck(name="one dtype", result="passed")])
    assert html.index("Scale") < html.index("Rules on its weights") < html.index("One dtype")
    html = checks_result_html(checks, LIGHT)
    assert "1 passed, 1 failed, 1 not run" in html
    assert html.index("Causal") < html.index("Padding") < html.index("Scale")
    assert "&lt;b&gt;future" in html
    ablation = {
        "measure": "next-token loss",
        "unit": "nats",
        "baseline": 2.0,
        "factor": 2.0,
        "changes": [[0.1, None], [3.0, -0.2]],
        "notes": ["a note"],
    }
    html = ablation_html(ablation, LIGHT)
    assert html.index("L1.H0") < html.index("L0.H0") < html.index("L1.H1")
    assert "L0.H1" not in html
    assert "+3" in html
    assert "a note" in html
    assert "Heads scaled by 2" in html
    assert "Heads silenced" in ablation_html(ablation | {"factor": 0.0}, LIGHT)
    occlusion = {
        "measure": "loss",
        "sample": 0,
        "unit": "nats",
        "replaced_by": "token 3",
        "warning": "mass is not reliance",
        "spans": [
            {"first": 0, "last": 0, "change": 0.1, "attention": 0.9, "logits": [9.0, 0.5, 0.1]},
            {"first": 1, "last": 2, "change": -2.0, "attention": None, "logits": [None, 1.0, 3]},
            {"first": 2, "last": 2, "change": None, "attention": 0.1, "logits": [0.25]},
        ],
    }
    html = occlusion_html(occlusion, LIGHT, ("<s>", "cat", "sat"))
    assert html.index("1–2 cat sat") < html.index("&lt;s&gt;") < html.index("2 sat&nbsp;")
    assert "0.5 at 1" in html  # not 9: that is the logit of what was replaced itself
    assert "0.25&nbsp;" in html
    assert "mass is not reliance" in html
    replay = {
        "agrees": False,
        "sentence": "step 3: they differ",
        "notes": [],
        "layers": [
            {"layer": 0, "differences": [0.1, 0.3], "agrees": False, "reason": ""},
            {"layer": 1, "differences": [None], "agrees": None, "reason": "no map"},
        ],
    }
    html = replay_html(replay, LIGHT)
    assert "head:0:1" in html
    assert "no map" in html


def test_a_head_in_a_result_is_a_way_to_it(qtbot: QtBot) -> None:
    view = RunView()
    qtbot.addWidget(view)
    view.show_result("<a href='head:2:5'>L2.H5</a>")
    with qtbot.waitSignal(view.head_activated) as told:
        view.result.anchorClicked.emit(QUrl("head:2:5"))
    assert told.args[0] == HeadRef(2, 5)
    with qtbot.assertNotEmitted(view.head_activated):
        view.result.anchorClicked.emit(QUrl("https://example.org"))
    with qtbot.waitSignal(view.run_requested) as told:
        view.buttons["ablate"].click()
    assert told.args == ["ablate"]
    view.forget()
    assert view.result.toPlainText() == ""


def dialog(qtbot: QtBot, name: str = "", **kwargs: object) -> RunDialog:
    before = Wish(model=RunnableModel(name=name), checkpoints=("/c/a1.pt", "/c/a2.pt"))
    made = RunDialog("Model checks", before, **kwargs)  # type: ignore[arg-type]
    qtbot.addWidget(made)
    made.show()
    return made


def can_go(made: RunDialog) -> bool:
    return made.buttons.button(QDialogButtonBox.StandardButton.Ok).isEnabled()


def test_code_is_agreed_to_by_name(qtbot: QtBot) -> None:
    made = dialog(qtbot)
    assert not can_go(made)
    made.model.setText("theirs:make")
    assert made.agreement.isVisible()
    assert "theirs:make" in made.agreement.text()
    assert not can_go(made)
    made.agreement.setChecked(True)
    assert can_go(made)
    assert made.wish().model.trusted
    made.model.setText("others:make")
    assert not made.agreement.isChecked()
    assert not can_go(made)


def test_our_own_models_and_folders_run_no_foreign_code(qtbot: QtBot, tmp_path) -> None:
    made = dialog(qtbot, "attn_debugger.demo.factories:healthy")
    assert can_go(made)
    assert not made.agreement.isVisible()
    assert not made.wish().model.trusted
    made.model.setText(str(tmp_path))
    assert can_go(made)


def test_an_agreement_of_this_session_is_remembered(qtbot: QtBot) -> None:
    made = dialog(qtbot, "theirs:make", agreed=frozenset({"theirs:make"}))
    assert can_go(made)
    assert made.wish().model.trusted


def test_text_or_a_file_can_be_given(qtbot: QtBot) -> None:
    made = dialog(qtbot, "attn_debugger.demo.factories:healthy")
    made.kind.setCurrentIndex(made.kind.findData("recorded"))
    assert made.wish().given.arguments() == ["--recorded"]
    assert not made.given.isVisible()
    made.kind.setCurrentIndex(made.kind.findData("text"))
    assert not can_go(made)
    made.given.setText("hello world")
    assert made.wish().given.arguments() == ["--text", "hello world"]
    made.kind.setCurrentIndex(made.kind.findData("file"))
    made.given.setText("/b.pt")
    assert made.wish().given.arguments() == ["--batch", "/b.pt"]


def test_a_probe_needs_checkpoints_and_a_place(qtbot: QtBot, tmp_path: Path) -> None:
    made = dialog(qtbot, "attn_debugger.demo.factories:healthy", for_probe=True)
    assert made.checkpoints.text() == "2: a1.pt … a2.pt"
    assert not can_go(made)
    made.output.setText(str(tmp_path / "new.h5"))
    assert can_go(made)
    assert made.wish().output == str(tmp_path / "new.h5")


def test_the_layer_after_which_the_range_jumps_is_marked() -> None:
    stored = [{"mean": 0.1, "var": var, "abs_max": 2.0} for var in (1.0, 1.0, 100.0)]
    layers = [layer_output(i, f"h.{i}", output) for i, output in enumerate(stored)]
    html = outputs_html(profile_of(0, 700, layers), LIGHT)
    assert "step 700" in html
    assert "jumps after layer 1: 100 times" in html
    assert html.count(LIGHT.warning) > 1
    assert "not recorded" in outputs_html(profile_of(0, 0, [layer_output(0, "h", {})]), LIGHT)
    broken = [layer_output(0, "h", {"var": 1.0}), layer_output(1, "i", {"var": float("nan")})]
    assert "layer 1 is not finite" in outputs_html(profile_of(0, 0, broken), LIGHT)
