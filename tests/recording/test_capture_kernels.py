"""Fused kernels and nn.MultiheadAttention: the recomputed weights against the kernel itself."""

from __future__ import annotations

import copy
import itertools
import math

import pytest
import torch
from recording_models import HEADS, WIDTH, Written, causal_mask, sdpa
from torch import nn
from torch.nn import functional

from attn_debugger.recording.capture.measure import MeasureSettings
from attn_debugger.recording.capture.session import CaptureSession

EXACT = MeasureSettings(dtype=torch.float32, scores=True, qk=True)
B, H, N, D = 3, 4, 12, 16


class Kernel(nn.Module):
    def __init__(self, **options: object) -> None:
        super().__init__()
        self.options = options

    def forward(self, q, k, v):
        return functional.scaled_dot_product_attention(q, k, v, **self.options)


def random_mask(*shape: int) -> torch.Tensor:
    return torch.rand(*shape, generator=torch.Generator().manual_seed(3)) > 0.3


MASKS = {
    "none": {},
    "causal": {"is_causal": True},
    "scale": {"scale": 0.5},
    "bool": {"attn_mask": random_mask(B, 1, N, N)},
    "bool without batch": {"attn_mask": causal_mask(N)},
    "float": {"attn_mask": random_mask(B, H, N, N).float() * 3},
    "float -inf": {"attn_mask": torch.zeros(N, N).masked_fill(~causal_mask(N), -math.inf)},
    "row that sees nothing": {"attn_mask": torch.arange(N)[:, None].expand(N, N) > 0},
    "grouped queries": {"enable_gqa": True},
}


@pytest.mark.parametrize(
    ("dtype", "tolerance"), [(torch.float32, 1e-6), (torch.bfloat16, 8e-3), (torch.float16, 1e-3)]
)
@pytest.mark.parametrize("case", MASKS)
def test_the_kernel_itself_gives_the_same_weights(case, dtype, tolerance) -> None:
    """With identity values the kernel's output *is* its weights."""
    options = {
        name: value.to(dtype) if torch.is_tensor(value) and value.is_floating_point() else value
        for name, value in MASKS[case].items()
    }
    key_heads = 2 if "enable_gqa" in options else H
    q = torch.randn(B, H, N, D, dtype=dtype) * 2
    k = torch.randn(B, key_heads, N, D, dtype=dtype) * 2
    v = torch.eye(N, dtype=dtype).expand(B, key_heads, N, N).contiguous()
    model = Kernel(**options)
    with CaptureSession(model, EXACT, samples=(0, 2)) as session:
        out = model(q, k, v)
    assert session.problems == []
    [capture] = session.captures
    torch.testing.assert_close(capture.weights, out[[0, 2]].float(), atol=tolerance, rtol=0)


def test_rows_are_computed_in_blocks_when_the_device_is_short_of_memory() -> None:
    q, k, v = (torch.randn(B, H, N, D) for _ in range(3))
    model = Kernel(is_causal=True)
    small = MeasureSettings(dtype=torch.float32, scores=True, device_limit_bytes=5000)
    captures = []
    for settings in (EXACT, small):
        with CaptureSession(model, settings) as session:
            model(q, k, v)
        captures += session.captures
    whole, blocks = captures
    torch.testing.assert_close(whole.weights, blocks.weights, atol=1e-6, rtol=0)
    for name, value in whole.stats.items():
        torch.testing.assert_close(
            value, blocks.stats[name], atol=1e-5, rtol=1e-5, equal_nan=True, msg=name
        )


def test_maps_too_long_for_the_device_are_cut_and_statistics_are_not() -> None:
    q, k, v = (torch.randn(1, H, 64, D) for _ in range(3))
    model = Kernel(is_causal=True)
    small = MeasureSettings(dtype=torch.float32, device_limit_bytes=4 * H * 64 * 16)
    captures = []
    for settings in (EXACT, small):
        with CaptureSession(model, settings) as session:
            model(q, k, v)
        captures += session.captures
    whole, cut = captures
    assert cut.weights.shape == (1, H, 16, 16)
    torch.testing.assert_close(cut.weights, whole.weights[:, :, :16, :16], atol=1e-6, rtol=0)
    assert any("first 16 rows" in note for note in cut.notes)
    for name in ("entropy_mean", "score_max", "score_std"):
        torch.testing.assert_close(whole.stats[name], cut.stats[name], atol=1e-5, rtol=1e-5)


def test_dropout_in_the_kernel_leaves_its_random_numbers_alone() -> None:
    q, k, v = (torch.randn(B, H, N, D) for _ in range(3))
    model = Kernel(dropout_p=0.3)
    torch.manual_seed(1)
    plain = model(q, k, v)
    torch.manual_seed(1)
    with CaptureSession(model, EXACT) as session:
        seen = model(q, k, v)
    assert torch.equal(plain, seen)
    assert torch.allclose(session.captures[0].weights.sum(-1), torch.tensor(1.0))


def test_autocast_is_followed() -> None:
    model = Written(sdpa, dropout=0.0)
    x = torch.randn(2, 6, WIDTH)
    with torch.autocast("cpu", torch.bfloat16), CaptureSession(model, EXACT) as session:
        model(x)
    assert session.problems == []
    [capture] = session.captures
    assert capture.facts["compute_dtype"] == "bfloat16"
    torch.testing.assert_close(capture.weights, model.truth[:1].float(), atol=2e-2, rtol=0)
    assert torch.allclose(capture.weights.sum(-1), torch.tensor(1.0), atol=1e-6)


@pytest.mark.parametrize("extras", [{}, {"add_bias_kv": True}, {"add_zero_attn": True}], ids=str)
@pytest.mark.parametrize("batch_first", [True, False])
def test_multihead_attention_in_every_setting(extras, batch_first) -> None:
    x = torch.randn(B, N, WIDTH)
    padding = torch.zeros(B, N, dtype=torch.bool)
    padding[1, 8:] = True
    causal = nn.Transformer.generate_square_subsequent_mask(N)
    masks = {
        "none": {},
        "padding": {"key_padding_mask": padding},
        "causal": {"attn_mask": causal},
        "both": {"attn_mask": causal < 0, "key_padding_mask": padding},
        "per head": {"attn_mask": torch.randn(B * HEADS, N, N)},
    }
    asked = [{"need_weights": False}, {}, {"average_attn_weights": False}]
    mha = nn.MultiheadAttention(WIDTH, HEADS, batch_first=batch_first, **extras)
    q = x if batch_first else x.transpose(0, 1)
    for (name, mask), want, train in itertools.product(masks.items(), asked, (True, False)):
        mha.train(train)
        reference = copy.deepcopy(mha).train()
        _, truth = reference(q, q, q, average_attn_weights=False, **mask)
        with torch.set_grad_enabled(train), CaptureSession(mha, EXACT, samples=range(B)) as session:
            mha(q, q, q, **want, **mask)
        case = f"{name} {want} train={train}"
        assert session.problems == [], case
        [capture] = session.captures
        assert capture.is_cross is False
        torch.testing.assert_close(capture.weights, truth, atol=1e-6, rtol=0, msg=case)


def test_multihead_attention_without_a_batch_and_across_sequences() -> None:
    mha = nn.MultiheadAttention(WIDTH, HEADS)
    x, y = torch.randn(N, WIDTH), torch.randn(5, WIDTH)
    with CaptureSession(mha, EXACT) as session:
        _, truth = mha(x, y, y, average_attn_weights=False)
    [capture] = session.captures
    torch.testing.assert_close(capture.weights, truth[None].detach(), atol=1e-6, rtol=0)
    assert capture.is_cross is True


def test_encoder_and_decoder_in_training_are_bit_equal_and_whole() -> None:
    model = nn.Transformer(WIDTH, HEADS, 2, 2, 64, batch_first=True, dropout=0.1)
    x, y = torch.randn(B, N, WIDTH), torch.randn(B, 9, WIDTH)
    torch.manual_seed(2)
    plain = model(x, y)
    torch.manual_seed(2)
    with CaptureSession(model, EXACT) as session:
        seen = model(x, y)
    assert torch.equal(plain, seen)
    assert [(c.path, c.is_cross, c.shape[2:]) for c in session.captures] == [
        ("encoder.layers.0.self_attn", False, (N, N)),
        ("encoder.layers.1.self_attn", False, (N, N)),
        ("decoder.layers.0.self_attn", False, (9, 9)),
        ("decoder.layers.0.multihead_attn", True, (9, N)),
        ("decoder.layers.1.self_attn", False, (9, 9)),
        ("decoder.layers.1.multihead_attn", True, (9, N)),
    ]


@pytest.mark.filterwarnings("ignore:.*nested tensors")
def test_encoder_in_evaluation_leaves_its_fast_path_and_agrees_on_real_positions() -> None:
    layer = nn.TransformerEncoderLayer(WIDTH, HEADS, 64, batch_first=True)
    model = nn.TransformerEncoder(layer, 2).eval()
    x = torch.randn(B, N, WIDTH)
    padding = torch.zeros(B, N, dtype=torch.bool)
    padding[:, 9:] = True
    with torch.no_grad():
        fast = model(x, src_key_padding_mask=padding)
        with CaptureSession(model, EXACT) as session:
            seen = model(x, src_key_padding_mask=padding)
    assert len(session.captures) == 2
    torch.testing.assert_close(fast[~padding], seen[~padding], atol=2e-6, rtol=0)


def test_wrong_shapes_do_not_raise() -> None:
    """A zero-length sequence gives nothing to see, and no exception."""
    model = Kernel()
    empty = torch.zeros(1, H, 0, D)
    with CaptureSession(model, EXACT) as session:
        model(empty, empty, empty)
    assert session.captures == [] or session.captures[0].shape[2] == 0
