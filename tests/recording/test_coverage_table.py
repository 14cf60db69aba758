"""The coverage table: one configuration a mechanism by default, all of it with -m coverage."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
import torch
from bit_equality import Trainable, what_differs
from coverage_cases import Case, Outcome, all_cases
from recording_models import HEADS, WIDTH, Written, split
from torch import nn

TABLE = Path(__file__).parents[2] / "resources" / "help" / "coverage.md"
TOLERANCE = 1e-6
CASES = {case.name: case for case in all_cases()}
# A configuration for each mechanism: masks by addition, kernels with flags, grouped queries, soft
# cap, router, sinks, bias, disentangled scores, shared layers, encoder-decoder.
SHORT = [
    "Hugging Face sdpa, BERT, evaluation",
    "Hugging Face eager, GPT-2, evaluation",
    "Hugging Face sdpa, Llama (grouped queries), evaluation",
    "Hugging Face eager, Gemma-2 (soft cap), evaluation",
    "Hugging Face eager, Mixtral (router), evaluation",
    "Hugging Face eager, gpt-oss (sinks), evaluation",
    "Hugging Face eager, DeBERTa-v2, evaluation",
    "Hugging Face sdpa, ALBERT (shared layers), evaluation",
    "Hugging Face eager, T5, evaluation",
    "Hugging Face sdpa, BART, evaluation",
    "nn.TransformerEncoder, encoder, padded, evaluation",
    "nn.Transformer, encoder and decoder, training",
    "timm, VisionTransformer, fused, evaluation",
]
# A configuration for each way of capturing, trained fifty steps.
TRAINED = [
    "hand-written, einsum bqkh, training",
    "hand-written, language model, training, checkpointing, reentrant",
    "scaled_dot_product_attention, grouped queries, training",
    "flex_attention, score_mod, evaluation",
    "nn.MultiheadAttention, batch_first=True, need_weights=False, training",
    "Hugging Face sdpa, Llama (grouped queries), evaluation",
    "timm, VisionTransformer, not fused, evaluation",
    "x-transformers, Decoder, talking heads, evaluation",
]

pytestmark = pytest.mark.filterwarnings("ignore")


def check(case: Case, outcome: Outcome) -> None:
    assert outcome.captured == outcome.expected, outcome
    assert outcome.error <= TOLERANCE, outcome
    # The exceptions that are stated: torch's own fast path in evaluation, and compiled kernels.
    assert outcome.unchanged or "differs by rounding" in outcome.note, outcome


@pytest.mark.parametrize("name", SHORT)
def test_one_model_of_each_mechanism(name) -> None:
    check(CASES[name], CASES[name].run())


@pytest.mark.parametrize("name", TRAINED)
def test_fifty_steps_are_bit_equal_with_and_without(name, tmp_path) -> None:
    assert what_differs(CASES[name].trained, tmp_path / "run.h5") == []


class Careless(Written):
    """Attention whose training does depend on being recorded: a random number more, at times."""

    def forward(self, x):
        if torch.overrides._len_torch_function_stack():
            torch.rand(1)
        return super().forward(x)


def test_a_difference_of_one_random_number_is_found(tmp_path) -> None:
    def attend(m, q, k, v):
        out = nn.functional.scaled_dot_product_attention(split(q), split(k), split(v))
        return out.transpose(1, 2).flatten(2)

    trained = Trainable(lambda: Careless(attend), lambda m, step: m(torch.ones(2, HEADS, WIDTH)))
    differ = what_differs(trained, tmp_path / "run.h5", steps=2)
    assert differ == ["random numbers, step 0", "random numbers, step 1"]


def test_the_table_in_the_help_names_every_case() -> None:
    """`pytest tests/recording/test_coverage_table.py -m coverage` writes it anew."""
    text = TABLE.read_text(encoding="utf-8")
    missing = [c.name for c in CASES.values() if f"| {c.mechanism} | {c.model} |" not in text]
    assert missing == []


ROWS: dict[str, Outcome] = {}  # of the cases that ran and were right


@pytest.mark.coverage
@pytest.mark.parametrize("name", CASES)
def test_a_row_of_the_table(name, tmp_path) -> None:
    case = CASES[name]
    torch.manual_seed(0)
    outcome = case.run()
    check(case, outcome)
    if case.trained is not None:
        assert what_differs(case.trained, tmp_path / "run.h5") == []
    ROWS[name] = outcome


@pytest.mark.coverage
def test_the_whole_table_is_written_down() -> None:
    if set(ROWS) != set(CASES):
        pytest.skip("not every row ran and was right")
    TABLE.write_text(as_markdown([(CASES[name], ROWS[name]) for name in CASES]), encoding="utf-8")


def as_markdown(rows: list[tuple[Case, Outcome]]) -> str:
    lines = [
        INTRODUCTION,
        "| mechanism | model | situation | layers | error | outputs | training |",
    ]
    lines.append("|---|---|---|---|---|---|---|")
    for case, outcome in rows:
        error = "0" if outcome.error == 0 else f"1e{math.ceil(math.log10(outcome.error))}"
        same = "bit-equal" if outcome.unchanged else outcome.note
        trained = case.untrained
        if case.trained is not None:
            trained = "bit-equal" if case.trained.backward else "bit-equal, without gradients"
        lines.append(
            f"| {case.mechanism} | {case.model} | {case.situation} | "
            f"{outcome.captured} of {outcome.expected} | {error} | {same} | {trained} |"
        )
    return "\n".join(lines) + "\n\n" + REST


INTRODUCTION = """# What the recorder sees

This table is written by a test: every row ran, with random weights, once with and once without the
recorder. *Error* is the largest difference (rounded up to a power of ten) between the weights that
were recorded in float32 and the model's own, before dropout. *Outputs* says whether the model's
outputs were the same to the bit. *Training* is fifty steps with dropout and AdamW, every fifth of
them recorded: outputs, loss, gradients, parameters, buffers, the optimiser's state and the random
numbers (of torch, numpy and Python) after every step. flex_attention has no backward on the CPU.
"""
REST = (Path(__file__).parent / "coverage_situations.md").read_text(encoding="utf-8")
