"""Replacing tokens: what moves, what does not, and what attention mass alone would have said."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor, nn

from attn_debugger.demo import factories
from attn_debugger.errors import ModelError
from attn_debugger.model.inputs import read_inputs
from attn_debugger.model.live import LiveModel
from attn_debugger.model.occlusion import WARNING, occlude


class LooksButDoesNotUse(nn.Module):
    """Attends to position 0 with nearly all its weight and multiplies the result by zero."""

    def __init__(self) -> None:
        super().__init__()
        torch.manual_seed(0)
        self.embed = nn.Embedding(11, 8)

    def forward(self, input_ids: Tensor) -> Tensor:
        x = self.embed(input_ids)
        scores = torch.zeros(*x.shape[:2], x.shape[1])
        scores[..., 0] = 9.0
        return x + 0.0 * (torch.softmax(scores, -1) @ x)


def live_of(model: nn.Module, ids: Tensor, **facts: object) -> LiveModel:
    return LiveModel(model=model.eval(), inputs=read_inputs(model, ids), facts=facts)


def test_attention_mass_is_not_reliance() -> None:
    result = occlude(live_of(LooksButDoesNotUse(), torch.arange(6)[None]))
    first = result.spans[0]
    assert first.attention is not None
    assert first.attention > 0.99
    assert first.change == 0
    assert first.logits[0]
    assert set(first.logits[1:]) == {0.0}
    assert result.warning == WARNING


def test_a_causal_model_does_not_hear_of_it_before() -> None:
    model, batch, _ = factories.induction()
    live = live_of(model, batch["input_ids"], causal=True)
    result = occlude(live, sample=1, spans=[(5, 7)])
    (span,) = result.spans
    assert (span.first, span.last) == (5, 6)
    moved = [value for value in span.logits if value is not None]
    assert len(moved) == len(span.logits)
    assert max(moved[:5]) < 1e-4
    assert max(moved[7:]) > 1e-3
    assert result.measure == "next-token loss"
    assert span.change is not None


def test_tokens_may_be_hidden_instead() -> None:
    model, batch, _ = factories.pad_leak()
    inputs = read_inputs(model, dict(batch))
    live = LiveModel(model=model.eval(), inputs=inputs)
    # This demo takes a mask and forgets it: hidden tokens are seen all the same.
    (hidden,) = occlude(live, spans=[(2, 4)], hidden=True).spans
    assert hidden.change == 0
    (replaced,) = occlude(live, spans=[(2, 4)]).spans
    assert replaced.change
    masking, batch, _ = factories.left_pad_nan()
    live = LiveModel(model=masking.eval(), inputs=read_inputs(masking, batch["input_ids"]))
    result = occlude(live, spans=[(2, 4)], hidden=True)
    assert result.spans[0].change
    assert "hidden" in result.replaced_by
    with pytest.raises(ModelError, match="takes no padding mask"):
        occlude(live_of(LooksButDoesNotUse(), torch.arange(6)[None]), hidden=True)


def test_what_is_not_finite_is_no_number() -> None:
    class Breaks(LooksButDoesNotUse):
        def forward(self, input_ids: Tensor) -> Tensor:
            out: Tensor = super().forward(input_ids)
            return out / (input_ids[:, :1, None] == 0).float()  # the first token is needed

    (span,) = occlude(live_of(Breaks(), torch.arange(6)[None]), spans=[(0, 1)]).spans
    assert span.change is None
    assert span.logits[3] is None


def test_padding_is_left_alone() -> None:
    model, batch, _ = factories.pad_leak()
    inputs = read_inputs(model, dict(batch))
    assert inputs.real is not None
    live = LiveModel(model=model.eval(), inputs=inputs)
    result = occlude(live, sample=0)
    assert len(result.spans) == int(inputs.real[0].sum())


@pytest.mark.parametrize(
    ("kwargs", "said"),
    [
        ({"sample": 9}, "no sample 9"),
        ({"spans": [(3, 3)]}, "no span"),
        ({"spans": [(0, 99)]}, "0 to"),
        ({"token": 11}, "outside the model's vocabulary of 11"),
    ],
)
def test_places_that_do_not_exist(kwargs: dict[str, object], said: str) -> None:
    with pytest.raises(ModelError, match=said):
        occlude(live_of(LooksButDoesNotUse(), torch.arange(6)[None]), **kwargs)  # type: ignore[arg-type]
