"""Experiments on models of two halves: T5 and BART as `transformers` builds them, small."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Generator, Tensor, nn

from attn_debugger.archive.reader import open_archive
from attn_debugger.core.topology import ModelCheck
from attn_debugger.errors import ModelError
from attn_debugger.model.ablation import ablate_heads
from attn_debugger.model.experiments import run_checks
from attn_debugger.model.inputs import read_inputs
from attn_debugger.model.live import LiveModel, load_live
from attn_debugger.model.occlusion import occlude
from attn_debugger.model.replay import replay
from attn_debugger.recording import record

transformers = pytest.importorskip("transformers")

IDS = torch.randint(4, 40, (3, 12), generator=Generator().manual_seed(0))


def t5() -> Any:
    torch.manual_seed(0)
    settings = transformers.T5Config(
        vocab_size=40,
        d_model=32,
        d_kv=8,
        d_ff=32,
        num_layers=2,
        num_heads=4,
        decoder_start_token_id=0,
    )
    return transformers.T5ForConditionalGeneration(settings).eval()


def bart() -> Any:
    torch.manual_seed(0)
    settings = transformers.BartConfig(
        vocab_size=40,
        d_model=32,
        encoder_layers=2,
        decoder_layers=2,
        encoder_attention_heads=4,
        decoder_attention_heads=4,
        encoder_ffn_dim=32,
        decoder_ffn_dim=32,
        max_position_embeddings=40,
    )
    return transformers.BartForConditionalGeneration(settings).eval()


class Wrapped(nn.Module):
    """Takes a padding mask and forgets it, or lets every position of the decoder see all others."""

    def __init__(self, inner: Any, mistake: str) -> None:
        super().__init__()
        self.inner = inner
        self.mistake = mistake

    def forward(
        self,
        input_ids: Tensor,
        attention_mask: Tensor | None = None,
        decoder_input_ids: Tensor | None = None,
    ) -> Tensor:
        logits: Tensor = self.inner(
            input_ids=input_ids,
            attention_mask=None if self.mistake == "padding" else attention_mask,
            decoder_input_ids=decoder_input_ids,
        ).logits
        return logits + logits.mean(1, keepdim=True) if self.mistake == "causal" else logits


def live_of(model: Any, **batch: Tensor) -> LiveModel:
    return LiveModel(model=model, inputs=read_inputs(model, {"input_ids": IDS} | batch))


def results(live: LiveModel) -> dict[str, ModelCheck]:
    return {check.name: check for check in run_checks(live)}


@pytest.mark.parametrize("make", [t5, pytest.param(bart, marks=pytest.mark.coverage)])
def test_a_healthy_model_passes_every_check(make: Any) -> None:
    checks = results(live_of(make()))
    assert {check.result for check in checks.values()} == {"passed"}
    assert "of the decoder" in checks["causal"].evidence


@pytest.mark.parametrize("mistake", ["padding", "causal"])
def test_a_leak_in_one_half_is_found(mistake: str) -> None:
    checks = results(live_of(Wrapped(t5(), mistake)))
    assert [name for name, check in checks.items() if check.result == "failed"] == [mistake]


def test_the_decoder_continues_what_the_batch_says() -> None:
    model = t5()
    given = live_of(model, decoder_input_ids=IDS[:, :5]).inputs
    assert torch.equal(given.decoder, IDS[:, :5])
    labels = IDS[:, :7].clone()
    labels[:, 5:] = -100
    behind = live_of(model, labels=labels).inputs.decoder
    assert behind is not None
    assert behind[0].tolist() == [0, *IDS[0, :5].tolist(), 0]
    invented = live_of(model).inputs.decoder
    assert invented is not None
    assert invented.shape == (3, 11)  # not as long as what the encoder reads


@pytest.mark.coverage
def test_heads_and_tokens_are_judged_by_what_the_decoder_says_next() -> None:
    live = live_of(bart())
    result = ablate_heads(live)
    assert result.measure == "next-token loss"
    assert len(result.layers) == 6
    found = occlude(live, sample=1, spans=[(2, 4)])
    assert found.measure == "next-token loss"
    assert found.spans[0].change


def test_a_step_without_the_decoders_tokens_cannot_be_recomputed(tmp_path: Path) -> None:
    model = t5()
    live = live_of(model)
    with record(model, tmp_path / "run.h5", every=1) as recorder, recorder.step(0):
        live.inputs.run(model, live.inputs.ids)
    with (
        open_archive(tmp_path / "run.h5") as source,
        pytest.raises(ModelError, match="no token ids of the decoder"),
    ):
        replay(live, source, 0)


@pytest.mark.coverage
def test_a_folder_of_an_encoder_decoder_gets_its_head(tmp_path: Path) -> None:
    t5().save_pretrained(tmp_path)
    live = load_live(str(tmp_path), batch=IDS)
    output = live.inputs.run(live.model, IDS)
    assert output.shape == (3, 11, 40)
