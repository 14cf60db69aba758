"""The model beside the run in the window: checkpoints, rules tried out, a frame recomputed."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from pytestqt.qtbot import QtBot

from attn_debugger.demo import factories
from attn_debugger.recording import record
from attn_debugger.ui.model.run_dialog import RunDialog
from attn_debugger.ui.window.main_window import MainWindow
from attn_debugger.ui.window.settings import Settings


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of the demo model that shares query and key, with a checkpoint a step."""
    path = tmp_path_factory.mktemp("model") / "run.h5"
    model, batch, facts = factories.diagonal_collapse()
    model.eval()
    attributes = {**facts, "model": "attn_debugger demo: diagonal-collapse"}
    with record(model, path, every=1, scores=True, attributes=attributes) as recorder:
        for step in range(2):
            saved = path.parent / f"step_{step}.pt"
            torch.save(model.state_dict(), saved)
            recorder.saved(step, saved)
            with recorder.step(step):
                model(**batch)
            with torch.no_grad():
                for block in model.blocks:
                    block.attention.query.weight *= 1.01
    return path


@pytest.fixture
def window(open_window, run: Path) -> MainWindow:
    made: MainWindow = open_window(run)
    return made


def accept(window: MainWindow) -> RunDialog:
    (dialog,) = [d for d in window.findChildren(RunDialog) if d.isVisible()]
    dialog.accept()
    return dialog


def idle(qtbot: QtBot, window: MainWindow) -> None:
    qtbot.waitUntil(lambda: not window.work.is_running, timeout=60_000)


def test_checkpoints_decide_causes_and_follow_the_step(qtbot: QtBot, window: MainWindow) -> None:
    assert window.sides is not None
    model = window.sides.model
    model.weights.read_button.click()
    idle(qtbot, window)
    flags = window.session.findings.diagnosis.flags
    collapse = next(flag for flag in flags if flag.signal == "diagonal_collapse")
    causes = {cause.text: cause for cause in collapse.causes}
    shared = causes["q and k share their weights"]
    assert shared.status == "confirmed"
    assert "W_k is bitwise the same" in shared.because
    window.session.go_to_end()
    assert model._topology is not None
    assert os.path.basename(model._topology.path) == "step_1.pt"
    window.session.go_to_start()
    assert os.path.basename(model._topology.path) == "step_0.pt"
    assert "xavier" in model.weights.scales.text()


def test_the_frame_of_this_step_is_recomputed(qtbot: QtBot, window: MainWindow) -> None:
    assert window.sides is not None
    window.session.go_to_end()
    window.models.run("replay")
    dialog = accept(window)
    assert dialog.model.text() == "attn_debugger.demo.factories:diagonal_collapse"
    assert dialog.checkpoint.text().endswith("step_1.pt")
    idle(qtbot, window)
    assert "agree to 0.001" in window.sides.model.run.result.toPlainText()


def test_model_checks_are_shown_with_their_evidence(qtbot: QtBot, window: MainWindow) -> None:
    assert window.sides is not None
    window.actions_by_name["model_checks"].trigger()
    accept(window)
    idle(qtbot, window)
    said = window.sides.model.run.result.toPlainText()
    assert "0 failed" in said
    assert "Causal" in said


def test_a_probe_is_opened_as_a_run(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    window.actions_by_name["probe"].trigger()
    (dialog,) = [d for d in window.findChildren(RunDialog) if d.isVisible()]
    out = tmp_path / "probed.h5"
    dialog.output.setText(str(out))
    dialog.accept()
    qtbot.waitUntil(lambda: window.session.run.path == str(out), timeout=60_000)
    assert window.session.run.steps.tolist() == [0, 1]
    assert set(window.session.run.streams) == {"probe"}


def test_a_job_can_be_cancelled_and_the_window_goes_on(qtbot: QtBot, window: MainWindow) -> None:
    assert window.sides is not None
    window.sides.model.weights.read_button.click()
    assert window.work.is_running
    window.work.cancel()
    assert not window.work.is_running
    window.session.go_to_end()
    assert window.session.run is not None


def test_the_python_of_the_user_is_remembered(window: MainWindow) -> None:
    window.settings = Settings()
    window.settings.python = "/usr/bin/their-python"
    window.models.run("replay")
    (dialog,) = [d for d in window.findChildren(RunDialog) if d.isVisible()]
    assert dialog.python.text() == "/usr/bin/their-python"
    dialog.python.setText("/usr/bin/another")
    dialog.accept()
    assert Settings().python == "/usr/bin/another"
    window.work.cancel()


def test_what_if_has_its_own_tab(qtbot: QtBot, window: MainWindow) -> None:
    assert window.sides is not None
    what_if = window.sides.what_if
    assert what_if.answer is None
    window.actions_by_name["toggle_what_if"].trigger()
    qtbot.waitUntil(lambda: what_if.answer is not None, timeout=5_000)
    assert window.docks["timeline"].isVisible()
    window.actions_by_name["toggle_what_if"].trigger()
    assert not what_if.isVisible()


def test_no_torch_in_the_windows_process() -> None:
    """The tests import torch themselves, so a process of its own must tell."""
    import subprocess
    import sys

    code = (
        "import sys\n"
        "import attn_debugger.app, attn_debugger.ui.window.main_window\n"
        "import attn_debugger.ui.window.sides, attn_debugger.ui.window.model_commands\n"
        "sys.exit('torch' in sys.modules or 'h5py' in sys.modules)"
    )
    root = Path(__file__).parents[2]
    assert subprocess.run([sys.executable, "-c", code], cwd=root, check=False).returncode == 0


def test_a_folder_without_checkpoints_is_a_sentence(window: MainWindow, tmp_path: Path) -> None:
    window.models.open_folder(str(tmp_path))
    assert "holds no checkpoints" in window.notice.text
    assert not [d for d in window.findChildren(RunDialog) if d.isVisible()]


def test_a_folder_of_checkpoints_opens_as_a_timeline(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    model = torch.nn.TransformerEncoderLayer(16, 4, 32)
    for step in (0, 50):
        saved = {"state_dict": model.state_dict(), "config": {"nhead": 4}}
        torch.save(saved, tmp_path / f"step_{step}.pt")
    window.models.open_folder(str(tmp_path))
    qtbot.waitUntil(lambda: window.session.run.steps.tolist() == [0, 50], timeout=60_000)
    assert window.sides is not None
    view = window.sides.model.weights
    idle(qtbot, window)
    assert "xavier" in view.scales.text()
    assert view.weights_plot.message() == ""
    assert window.docks["model"].isVisible()
    assert "weights alone" in window.notice.text


def test_outputs_of_the_layers_are_read_while_they_are_seen(
    qtbot: QtBot, window: MainWindow
) -> None:
    assert window.sides is not None
    model = window.sides.model
    window.actions_by_name["toggle_model"].trigger()
    assert "Outputs at step" not in model.outputs.toPlainText()
    model.tabs.setCurrentWidget(model.outputs)
    qtbot.waitUntil(lambda: "Outputs at step 0" in model.outputs.toPlainText(), timeout=10_000)
    assert "L1" in model.outputs.toPlainText()
    window.session.go_to_end()
    qtbot.waitUntil(lambda: "Outputs at step 1" in model.outputs.toPlainText(), timeout=10_000)


def test_what_a_head_is_worth_stands_on_its_tile(qtbot: QtBot, window: MainWindow) -> None:
    assert window.views is not None
    assert window.sides is not None
    window.models.run("ablate")
    accept(window)
    idle(qtbot, window)
    assert "silenced" in window.sides.model.run.result.toPlainText()
    grid = window.views.grid
    assert grid._numbers is not None
    assert grid._numbers.shape == (2, 2)
    assert "head silenced" in grid._number_name
    window.session.go_to_end()
    assert "head silenced" in grid._number_name
    window.session.set_look(replace(window.session.state.look, tile_number="peak"))
    assert grid._number_name == "peak"


def test_a_text_of_mine_is_shown_in_the_grid_and_taken_away_again(
    qtbot: QtBot, window: MainWindow
) -> None:
    assert window.views is not None
    window.session.go_to_end()
    path = window.session.run.path
    window.models.run("here")
    (dialog,) = [d for d in window.findChildren(RunDialog) if d.isVisible()]
    dialog.kind.setCurrentIndex(dialog.kind.findData("text"))
    dialog.given.setText("abcabcab")
    dialog.accept()
    probes = window.session.probes
    qtbot.waitUntil(
        lambda: probes.shown is not None and probes.shown.differences is not None, timeout=60_000
    )
    bar = window.models.runs.bar
    assert window.session.run.path == path  # the run was never closed
    assert bar.isVisible()
    assert "“abcabcab”" in bar.words.text()
    assert "another input" in bar.words.text()
    window.session.wait_until_idle()
    assert window.views.head_frame.tokens == tuple("abcabcab")
    kept = Path(probes.shown.path)
    assert kept.exists()
    bar.turn_button.click()
    window.session.wait_until_idle()
    assert len(window.views.head_frame.tokens or ()) != 8
    bar.close_button.click()
    assert not bar.isVisible()
    assert not kept.exists()


@pytest.mark.coverage
def test_the_recorded_batch_is_compared_head_by_head(qtbot: QtBot, window: MainWindow) -> None:
    assert window.views is not None
    window.session.go_to_end()
    window.models.run("here")
    accept(window)
    probes = window.session.probes
    qtbot.waitUntil(
        lambda: probes.shown is not None and probes.shown.agrees is not None, timeout=60_000
    )
    assert probes.shown.agrees
    assert "agrees with the recording" in window.models.runs.bar.words.text()
    window.session.go_to_start()
    assert "as it was recorded" in window.models.runs.bar.words.text()
    window.session.close_run()
    assert not window.models.runs.bar.isVisible()


def test_one_head_is_scaled_and_a_token_taken_away(qtbot: QtBot, window: MainWindow) -> None:
    assert window.sides is not None
    window.session.go_to_end()
    window.session.select_cell(5, 3)
    window.docks["model"].hide()
    window.actions_by_name["scale_heads"].trigger()
    (dialog,) = [d for d in window.findChildren(RunDialog) if d.isVisible()]
    dialog.options.factor.setValue(2.0)
    dialog.options.which.setCurrentIndex(1)
    dialog.accept()
    idle(qtbot, window)
    said = window.sides.model.run.result.toPlainText()
    assert "Heads scaled by 2" in said
    assert said.count(".H") == 1
    assert window.docks["model"].isVisible()
    window.actions_by_name["replace_tokens"].trigger()
    (dialog,) = [d for d in window.findChildren(RunDialog) if d.isVisible()]
    assert dialog.options.places.text() == "3"
    dialog.options.places.setText("3-4")
    dialog.accept()
    idle(qtbot, window)
    said = window.sides.model.run.result.toPlainText()
    assert "3–4" in said
    assert "attention mass alone is not reliance" in said


def test_a_text_that_is_too_long_is_a_sentence_and_the_run_stays(
    qtbot: QtBot, window: MainWindow
) -> None:
    assert window.sides is not None
    window.models.run("here")
    (dialog,) = [d for d in window.findChildren(RunDialog) if d.isVisible()]
    dialog.kind.setCurrentIndex(dialog.kind.findData("text"))
    dialog.given.setText("a" * 500)
    dialog.accept()
    idle(qtbot, window)
    assert "500 tokens, and the position table" in window.sides.model._error.text()
    assert window.session.probes.shown is None
    assert window.session.run is not None
    window.session.go_to_end()
