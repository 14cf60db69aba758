"""Checkpointing, compilation, several forwards, caches, ragged batches, threads."""

from __future__ import annotations

import threading
import warnings

import h5py
import numpy as np
import pytest
import torch
from nothing_left import assert_nothing_left
from recording_models import (
    HEADS,
    WIDTH,
    LanguageModel,
    Written,
    loss_of,
    matmul_functional,
    operator_method,
    sdpa,
)
from torch import nn
from torch.utils.checkpoint import checkpoint

from attn_debugger import record
from attn_debugger.recording.capture.measure import MeasureSettings
from attn_debugger.recording.capture.session import CaptureSession

EXACT = MeasureSettings(dtype=torch.float32, scores=True, qk=True)
IDS = torch.randint(1, 50, (3, 10), generator=torch.Generator().manual_seed(1))


class Checkpointed(LanguageModel):
    reentrant = False

    def forward(self, input_ids):
        x = self.embed(input_ids)
        for layer in self.layers:
            x = x + checkpoint(layer, x, use_reentrant=self.reentrant)
        return self.head(x)


@pytest.mark.parametrize("reentrant", [False, True])
def test_checkpointing_gives_each_layer_once_and_the_same_gradients(reentrant) -> None:
    model = Checkpointed()
    model.reentrant = reentrant

    def gradients(recorded: bool):
        model.zero_grad()
        torch.manual_seed(2)
        if recorded:
            with CaptureSession(model, EXACT) as session:
                loss_of(model, IDS).backward()  # the backward inside, to tempt the recomputation
            return [p.grad.clone() for p in model.parameters()], session
        loss_of(model, IDS).backward()
        return [p.grad.clone() for p in model.parameters()], None

    plain, _ = gradients(False)
    seen, session = gradients(True)
    assert [(c.path, c.call) for c in session.captures] == [("layers.0", 0), ("layers.1", 0)]
    assert all(torch.equal(a, b) for a, b in zip(plain, seen, strict=True))


def compiled_whole(model):
    return torch.compile(model, backend="eager")


def compiled_in_place(model):
    model.compile(backend="eager")
    return model


def compiled_blocks(model):
    for index, layer in enumerate(model.layers):
        model.layers[index] = torch.compile(layer, backend="eager")
    return model


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("compile_model", [compiled_whole, compiled_in_place, compiled_blocks])
def test_a_compiled_model_runs_recorded_steps_eagerly_without_new_graphs(
    compile_model, tmp_path
) -> None:
    import torch._dynamo.utils as dynamo

    torch._dynamo.reset()
    model = compile_model(LanguageModel(sdpa).eval())
    path = tmp_path / "run.h5"
    with record(model, path, every=2) as recorder:
        outs = []
        for step in range(1, 6):
            with recorder.step(step):
                outs.append(model(IDS).detach())
            if step == 1:
                graphs = dict(dynamo.counters["stats"])
    assert dict(dynamo.counters["stats"]) == graphs
    assert graphs["unique_graphs"] >= 1
    for out in outs:
        torch.testing.assert_close(out, outs[0], atol=1e-6, rtol=0)
    with h5py.File(path) as file:
        assert file["steps"][:].tolist() == [2, 4]
        assert file["layers/0"].attrs["name"] == b"layers.0"
        assert any(b"compiled" in row["text"] for row in file["events"])
    assert_nothing_left()


@pytest.mark.filterwarnings("ignore")
def test_the_probe_of_a_wrapped_model_has_its_tokens(tmp_path) -> None:
    model, path = compiled_whole(LanguageModel().eval()), tmp_path / "run.h5"
    with record(model, path, every=1, probe=record.Probe(IDS)) as recorder, recorder.step(0):
        model(IDS)
    with h5py.File(path) as file:
        assert np.array_equal(file["token_ids"][0], IDS[:1].numpy())
        assert np.array_equal(file["token_ids"][1], IDS[:1].numpy())


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("choice", "streams"), [("skip", []), ("probe_only", ["probe"] * 2)])
def test_a_compiled_model_may_be_left_compiled(choice, streams, tmp_path) -> None:
    model, path = compiled_whole(LanguageModel().eval()), tmp_path / "run.h5"
    with record(model, path, every=1, compiled=choice, probe=record.Probe(IDS)) as recorder:
        for step in range(2):
            with recorder.step(step):
                assert_nothing_left()
                model(IDS)
    with h5py.File(path) as file:
        assert (
            [s.decode() for s in file["stream"][: len(file["steps"])]] == streams
            if streams
            else (len(file["steps"]) == 0)
        )


def test_of_several_forwards_the_first_is_stored(tmp_path) -> None:
    model, path = LanguageModel(), tmp_path / "run.h5"
    parts = torch.randint(1, 50, (4, 3, 10))
    with record(model, path, every=1, dtype="float32") as recorder:
        with recorder.step(0):
            for part in parts:
                loss_of(model, part).backward()
        with CaptureSession(model, EXACT) as session:
            model(parts[0])
    with h5py.File(path) as file:
        assert sorted(file["layers"]) == ["0", "1"]
        assert file["layers/0/captures"][0] == 1
        assert np.array_equal(file["token_ids"][0, 0], parts[0][0].numpy())
        expected = session.captures[0].weights.numpy()
        assert np.allclose(file["layers/0/weights"][0], expected, atol=1e-6)


def test_accumulated_forwards_under_one_step_number_are_one_frame(tmp_path) -> None:
    model, path = LanguageModel(), tmp_path / "run.h5"
    with record(model, path, every=1) as recorder:
        for step in range(2):
            for _ in range(3):
                with recorder.step(step):
                    loss_of(model, IDS).backward()
    with h5py.File(path) as file:
        assert file["steps"][:].tolist() == [0, 1]


class Cached(nn.Module):
    """Decoding with a key-value cache, one token a call."""

    def __init__(self) -> None:
        super().__init__()
        self.embed = nn.Embedding(50, WIDTH)
        self.layer = Written(sdpa, dropout=0.0).eval()
        self.is_causal = True
        self.cache = None

    def forward(self, input_ids):
        x = self.embed(input_ids)
        self.cache = x if self.cache is None else torch.cat([self.cache, x], 1)
        m = self.layer

        def heads(t):
            return t.view(*t.shape[:2], HEADS, -1).transpose(1, 2)

        q, k, v = heads(m.q(x)), heads(m.k(self.cache)), heads(m.v(self.cache))
        out = nn.functional.scaled_dot_product_attention(q, k, v, is_causal=x.shape[1] > 1)
        return m.o(out.transpose(1, 2).flatten(2))


def test_one_generation_opens_as_one_map(tmp_path) -> None:
    model, path = Cached(), tmp_path / "run.h5"
    tokens = IDS[:1]
    recorder = record(model, path, every=1, scores=True)
    with torch.no_grad(), recorder.step(0, stream="val"):
        model(tokens[:, :6])
        for at in range(6, 10):
            model(tokens[:, at : at + 1])
    recorder.close()
    with h5py.File(path) as file:
        weights = file["layers/0/weights"][0, 0].astype(np.float32)
        assert weights.shape == (HEADS, 10, 10)
        assert np.allclose(weights.sum(-1), 1, atol=2e-3)
        assert np.allclose(np.triu(weights, 1), 0)
        assert np.array_equal(file["token_ids"][0], tokens.numpy())
        assert file["layers/0"].attrs["causal"]


def test_a_step_inside_a_step_and_two_recorders_at_once(tmp_path) -> None:
    teacher, student = LanguageModel(), LanguageModel(sdpa)
    first = record(teacher, tmp_path / "teacher.h5", every=1)
    second = record(student, tmp_path / "student.h5", every=1)
    with first.step(0), second.step(0):
        teacher(IDS)
        student(IDS)
        with first.step(0, stream="val"):
            teacher(IDS[:1])
    assert_nothing_left()
    first.close()
    second.close()
    with h5py.File(tmp_path / "teacher.h5") as file:
        assert {s.decode() for s in file["stream"][: len(file["steps"])]} == {"train", "val"}
        assert len(file["layers"]) == 2
    with h5py.File(tmp_path / "student.h5") as file:
        assert len(file["steps"]) == 1
        assert len(file["layers"]) == 2


def test_a_module_called_twice_is_two_layers(tmp_path) -> None:
    class Shared(LanguageModel):
        def forward(self, input_ids):
            x = self.embed(input_ids)
            for _ in range(2):
                x = x + self.layers[0](x)
            return self.head(x)

    path = tmp_path / "run.h5"
    model = Shared()
    with record(model, path, every=1) as recorder:
        for step in range(2):
            with recorder.step(step):
                model(IDS)
    with h5py.File(path) as file:
        names = [file[f"layers/{i}"].attrs["name"].decode() for i in range(len(file["layers"]))]
        assert names == ["layers.0", "layers.0 (call 2)"]
        assert file["layers/1/captures"][:2].tolist() == [1, 1]


def test_torch_func_transforms_are_seen_through() -> None:
    model = Written(matmul_functional).eval()
    parameters = dict(model.named_parameters())
    x = torch.randn(4, 6, WIDTH)

    def loss(p, sample):
        return torch.func.functional_call(model, p, (sample[None],)).square().sum()

    plain = torch.func.vmap(torch.func.grad(loss), (None, 0))(parameters, x)
    model.attend = no_truth
    with CaptureSession(model, EXACT, samples=(0, 1)) as session:
        seen = torch.func.vmap(torch.func.grad(loss), (None, 0))(parameters, x)
    assert session.problems == []
    assert len(session.captures) == 1
    assert all(torch.equal(plain[name], seen[name]) for name in plain)


def no_truth(m, q, k, v):
    h = [t.view(*t.shape[:2], HEADS, -1).transpose(1, 2) for t in (q, k, v)]
    weights = (h[0] @ h[1].mT / (WIDTH / HEADS) ** 0.5).softmax(-1)
    return (m.drop(weights) @ h[2]).transpose(1, 2).flatten(2)


@pytest.mark.filterwarnings("ignore:.*nested")
def test_a_ragged_batch_through_the_kernel_gives_each_sample_its_own_map() -> None:
    class Ragged(nn.Module):
        def forward(self, z):
            heads = z.unflatten(-1, [HEADS, WIDTH // HEADS]).transpose(1, 2)
            return nn.functional.scaled_dot_product_attention(heads, heads, heads)

    parts = [torch.randn(5, WIDTH), torch.randn(9, WIDTH)]
    z = torch.nested.nested_tensor(parts, layout=torch.jagged)
    model = Ragged()
    with CaptureSession(model, EXACT, samples=(1,)) as session:
        model(z)
    assert session.problems == []
    [capture] = session.captures
    h = parts[1].view(9, HEADS, -1).transpose(0, 1)
    truth = torch.softmax(h @ h.mT / (WIDTH / HEADS) ** 0.5, -1)
    torch.testing.assert_close(capture.weights[0], truth, atol=1e-6, rtol=0)


@pytest.mark.filterwarnings("ignore:.*nested")
def test_a_nested_tensor_on_the_fast_path_is_a_named_gap_not_an_error(tmp_path) -> None:
    layer = nn.TransformerEncoderLayer(WIDTH, HEADS, 64, batch_first=True)
    model = nn.TransformerEncoder(layer, 2).eval()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        z = torch.nested.nested_tensor([torch.randn(5, WIDTH), torch.randn(9, WIDTH)])
    path = tmp_path / "run.h5"
    with torch.no_grad():
        plain = model(z)
        with record(model, path, every=1) as recorder, recorder.step(0):
            seen = model(z)
    for a, b in zip(plain.unbind(), seen.unbind(), strict=True):
        assert torch.equal(a, b)
    assert "fast path" in str(recorder.coverage())


@pytest.mark.filterwarnings("ignore")
def test_traced_code_is_a_named_gap_and_runs_as_before(tmp_path) -> None:
    class WithAttention(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.attention = nn.MultiheadAttention(WIDTH, HEADS, batch_first=True).eval()

        def forward(self, x):
            return self.attention(x, x, x, need_weights=False)[0]

    x = torch.randn(2, 5, WIDTH)
    traced = torch.jit.trace(WithAttention().eval(), x, check_trace=False)
    plain = traced(x)
    with record(traced, tmp_path / "run.h5", every=1) as recorder, recorder.step(0):
        seen = traced(x)
    assert torch.equal(plain, seen)
    assert "TorchScript" in str(recorder.coverage())


def test_another_thread_may_run_its_own_model_meanwhile() -> None:
    mine, other = LanguageModel(), LanguageModel()
    inside, done = threading.Event(), threading.Event()

    def run() -> None:
        inside.wait(10)
        for _ in range(5):
            other(IDS)
        done.set()

    thread = threading.Thread(target=run)
    thread.start()
    with CaptureSession(mine, EXACT) as session:
        inside.set()
        mine(IDS)
        done.wait(10)
    thread.join()
    assert session.problems == []
    assert [c.path for c in session.captures] == ["layers.0", "layers.1"]


def test_a_replica_in_another_thread_is_followed() -> None:
    """`nn.DataParallel` runs its replicas in threads; function modes are thread-local."""
    model = LanguageModel(operator_method)
    session = CaptureSession(model, EXACT)

    def run() -> None:
        model.layers[0](torch.randn(2, 5, WIDTH))

    with session:
        thread = threading.Thread(target=run)
        thread.start()
        thread.join()
    assert [c.path for c in session.captures] == ["layers.0"]


def test_data_parallel_names_are_those_of_the_model() -> None:
    model = nn.DataParallel(LanguageModel())
    with CaptureSession(model, EXACT) as session:
        model(IDS)
    assert [c.path for c in session.captures] == ["layers.0", "layers.1"]
