"""Silencing heads: exactly that head, in every kind of module, and the model is left as it was."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from torch import Tensor, nn

from attn_debugger.demo import factories
from attn_debugger.errors import ModelError
from attn_debugger.model.ablation import ablate_heads, scaled_head
from attn_debugger.model.inputs import read_inputs
from attn_debugger.model.live import LiveModel, load_live
from attn_debugger.model.sites import live_sites


def live_of(model: nn.Module, ids: Tensor, **facts: Any) -> LiveModel:
    return LiveModel(model=model.eval(), inputs=read_inputs(model, ids), facts=facts)


def test_the_result_is_that_of_a_model_without_the_head() -> None:
    model, batch, _ = factories.induction()
    live = live_of(model, batch["input_ids"], causal=True)
    before = {name: tensor.clone() for name, tensor in model.state_dict().items()}
    result = ablate_heads(live)
    assert result.measure == "next-token loss"
    assert [len(row) for row in result.changes] == [block.attention.heads for block in model.blocks]
    for name, tensor in model.state_dict().items():
        assert torch.equal(tensor, before[name])
    attention = model.blocks[1].attention
    width = attention.d_head

    def without_head_0(module: nn.Module, args: tuple[Tensor, ...]) -> tuple[Tensor, ...]:
        del module
        mixed = args[0].clone()
        mixed[..., :width] = 0
        return (mixed,)

    handle = attention.out.register_forward_pre_hook(without_head_0)
    output = live.inputs.run(model, live.inputs.ids)
    handle.remove()
    logs = torch.log_softmax(output[:, :-1], -1)
    loss = -logs.gather(2, live.inputs.ids[:, 1:, None]).mean()
    assert result.baseline + result.changes[1][0] == pytest.approx(float(loss), abs=1e-4)


class Encoder(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        torch.manual_seed(0)
        self.embed = nn.Embedding(11, 16)
        layer = nn.TransformerEncoderLayer(16, 4, 32, batch_first=True)
        self.encoder = nn.TransformerEncoder(layer, 2, enable_nested_tensor=False)

    def forward(self, input_ids: Tensor) -> Tensor:
        return self.encoder(self.embed(input_ids))


def test_a_multihead_module_of_pytorch() -> None:
    result = ablate_heads(live_of(Encoder(), torch.arange(10)[None]))
    assert result.measure == "change of the outputs"
    assert result.baseline == 0
    assert [len(row) for row in result.changes] == [4, 4]
    assert all(value is not None and value > 1e-3 for row in result.changes for value in row)


@pytest.mark.coverage
def test_gpt2_keeps_its_projections_transposed() -> None:
    transformers = pytest.importorskip("transformers")
    torch.manual_seed(0)
    config = transformers.GPT2Config(n_embd=24, n_head=3, n_layer=2, vocab_size=50, n_positions=32)
    model = transformers.GPT2LMHeadModel(config)
    live = live_of(model, torch.arange(20)[None], causal=True)
    sites, _ = live_sites(live)
    assert [site.heads for site in sites] == [3, 3]
    output = sites[0].output
    assert output is not None
    with scaled_head(output, 3, 1, 0.0):
        assert not model.transformer.h[0].attn.c_proj.weight[8:16].any()
        assert model.transformer.h[0].attn.c_proj.weight[:8].any()
    result = ablate_heads(live)
    assert all(value is not None and value != 0 for row in result.changes for value in row)


def test_a_factor_of_one_changes_nothing() -> None:
    model, batch, _ = factories.induction()
    result = ablate_heads(live_of(model, batch["input_ids"], causal=True), factor=1.0)
    assert {value for row in result.changes for value in row} == {0.0}


def test_weights_come_back_after_an_error() -> None:
    weight = torch.randn(6, 8)
    before = weight.clone()

    def fail() -> None:
        with scaled_head(weight, 2, 1, 0.0):
            assert not weight[:, 4:].any()
            raise KeyError

    with pytest.raises(KeyError):
        fail()
    assert torch.equal(weight, before)


def test_the_authors_loss_is_used() -> None:
    model, batch, _ = factories.pad_leak()
    live = live_of(model, batch["input_ids"], loss=lambda output, ids: output.square().mean())
    result = ablate_heads(live)
    assert result.measure == "loss"
    assert result.baseline == pytest.approx(
        float(live.inputs.run(model, live.inputs.ids).square().mean())
    )


def test_what_cannot_be_silenced_is_a_sentence() -> None:
    class Bare(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.embed = nn.Embedding(11, 8)

        def forward(self, input_ids: Tensor) -> Tensor:
            x = self.embed(input_ids)
            return torch.softmax(x @ x.transpose(1, 2), -1) @ x

    with pytest.raises(ModelError, match="no output projection"):
        ablate_heads(live_of(Bare(), torch.arange(10)[None]))


def test_not_finite_outputs_are_a_sentence() -> None:
    live = load_live("attn_debugger.demo.factories:healthy")
    with torch.no_grad():
        live.model.get_parameter("head.weight").fill_(float("nan"))
    with pytest.raises(ModelError, match="not finite already"):
        ablate_heads(live)
