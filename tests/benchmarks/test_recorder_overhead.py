"""What recording costs a training step: ratios within one run, on one thread.

Run with `pytest tests/benchmarks/test_recorder_overhead.py --benchmark-enable`.
"""

from __future__ import annotations

import statistics
import time
from contextlib import nullcontext

import pytest
import torch

from attn_debugger import record

transformers = pytest.importorskip("transformers")
ROUNDS = 3


def bert_base():
    config = transformers.BertConfig()
    return transformers.BertForMaskedLM(config), (4, 128), config.vocab_size


def gpt2_small():
    config = transformers.GPT2Config()
    return transformers.GPT2LMHeadModel(config), (1, 512), config.vocab_size


@pytest.fixture(autouse=True)
def _one_thread():
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    ("build", "limit"), [(bert_base, 0.03), (gpt2_small, 0.12)], ids=["BERT-base", "GPT-2 small"]
)
def test_a_recorded_step(build, limit, tmp_path, benchmark) -> None:
    """Measured on the training thread's own clock, plain and recorded steps in turn."""
    if benchmark.disabled:
        pytest.skip("benchmarks run with --benchmark-enable")
    model, shape, words = build()
    model.train()
    ids = torch.randint(5, words, shape)
    optimizer = torch.optim.AdamW(model.parameters(), 1e-5)
    times = {"plain": [], "recorded": []}
    forwards = {"plain": [], "recorded": []}

    def step(kind: str, context) -> None:
        began = time.thread_time()
        with context:
            loss = model(input_ids=ids, labels=ids).loss
        forwards[kind].append(time.thread_time() - began)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        times[kind].append(time.thread_time() - began)

    with record(model, tmp_path / "run.h5", every=1) as recorder:

        def pair() -> None:
            step("plain", nullcontext())
            step("recorded", recorder.step(len(times["plain"])))
            recorder.flush()

        benchmark.pedantic(pair, rounds=ROUNDS, warmup_rounds=1)
    added = statistics.median(forwards["recorded"]) - statistics.median(forwards["plain"])
    share = added / statistics.median(times["plain"])
    benchmark.extra_info["share of the step"] = share
    print(f"recording adds {share:.1%} to a step ({added * 1000:.0f} ms)")
    assert share <= limit


def test_a_step_that_is_not_recorded(tmp_path, benchmark) -> None:
    """Less than 0.2 % of a 10 ms step: 20 microseconds."""
    if benchmark.disabled:
        pytest.skip("benchmarks run with --benchmark-enable")
    recorder = record(torch.nn.MultiheadAttention(8, 2), tmp_path / "run.h5", every=10**9)

    def thousand() -> None:
        for number in range(1, 1001):
            with recorder.step(number):
                pass

    benchmark(thousand)
    recorder.close()
    assert benchmark.stats.stats.median < 1000 * 20e-6
