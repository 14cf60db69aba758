from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import torch
from torch import Generator, Tensor, nn
from torch.nn import functional

from attn_debugger.core.topology import ModelCheck
from attn_debugger.demo import factories
from attn_debugger.demo.catalog import DEMOS
from attn_debugger.demo.models import Design, TinyTransformer
from attn_debugger.errors import ModelError
from attn_debugger.model.batches import invented_batch
from attn_debugger.model.experiments import EXPERIMENTS, run_checks
from attn_debugger.model.hugging_face import configured_scale
from attn_debugger.model.inputs import read_inputs
from attn_debugger.model.live import LiveModel, load_live

NAMES = ("padding", "causal", "order", "scale", "dropout", "row_sums", "batch", "precision")
FAILS = {
    "missing-scale": {"scale"},
    "pad-leak": {"padding"},
    "no-causal": {"causal"},
    "left-pad-nan": {"padding"},
    "no-position": {"order"},
}


def results(live: LiveModel) -> dict[str, ModelCheck]:
    return {check.name: check for check in run_checks(live)}


def failing(checks: Mapping[str, ModelCheck]) -> set[str]:
    return {name for name, check in checks.items() if check.result == "failed"}


def live_of(model: nn.Module, ids: Tensor | None = None, **facts: Any) -> LiveModel:
    if ids is None:
        ids = torch.randint(11, (3, 10), generator=Generator().manual_seed(0))
    return LiveModel(model=model.eval(), inputs=read_inputs(model, ids), facts=facts)


@pytest.mark.parametrize("name", [name for name in DEMOS if name != "overflow-nan"])
def test_each_demo_fails_the_check_it_should(name: str) -> None:
    live = load_live(f"attn_debugger.demo.factories:{name.replace('-', '_')}")
    checks = results(live)
    assert tuple(checks) == NAMES
    assert failing(checks) == FAILS.get(name, set())
    if name in ("healthy", "induction"):
        assert {check.result for check in checks.values()} == {"passed"}
    for check in checks.values():
        assert check.evidence or check.reason


def test_weights_that_are_nan_are_no_fault_of_the_padding() -> None:
    model, batch, facts = factories.pad_leak()
    with torch.no_grad():
        model.token_embedding.weight.fill_(float("nan"))
    live = LiveModel(model=model.eval(), inputs=read_inputs(model, batch), facts=facts)
    checks = results(live)
    assert checks["padding"].result == "not_run"
    assert "not finite" in checks["padding"].reason
    assert failing(checks) == {"row_sums"}


def test_scores_near_the_end_of_float16_fail_the_precision_check() -> None:
    model, batch, facts = factories.overflow_nan()
    live = LiveModel(model=model.eval(), inputs=read_inputs(model, batch), facts=facts)
    assert results(live)["precision"].result == "passed"
    with torch.no_grad():
        model.blocks[0].attention.query.weight *= 120
        model.blocks[0].attention.key.weight *= 120
    found = results(live)["precision"]
    assert found.result == "failed"
    assert "65504" in found.evidence


class Sampled(nn.Module):
    """Attention through PyTorch's own kernel, with mistakes to choose from."""

    def __init__(self, mistake: str = "") -> None:
        super().__init__()
        self.mistake = mistake
        self.embedding = nn.Embedding(11, 16)
        self.place = nn.Embedding(10, 16)
        self.query = nn.Linear(16, 16)
        self.key = nn.Linear(16, 8)  # grouped: 4 query heads, 2 key heads
        self.value = nn.Linear(16, 8)
        self.head = nn.Linear(16, 11)

    def forward(self, input_ids: Tensor) -> Tensor:
        x = self.embedding(input_ids) + self.place.weight[: input_ids.shape[1]]
        if self.mistake == "batch":
            x = x + x.mean(0, keepdim=True)
        if self.mistake == "dropout":
            x = functional.dropout(x, 0.1, training=True)
        q, k, v = (
            f(x).view(*x.shape[:2], -1, 4).transpose(1, 2)
            for f in (self.query, self.key, self.value)
        )
        scale = {"scale": 1.0, "twice": 0.25}.get(self.mistake)
        mixed = functional.scaled_dot_product_attention(
            q, k, v, is_causal=True, scale=scale, enable_gqa=True
        )
        out = mixed.transpose(1, 2).flatten(2)
        if self.mistake == "raises":
            raise RuntimeError("out of luck")
        logits: Tensor = self.head(out)
        return logits


@pytest.mark.parametrize(
    ("mistake", "expected"),
    [("", set()), ("batch", {"batch"}), ("scale", {"scale"}), ("twice", {"scale"})],
)
def test_fused_attention_with_grouped_queries(mistake: str, expected: set[str]) -> None:
    torch.manual_seed(0)
    checks = results(live_of(Sampled(mistake), causal=True))
    assert failing(checks) == expected
    assert checks["padding"].result == "not_run"
    assert "no padding mask" in checks["padding"].reason


def test_a_declared_scale_is_honoured() -> None:
    torch.manual_seed(0)
    assert results(live_of(Sampled("scale"), scale=1.0))["scale"].result == "passed"


@pytest.mark.parametrize(
    ("settings", "scale"),
    [
        ({"model_type": "t5"}, 1.0),
        ({"model_type": "gemma2", "query_pre_attn_scalar": 256}, 1 / 16),
        ({"attention_multiplier": 0.5}, 0.5),
        ({"model_type": "bert"}, None),
    ],
)
def test_the_scale_a_configuration_means(settings: dict[str, Any], scale: float | None) -> None:
    model = nn.Linear(1, 1)
    model.config = SimpleNamespace(**settings)
    assert configured_scale(model) == scale
    assert configured_scale(nn.Linear(1, 1)) is None


def test_dropout_in_eval_mode_is_found() -> None:
    torch.manual_seed(0)
    checks = results(live_of(Sampled("dropout")))
    assert checks["dropout"].result == "failed"


def test_a_model_that_raises_is_no_traceback() -> None:
    checks = results(live_of(Sampled("raises")))
    assert {check.result for check in checks.values()} == {"not_run"}
    assert "RuntimeError: out of luck" in checks["dropout"].reason


class ScaledAfter(TinyTransformer):
    """Softmax, then a factor: rows no longer sum to one."""

    def forward(self, input_ids: Tensor, attention_mask: Tensor | None = None) -> Tensor:
        x = self.token_embedding(input_ids)
        q, k = self.blocks[0].attention.query(x), self.blocks[0].attention.key(x)
        weights = torch.softmax(q @ k.transpose(1, 2) / q.shape[-1] ** 0.5, dim=1)
        mixed: Tensor = self.head(weights @ x)
        return mixed


def test_softmax_over_the_wrong_axis_fails_the_row_sums(design: Design) -> None:
    torch.manual_seed(0)
    assert results(live_of(ScaledAfter(design)))["row_sums"].result == "failed"


def test_what_nobody_declared_is_not_judged(design: Design) -> None:
    torch.manual_seed(0)
    model = TinyTransformer(dataclasses.replace(design, causal=False))
    found = results(live_of(model))["causal"]
    assert found.result == "not_run"
    assert "not declared" in found.reason


def test_padding_masks_that_mark_padding() -> None:
    class Torchy(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.embedding = nn.Embedding(11, 16)
            self.layer = nn.TransformerEncoderLayer(16, 2, 16, dropout=0.0, batch_first=True)

        def forward(self, src: Tensor, src_key_padding_mask: Tensor | None = None) -> Tensor:
            mixed: Tensor = self.layer(
                self.embedding(src), src_key_padding_mask=src_key_padding_mask
            )
            return mixed

    torch.manual_seed(0)
    checks = results(live_of(Torchy(), causal=False))
    assert checks["padding"].result == "passed"
    assert failing(checks) == {"order"}  # it has no position encoding


def test_outputs_are_found_wherever_they_are() -> None:
    class Named(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.embedding = nn.Embedding(11, 4)

        def forward(self, tokens: Tensor, flavour: str = "plain") -> dict[str, Any]:
            return {"ids": tokens, "logits": (self.embedding(tokens),), "flavour": flavour}

    model = Named()
    ids = torch.zeros(2, 3, dtype=torch.long)
    inputs = read_inputs(model, {"tokens": ids, "flavour": "odd", "labels": ids})
    assert inputs.rest == {"flavour": "odd"}
    assert inputs.run(model, ids).shape == (2, 3, 4)


@pytest.mark.parametrize("batch", ["text", {"x": torch.ones(2, 3)}, [1, 2]])
def test_a_batch_without_ids_is_a_sentence(design: Design, batch: Any) -> None:
    with pytest.raises(ModelError, match="ids"):
        read_inputs(TinyTransformer(design), batch)


def test_a_factory_is_refused_until_agreed_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "their_models.py").write_text(
        "import pathlib, torch\n"
        "pathlib.Path('executed').touch()\n"
        "def make():\n    return torch.nn.Linear(2, 2), torch.zeros(1, 2, dtype=torch.long)\n"
        "def wrong():\n    return 'a model'\n"
        "def breaks():\n    raise ValueError('no data')\n"
    )
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(ModelError, match="--trust-code"):
        load_live("their_models:make")
    assert not (tmp_path / "executed").exists()
    assert isinstance(load_live("their_models:make", trust_code=True).model, nn.Linear)
    for name, said in (
        ("wrong", "returned a str"),
        ("breaks", "ValueError: no data"),
        ("absent", "AttributeError"),
    ):
        with pytest.raises(ModelError, match=said):
            load_live(f"their_models:{name}", trust_code=True)
    with pytest.raises(ModelError, match="ModuleNotFoundError"):
        load_live("nowhere_at_all:make", trust_code=True)
    with pytest.raises(ModelError, match=r"package\.module:function"):
        load_live("their_models", trust_code=True)


def test_checkpoints_fill_the_model(tmp_path: Path) -> None:
    model, _, _ = factories.induction()
    with torch.no_grad():
        model.head.weight.fill_(0.5)
    state = model.state_dict()
    torch.save(state, tmp_path / "whole.pt")
    live = load_live("attn_debugger.demo.factories:induction", checkpoint=tmp_path / "whole.pt")
    assert live.notes == ()
    assert torch.equal(live.model.head.weight, model.head.weight)
    del state["norm.bias"]
    state["other"] = torch.ones(1)
    torch.save(state, tmp_path / "part.pt")
    live = load_live("attn_debugger.demo.factories:induction", checkpoint=tmp_path / "part.pt")
    assert any("lacks norm.bias" in note for note in live.notes)
    assert any("also holds other" in note for note in live.notes)
    for wrong in ({"norm.bias": torch.ones(3)}, {"other": torch.ones(1)}):
        torch.save(wrong, tmp_path / "wrong.pt")
        with pytest.raises(ModelError, match="of another model"):
            load_live("attn_debugger.demo.factories:induction", checkpoint=tmp_path / "wrong.pt")


def test_names_are_those_of_the_contract() -> None:
    assert tuple(EXPERIMENTS) == NAMES


def test_a_pickled_model_runs_only_when_trusted(tmp_path: Path) -> None:
    path = tmp_path / "whole.pt"
    torch.manual_seed(0)
    torch.save(TinyTransformer(Design(vocabulary=9, width=8, heads=2, layers=1, length=16)), path)
    with pytest.raises(ModelError, match=r"refused.*--trust-code"):
        load_live(str(path))
    live = load_live(str(path), trust_code=True, invent=True)
    assert live.inputs.ids.shape == (4, 16)
    assert int(live.inputs.ids.max()) < 9
    assert any("random token ids" in note for note in live.notes)
    assert results(live)["row_sums"].result == "passed"
    with pytest.raises(ModelError, match="there is no batch"):
        load_live(str(path), trust_code=True)
    torch.save({"w": torch.ones(1)}, path)
    for trusted in (True, False):
        with pytest.raises(ModelError, match="without the code"):
            load_live(str(path), trust_code=trusted)


def test_random_ids_stay_within_the_tokens_and_not_the_positions() -> None:
    class Model(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.pos_table = nn.Embedding(1000, 4)
            self.embedding = nn.Embedding(5, 4)

    ids = invented_batch(Model())
    assert ids is not None
    assert int(ids.max()) < 5
    assert invented_batch(nn.Linear(2, 2)) is None
