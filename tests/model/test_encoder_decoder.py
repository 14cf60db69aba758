"""Experiments on models of two halves: PyTorch's own, and small ones of T5 and BART."""

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

IDS = torch.randint(4, 40, (3, 12), generator=Generator().manual_seed(0))


def t5() -> Any:
    torch.manual_seed(0)
    transformers = pytest.importorskip("transformers")
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
    transformers = pytest.importorskip("transformers")
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


class Halves(nn.Module):
    """An encoder-decoder of PyTorch's own layers, with mistakes to choose from."""

    def __init__(self, mistake: str = "") -> None:
        super().__init__()
        torch.manual_seed(0)
        self.mistake = mistake
        self.embedding = nn.Embedding(40, 16)
        self.place = nn.Embedding(20, 16)
        sizes = {"dim_feedforward": 16, "dropout": 0.0, "batch_first": True}
        self.encoder = nn.TransformerEncoderLayer(16, 2, **sizes)
        self.decoder = nn.TransformerDecoderLayer(16, 2, **sizes)
        self.head = nn.Linear(16, 40)

    def forward(
        self,
        input_ids: Tensor,
        attention_mask: Tensor | None = None,
        decoder_input_ids: Tensor | None = None,
    ) -> Tensor:
        assert decoder_input_ids is not None
        hidden = None if attention_mask is None else ~attention_mask
        memory = self.encoder(
            self.embed(input_ids),
            src_key_padding_mask=None if self.mistake == "padding" else hidden,
        )
        length = decoder_input_ids.shape[1]
        future = torch.ones(length, length, dtype=torch.bool).triu(1)
        answer = self.decoder(
            self.embed(decoder_input_ids),
            memory,
            tgt_mask=None if self.mistake == "causal" else future,
            memory_key_padding_mask=hidden,
        )
        logits: Tensor = self.head(answer)
        return logits

    def embed(self, ids: Tensor) -> Tensor:
        found: Tensor = self.embedding(ids)
        if self.mistake == "order":
            return found
        return found + self.place.weight[: ids.shape[1]]


def live_of(model: Any, **batch: Tensor) -> LiveModel:
    return LiveModel(model=model.eval(), inputs=read_inputs(model, {"input_ids": IDS} | batch))


def results(live: LiveModel) -> dict[str, ModelCheck]:
    return {check.name: check for check in run_checks(live)}


@pytest.mark.coverage
@pytest.mark.parametrize("make", [t5, bart])
def test_models_of_a_library_pass_every_check(make: Any) -> None:
    checks = results(live_of(make()))
    assert {check.result for check in checks.values()} == {"passed"}
    assert "of the decoder" in checks["causal"].evidence


def test_a_healthy_model_passes_every_check() -> None:
    checks = results(live_of(Halves()))
    assert {check.result for check in checks.values()} == {"passed"}, checks
    assert "of the decoder" in checks["causal"].evidence


@pytest.mark.parametrize("mistake", ["padding", "causal", "order"])
def test_a_mistake_in_one_half_is_found(mistake: str) -> None:
    checks = results(live_of(Halves(mistake)))
    assert [name for name, check in checks.items() if check.result == "failed"] == [mistake]


def test_the_decoder_continues_what_the_batch_says() -> None:
    model = Halves()
    given = live_of(model, decoder_input_ids=IDS[:, :5]).inputs
    assert torch.equal(given.decoder, IDS[:, :5])
    labels = IDS[:, :7].clone()
    labels[:, 5:] = -100
    behind = live_of(model, labels=labels).inputs.decoder
    assert behind is not None
    assert behind[0].tolist() == [int(IDS[0, 0]), *IDS[0, :5].tolist(), 0]
    invented = live_of(model).inputs.decoder
    assert invented is not None
    assert invented.shape == (3, 11)  # not as long as what the encoder reads


def test_heads_and_tokens_are_judged_by_what_the_decoder_says_next() -> None:
    live = live_of(Halves())
    result = ablate_heads(live)
    assert result.measure == "next-token loss"
    assert len(result.layers) == 3
    found = occlude(live, sample=1, spans=[(2, 4)])
    assert found.measure == "next-token loss"
    assert found.spans[0].change


def test_a_step_without_the_decoders_tokens_cannot_be_recomputed(tmp_path: Path) -> None:
    model = Halves().eval()
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
