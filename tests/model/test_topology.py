from __future__ import annotations

import dataclasses
import json
import math
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
import torch

from attn_debugger.core.run import Checkpoint, LayerFacts, LayerInfo, Run
from attn_debugger.core.topology import ModelCheck, ModelTopology
from attn_debugger.demo.models import Design, TinyTransformer
from attn_debugger.errors import ModelError
from attn_debugger.model.__main__ import main
from attn_debugger.model.topology import describe


def layer(index: int, name: str, *, heads: int = 3, keys: int = 10) -> LayerInfo:
    return LayerInfo(
        index=index,
        facts=LayerFacts(name=name, d_head=8),
        n_samples=1,
        n_heads=heads,
        n_queries=keys,
        n_keys=keys,
        storage="float16",
        maps=frozenset({"weights"}),
        stats=frozenset(),
    )


def run_of(
    folder: Path, layers: Sequence[LayerInfo], checkpoints: Sequence[Checkpoint] = ()
) -> Run:
    return Run(
        path=str(folder / "run.h5"),
        version=1,
        steps=np.array([0, 5]),
        streams=("train", "train"),
        times=None,
        scalars={},
        curves={},
        layers=tuple(layers),
        facts=LayerFacts(),
        attributes={},
        checkpoints=tuple(checkpoints),
    )


def check(topology: ModelTopology, name: str) -> ModelCheck:
    (found,) = [item for item in topology.checks if item.name == name]
    return found


@pytest.fixture
def checkpoint(tmp_path: Path, model: TinyTransformer) -> Path:
    path = tmp_path / "step_000005.pt"
    torch.save(model.state_dict(), path)
    return path


@pytest.fixture
def run(tmp_path: Path) -> Run:
    return run_of(tmp_path, [layer(0, "blocks.0.attention"), layer(1, "blocks.1.attention")])


def test_without_an_archive_heads_are_unknown(checkpoint: Path, model: TinyTransformer) -> None:
    topology = describe(checkpoint)
    assert [m.path for m in topology.modules] == ["blocks.0.attention", "blocks.1.attention"]
    first = topology.modules[0]
    assert (first.d_model, first.n_heads, first.heads_from, first.per_head) == (24, None, "", None)
    assert first.n_parameters == 4 * 24 * 24
    assert topology.n_parameters == sum(p.numel() for p in model.parameters())
    assert topology.n_bytes == 4 * topology.n_parameters
    assert topology.dtypes == ("float32",)
    assert check(topology, "heads divide the width").result == "not_run"
    assert check(topology, "query and key differ").result == "not_run"


def test_the_archive_tells_the_heads(checkpoint: Path, run: Run) -> None:
    topology = describe(checkpoint, run=run)
    assert [m.n_heads for m in topology.modules] == [3, 3]
    assert [m.archive_layer for m in topology.modules] == [0, 1]
    assert topology.modules[1].heads_from == "archive layer 1"
    assert topology.modules[0].d_head == 8
    assert topology.unmatched == ()
    assert {c.name for c in topology.checks if c.result == "failed"} == set()
    per_head = topology.modules[0].per_head
    assert per_head is not None
    assert all(len(values) == 3 for values in per_head.values())


def test_heads_given_by_hand_win(checkpoint: Path) -> None:
    topology = describe(checkpoint, heads=4)
    assert topology.modules[0].n_heads == 4
    assert topology.modules[0].heads_from == "given by hand"


def test_heads_that_do_not_divide_the_width_fail(checkpoint: Path) -> None:
    topology = describe(checkpoint, heads=5)
    found = check(topology, "heads divide the width")
    assert found.result == "failed"
    assert "24 / 5" in found.evidence
    assert topology.modules[0].per_head is None


def test_a_wrapper_in_the_names_is_no_obstacle(
    tmp_path: Path, model: TinyTransformer, run: Run
) -> None:
    path = tmp_path / "wrapped.pt"
    torch.save({f"network.{n}": t for n, t in model.state_dict().items()}, path)
    topology = describe(path, run=run)
    assert [m.archive_layer for m in topology.modules] == [0, 1]


def test_other_names_are_matched_by_order_and_said(checkpoint: Path, tmp_path: Path) -> None:
    topology = describe(checkpoint, run=run_of(tmp_path, [layer(0, ""), layer(1, "")]))
    assert [m.archive_layer for m in topology.modules] == [0, 1]
    assert any("matched by their order" in sentence for sentence in topology.unmatched)


def test_what_matches_only_in_part_is_listed(checkpoint: Path, tmp_path: Path) -> None:
    layers = [layer(0, "blocks.0.attention"), layer(1, "decoder.cross"), layer(2, "decoder.self")]
    topology = describe(checkpoint, run=run_of(tmp_path, layers))
    assert [m.archive_layer for m in topology.modules] == [0, None]
    assert topology.modules[1].n_heads is None
    said = " / ".join(topology.unmatched)
    assert "archive layer 1 (decoder.cross)" in said
    assert "archive layer 2 (decoder.self)" in said
    assert "blocks.1.attention was not recorded" in said
    assert check(topology, "matches the archive").result == "failed"


def test_one_module_may_be_several_layers(tmp_path: Path, design: Design) -> None:
    path = tmp_path / "shared.pt"
    torch.save(TinyTransformer(dataclasses.replace(design, layers=1)).state_dict(), path)
    layers = [layer(0, "blocks.0.attention"), layer(1, "blocks.0.attention (call 2)")]
    topology = describe(path, run=run_of(tmp_path, layers))
    assert [m.archive_layer for m in topology.modules] == [0]
    assert check(topology, "matches the archive").result == "passed"
    assert topology.unmatched == (
        "archive layer 1 (blocks.0.attention (call 2)) runs on the weights of an earlier layer",
    )


def test_layers_of_another_shape_are_not_matched_by_order(checkpoint: Path, tmp_path: Path) -> None:
    layers = [layer(0, "a", heads=7), layer(1, "b", heads=7)]
    topology = describe(checkpoint, run=run_of(tmp_path, layers))
    assert [m.archive_layer for m in topology.modules] == [None, None]


def test_a_short_position_table_is_found(checkpoint: Path, tmp_path: Path) -> None:
    layers = [layer(i, f"blocks.{i}.attention", keys=11) for i in range(2)]
    found = check(describe(checkpoint, run=run_of(tmp_path, layers)), "position table long enough")
    assert found.result == "failed"
    assert "10 positions" in found.evidence
    assert "11 tokens" in found.evidence


def test_no_position_table_is_unknown(tmp_path: Path, design: Design) -> None:
    path = tmp_path / "w.pt"
    torch.save(TinyTransformer(dataclasses.replace(design, positions=False)).state_dict(), path)
    assert check(describe(path), "position table long enough").result == "not_run"


def test_nonfinite_and_zero_parameters_are_found(
    tmp_path: Path, model: TinyTransformer, run: Run
) -> None:
    state = model.state_dict()
    state["blocks.1.attention.key.weight"][3, 4] = math.nan
    state["blocks.0.attention.out.weight"].zero_()
    path = tmp_path / "broken.pt"
    torch.save(state, path)
    topology = describe(path, run=run)
    assert topology.n_nonfinite == 1
    finite = check(topology, "finite parameters")
    assert (finite.result, finite.evidence) == ("failed", "blocks.1.attention.key.weight (1)")
    zero = check(topology, "no matrix is all zero")
    assert (zero.result, zero.evidence) == ("failed", "blocks.0.attention.out.weight")
    # Spectra of NaN would be NaN: unknown is said as unknown.
    assert "score_gain" not in (topology.modules[1].per_head or {})
    json.dumps(topology.to_json(), allow_nan=False)


def test_mixed_dtypes_are_found(tmp_path: Path, model: TinyTransformer) -> None:
    state = model.state_dict()
    state["head.weight"] = state["head.weight"].half()
    path = tmp_path / "mixed.pt"
    torch.save(state, path)
    topology = describe(path)
    assert topology.dtypes == ("float16", "float32")
    assert check(topology, "one dtype").result == "failed"


def test_shared_query_and_key_are_found(tmp_path: Path, model: TinyTransformer, run: Run) -> None:
    state = model.state_dict()
    state["blocks.0.attention.key.weight"] = state["blocks.0.attention.query.weight"].clone()
    path = tmp_path / "tied.pt"
    torch.save(state, path)
    found = check(describe(path, run=run), "query and key differ")
    assert (found.result, found.evidence) == ("failed", "blocks.0.attention")


def test_a_projection_that_never_moves_is_found(tmp_path: Path, model: TinyTransformer) -> None:
    folder = tmp_path / "run.checkpoints"
    folder.mkdir()
    torch.save(model.state_dict(), folder / "step_0.pt")
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            if name != "blocks.1.attention.key.weight":
                parameter += 0.01
    torch.save(model.state_dict(), folder / "step_5.pt")
    run = run_of(
        tmp_path,
        [layer(i, f"blocks.{i}.attention") for i in range(2)],
        [Checkpoint(0, "run.checkpoints/step_0.pt"), Checkpoint(5, "run.checkpoints/step_5.pt")],
    )
    last = describe(folder / "step_5.pt", run=run)
    assert last.step == 5
    found = check(last, "projections train")
    assert found.result == "failed"
    assert "key of blocks.1.attention did not change between steps 0 and 5" in found.evidence
    first = describe(folder / "step_0.pt", run=run)
    assert first.step == 0
    assert check(first, "projections train").result == "not_run"


@pytest.mark.parametrize(("std", "result"), [(0.3, "passed"), (0.9, "failed"), (0.02, "passed")])
def test_the_start_is_held_against_initialisers(
    tmp_path: Path, design: Design, std: float, result: str
) -> None:
    torch.manual_seed(0)
    model = TinyTransformer(dataclasses.replace(design, projection_std=std))
    torch.save(model.state_dict(), tmp_path / "first.pt")
    layers = [layer(i, f"blocks.{i}.attention") for i in range(2)]
    run = run_of(tmp_path, layers, [Checkpoint(0, "first.pt")])
    found = check(describe(tmp_path / "first.pt", run=run), "initial scale")
    assert found.result == result
    assert "kaiming 0.289" in found.evidence
    # A later checkpoint of the run shows it too.
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.mul_(0.1)
    torch.save(model.state_dict(), tmp_path / "later.pt")
    run = run_of(tmp_path, layers, [Checkpoint(5, "later.pt"), Checkpoint(0, "first.pt")])
    assert check(describe(tmp_path / "later.pt", run=run), "initial scale") == found


def test_an_earlier_checkpoint_that_is_gone_is_said(checkpoint: Path, tmp_path: Path) -> None:
    layers = [layer(i, f"blocks.{i}.attention") for i in range(2)]
    listed = [Checkpoint(0, "gone.pt"), Checkpoint(5, checkpoint.name)]
    topology = describe(checkpoint, run=run_of(tmp_path, layers, listed))
    found = check(topology, "projections train")
    assert found.result == "not_run"
    assert "gone.pt" in found.reason


def test_weights_without_attention_are_said(tmp_path: Path) -> None:
    path = tmp_path / "mlp.pt"
    torch.save(torch.nn.Linear(3, 3).state_dict(), path)
    topology = describe(path)
    assert topology.modules == ()
    assert topology.unmatched == ("no attention module was recognised",)


def test_json_round_trip(checkpoint: Path, run: Run) -> None:
    topology = describe(checkpoint, run=run)
    text = json.dumps(topology.to_json(), allow_nan=False)
    assert ModelTopology.from_json(json.loads(text)) == topology


def test_the_process_prints_one_json_object(checkpoint: Path) -> None:
    command = [sys.executable, "-m", "attn_debugger.model", str(checkpoint), "--json"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    topology = ModelTopology.from_json(json.loads(done.stdout))
    assert len(topology.modules) == 2
    assert done.stderr == ""


def test_the_process_says_a_sentence_and_exits_2(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([str(tmp_path / "absent.pt"), "--json"]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith(str(tmp_path / "absent.pt"))
    assert said.err.count("\n") == 1


def test_people_can_read_it_too(checkpoint: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(checkpoint)]) == 0
    said = capsys.readouterr().out
    assert "blocks.0.attention: unknown number of heads, width 24" in said
    assert "finite parameters: passed" in said


def test_unreadable_checkpoint_raises(tmp_path: Path) -> None:
    with pytest.raises(ModelError):
        describe(tmp_path)
