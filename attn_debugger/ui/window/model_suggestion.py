"""What the dialog before a run of the model is filled in with."""

from __future__ import annotations

import os
from dataclasses import replace

from attn_debugger.core.address import is_remote
from attn_debugger.core.run import Run
from attn_debugger.ui.model.run_dialog import Wish
from attn_debugger.ui.window.checkpoint_folders import beside

_DEMO = "attn_debugger demo: "


def suggested(before: Wish, run: Run | None, frame_index: int) -> Wish:
    """Return what was filled in last, with the weights of the step in view.

    Of a demo run also the function that makes its model.
    """
    if run is None:
        return before
    model = before.model
    made_by = str(run.attributes.get("model", ""))
    if not model.name and made_by.startswith(_DEMO):
        name = made_by.removeprefix(_DEMO).replace("-", "_")
        model = replace(model, name=f"attn_debugger.demo.factories:{name}")
    step = int(run.steps[frame_index])
    earlier = [item for item in run.checkpoints if item.step <= step]
    if earlier and not is_remote(run.path):
        newest = max(earlier, key=lambda item: item.step)
        model = replace(model, checkpoint=beside(run, newest.path))
    if not model.folder:
        model = replace(model, folder=os.getcwd())
    return replace(before, model=model)
