"""What the dialog before a run of the model is filled in with."""

from __future__ import annotations

import os
from dataclasses import replace

import numpy as np

from attn_debugger.core.run import Checkpoint, LayerFacts, Run
from attn_debugger.session.model_wishes import RunnableModel
from attn_debugger.ui.model.run_dialog import Wish
from attn_debugger.ui.window.model_suggestion import suggested

RUN = Run(
    path="/runs/run.h5",
    version=1,
    steps=np.array([0, 150, 300]),
    streams=("train",) * 3,
    times=None,
    scalars={},
    curves={},
    layers=(),
    facts=LayerFacts(),
    attributes={"model": "attn_debugger demo: no-causal"},
    checkpoints=(Checkpoint(0, "c/0.pt"), Checkpoint(100, "c/100.pt"), Checkpoint(200, "c/200.pt")),
)


def test_the_weights_of_the_step_in_view_and_the_function_of_a_demo() -> None:
    model = suggested(Wish(), RUN, 1).model
    assert model.checkpoint == os.path.join("/runs", "c/100.pt")
    assert model.name == "attn_debugger.demo.factories:no_causal"
    assert model.folder == os.getcwd()
    assert suggested(Wish(), RUN, 2).model.checkpoint.endswith("200.pt")


def test_what_was_filled_in_stays() -> None:
    before = Wish(model=RunnableModel(name="theirs:make", checkpoint="/x.pt", folder="/f"))
    found = suggested(before, replace(RUN, checkpoints=()), 0)
    assert found == before
    assert suggested(before, None, 0) == before


def test_checkpoints_far_away_are_not_suggested() -> None:
    far = replace(RUN, path="ssh://there/runs/run.h5")
    assert suggested(Wish(), far, 2).model.checkpoint == ""
