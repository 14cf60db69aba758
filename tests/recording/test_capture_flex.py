"""flex_attention: densely recomputed, through every alias, and put back as it was."""

from __future__ import annotations

import pytest
import torch
from recording_models import causal_mask
from torch import nn
from torch.nn.attention.flex_attention import create_block_mask, flex_attention

from attn_debugger.recording.capture.measure import MeasureSettings
from attn_debugger.recording.capture.session import CaptureSession

EXACT = MeasureSettings(dtype=torch.float32, scores=True, qk=True)
B, H, N, D = 2, 4, 16, 8

pytestmark = pytest.mark.filterwarnings("ignore:.*flex_attention called without torch.compile")


class Flex(nn.Module):
    def __init__(self, **options) -> None:
        super().__init__()
        self.options = options

    def forward(self, q, k, v):
        return flex_attention(q, k, v, **self.options)


def causal(b, h, q, k):
    return q >= k


def distance(score, b, h, q, k):
    return score - 0.1 * (h + 1) * (q - k).abs()


def random_inputs(key_heads: int = H):
    return (
        torch.randn(B, H, N, D),
        torch.randn(B, key_heads, N, D),
        torch.eye(N).expand(B, key_heads, N, N).contiguous(),
    )


@pytest.mark.parametrize("case", ["plain", "mask", "score", "both", "grouped"])
def test_the_weights_are_those_of_the_kernel(case) -> None:
    options = {}
    if case in ("mask", "both"):
        options["block_mask"] = create_block_mask(causal, B, H, N, N, device="cpu")
    if case in ("score", "both"):
        options["score_mod"] = distance
    if case == "grouped":
        options["enable_gqa"] = True
    model, inputs = Flex(**options), random_inputs(2 if case == "grouped" else H)
    code = flex_attention.__code__
    with torch.no_grad():
        plain = model(*inputs)
        with CaptureSession(model, EXACT, samples=(1,)) as session:
            seen = model(*inputs)
    assert session.problems == []
    assert flex_attention.__code__ is code
    assert torch.equal(plain, seen)
    [capture] = session.captures
    torch.testing.assert_close(capture.weights, plain[1:], atol=1e-6, rtol=0)
    if "block_mask" in options:
        assert torch.equal(capture.keep[0, 0], causal_mask(N))


def test_the_function_is_put_back_when_the_forward_raises() -> None:
    code = flex_attention.__code__
    model = Flex(score_mod="no function")
    with pytest.raises(Exception), torch.no_grad(), CaptureSession(model, EXACT):  # noqa: B017
        model(*random_inputs())
    assert flex_attention.__code__ is code
    assert "_attention_recorder_call" not in flex_attention.__globals__
