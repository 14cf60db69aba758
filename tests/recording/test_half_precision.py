"""Under autocast the weights are those of the half-precision kernel, within its resolution."""

from __future__ import annotations

import pytest
import torch
from recording_models import (
    HEADS,
    SPELLINGS,
    WIDTH,
    Written,
    additive_where,
    einsum_bhqk,
    exp_sum,
    join,
    log_softmax_exp,
    matmul_functional,
    merged_bmm,
    operator_method,
    split,
)
from torch import Tensor
from torch.nn import functional as F  # noqa: N812

from attn_debugger.recording.capture.measure import MeasureSettings
from attn_debugger.recording.capture.session import CaptureSession

EXACT = MeasureSettings(dtype=torch.float32, scores=True)
# Half a unit in the last place of weights up to 1: what rounding the result to the dtype costs.
RESOLUTION = {torch.bfloat16: 2**-8, torch.float16: 2**-11}
DTYPES = list(RESOLUTION)


def captured(model: torch.nn.Module, x: Tensor, dtype: torch.dtype):
    with (
        torch.no_grad(),
        torch.autocast("cpu", dtype),
        CaptureSession(model, EXACT, samples=(0, 1)) as session,
    ):
        out = model(x)
    assert session.problems == []
    [capture] = session.captures
    return capture, out


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize(
    "attend",
    [
        matmul_functional,
        operator_method,
        merged_bmm,
        einsum_bhqk,
        additive_where,
        exp_sum,
        log_softmax_exp,
    ],
    ids=lambda attend: attend.__name__,
)
def test_written_attention_is_taken_as_it_is(attend, dtype) -> None:
    assert attend in SPELLINGS
    model = Written(attend).eval()
    capture, _ = captured(model, torch.randn(2, 9, WIDTH), dtype)
    # Where the model rounds its weights after a softmax in float32, the latter are recorded.
    bound = RESOLUTION[dtype] if model.truth.dtype == dtype else 1e-6
    torch.testing.assert_close(capture.weights, model.truth.float(), atol=bound, rtol=0)
    assert capture.facts["source_dtype"] in ("float32", str(dtype).removeprefix("torch."))


def unit_values(m: Written, q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    """The kernel's own weights: with the unit matrix for values its output is them."""
    q, k = split(q) * 3, split(k)
    unit = torch.eye(q.shape[2], dtype=q.dtype).expand(*q.shape[:2], -1, -1)
    out = F.scaled_dot_product_attention(q, k, unit, is_causal=True)
    m.truth = out.detach().clone()
    return join(split(v)) + 0 * out.float().sum()


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_the_fused_kernels_weights_within_the_resolution_of_the_dtype(dtype) -> None:
    model = Written(unit_values).eval()
    capture, _ = captured(model, torch.randn(2, 16, WIDTH), dtype)
    assert model.truth.dtype == dtype
    error = float((capture.weights - model.truth.float()).abs().max())
    assert error <= RESOLUTION[dtype]
    assert capture.weights.shape == (2, HEADS, 16, 16)


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_what_the_model_puts_out_under_autocast_is_not_touched(dtype) -> None:
    model = Written(operator_method)
    x = torch.randn(2, 9, WIDTH)
    torch.manual_seed(1)
    with torch.no_grad(), torch.autocast("cpu", dtype):
        plain = model(x)
    torch.manual_seed(1)
    _, seen = captured(model, x, dtype)
    assert torch.equal(plain, seen)
