"""What a layer is meant to do is read from configuration, not from the mask that was applied."""

from __future__ import annotations

import h5py
import numpy as np
import pytest
import torch
from recording_models import (
    HEADS,
    WIDTH,
    LanguageModel,
    Written,
    causal_mask,
    matmul_functional,
    operator_method,
    sdpa,
)
from torch import nn

from attn_debugger import record
from attn_debugger.recording.facts import applied_mask_is_causal
from attn_debugger.recording.inputs import looks_inverted, padding_from_ids, resolve_padding

IDS = torch.randint(1, 50, (2, 9), generator=torch.Generator().manual_seed(1))


def attributes(model: nn.Module, tmp_path, *inputs, **options) -> dict[str, object]:
    path = tmp_path / "run.h5"
    with record(model, path, every=1, **options) as recorder, recorder.step(0):
        model(*inputs)
    with h5py.File(path) as file:
        found = {**dict(file.attrs), **dict(file["layers/0"].attrs)}
    return {k: v.decode() if isinstance(v, bytes) else v for k, v in found.items()}


def test_a_mask_that_is_causal_to_the_cell_speaks(tmp_path) -> None:
    assert attributes(LanguageModel(operator_method), tmp_path, IDS)["causal"]


def test_the_kernel_call_says_it_is_causal(tmp_path) -> None:
    found = attributes(LanguageModel(sdpa), tmp_path, IDS)
    assert found["causal"]
    assert found["backend"] == "sdpa"
    assert found["d_head"] == WIDTH // HEADS
    assert found["n_heads"] == HEADS
    assert found["dropout"] == 0
    assert found["trainable"]
    assert found["training"]


@pytest.mark.parametrize("attend", [operator_method, sdpa])
def test_the_models_own_dropout_is_told_apart_from_that_of_what_is_stored(attend, tmp_path) -> None:
    found = attributes(LanguageModel(attend), tmp_path, IDS)
    assert found["dropout"] == 0
    assert found["dropout_p"] == pytest.approx(0.1)
    assert "dropout_p" not in attributes(LanguageModel(attend).eval(), tmp_path, IDS)


def test_no_mask_at_all_leaves_causality_unknown(tmp_path) -> None:
    assert "causal" not in attributes(LanguageModel(matmul_functional), tmp_path, IDS)


def test_what_the_user_gives_holds_for_every_layer(tmp_path) -> None:
    model = LanguageModel(matmul_functional)
    found = attributes(model, tmp_path, IDS, attributes={"causal": True, "window": 4})
    assert found["causal"]
    assert found["window"] == 4


@pytest.mark.parametrize("name", ["is_causal", "causal"])
def test_a_flag_of_the_module_wins_over_the_mask_that_is_missing(tmp_path, name) -> None:
    model = LanguageModel(matmul_functional)
    for layer in model.layers:
        setattr(layer, name, True)
    assert attributes(model, tmp_path, IDS)["causal"]


def test_a_lower_triangular_buffer_is_a_declaration(tmp_path) -> None:
    model = LanguageModel(matmul_functional)
    for layer in model.layers:
        layer.register_buffer("bias", torch.tril(torch.ones(64, 64)).view(1, 1, 64, 64))
    assert attributes(model, tmp_path, IDS)["causal"]


def test_cross_attention_is_not_causal_even_in_a_causal_run(tmp_path) -> None:
    mha = nn.MultiheadAttention(WIDTH, HEADS, batch_first=True)
    x, y = torch.randn(2, 5, WIDTH), torch.randn(2, 7, WIDTH)
    found = attributes(mha, tmp_path, x, y, y, attributes={"causal": True})
    assert found["kind"] == "cross"
    assert not found["causal"]


@pytest.mark.parametrize(
    ("mask", "expected"),
    [
        (causal_mask(6), True),
        (torch.ones(6, 6, dtype=torch.bool), False),
        (torch.ones(6, 6, dtype=torch.bool).tril(1), False),
        (torch.ones(6, 6, dtype=torch.bool).tril(-1), False),
        (torch.ones(6, 6, dtype=torch.bool).tril().triu(-2), False),
        (torch.ones(4, 6, dtype=torch.bool).tril(2), True),
        (torch.ones(1, 6, dtype=torch.bool), False),
        (causal_mask(6) & (torch.arange(6) < 4), True),
    ],
)
def test_only_a_mask_that_is_causal_to_the_cell_counts(mask, expected) -> None:
    assert applied_mask_is_causal(mask[None, None]) is expected


def test_the_embedding_that_reads_the_ids_tells_the_vocabulary(tmp_path) -> None:
    assert attributes(LanguageModel(), tmp_path, IDS)["vocab_size"] == 50


def test_padding_by_hand_beats_the_call_and_the_call_beats_the_ids() -> None:
    ids = np.array([[5, 6, 7, 0, 0]])
    hand, call = np.array([[0, 0, 1, 1, 1]], bool), np.array([[0, 0, 0, 0, 1]], bool)
    assert np.array_equal(resolve_padding(hand, call, ids, 0)[0], hand)
    assert np.array_equal(resolve_padding(None, call, ids, 0)[0], call)
    assert np.array_equal(resolve_padding(None, None, ids, 0)[0], ids == 0)
    assert resolve_padding(None, None, ids, None) == (None, "")


def test_pad_ids_count_only_in_runs_at_the_edge() -> None:
    ids = np.array([[0, 0, 5, 0, 6], [5, 6, 7, 8, 9]])
    assert padding_from_ids(ids, 0).tolist() == [[True, True, False, False, False], [False] * 5]
    assert padding_from_ids(np.array([[5, 0, 6, 0]]), 0) is None
    assert padding_from_ids(np.zeros((1, 4), np.int64), 0) is None


def test_inversion_needs_evidence() -> None:
    ids = np.array([[4, 5, 6, 7, 0, 0]])
    right = ids == 0
    assert not looks_inverted(right, ids)
    assert looks_inverted(~right, ids)
    assert not looks_inverted(~right, None)


def test_a_mask_the_model_was_called_with_the_wrong_way_round_is_turned(tmp_path) -> None:
    class Masked(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.embed, self.layer = nn.Embedding(50, WIDTH), Written(matmul_functional)

        def forward(self, input_ids, attention_mask):
            return self.layer(self.embed(input_ids))

    ids = IDS.clone()
    ids[:, 6:] = 0
    model, path = Masked(), tmp_path / "run.h5"
    with record(model, path, every=1) as recorder, recorder.step(0):
        model(ids, attention_mask=(ids == 0).long())
    with h5py.File(path) as file:
        assert np.array_equal(file["key_padding"][0, 0], (ids[0] == 0).numpy())
        assert any(b"looks inverted" in row["text"] for row in file["events"])
