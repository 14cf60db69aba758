"""What people do with models while a recorder looks on: it runs unharmed, and the archive is right.

Each of these once raised, lost a frame, or changed what ran.
"""

from __future__ import annotations

import asyncio
import copy
import functools
import gc
import pickle
import threading

import h5py
import numpy as np
import pytest
import torch
from nothing_left import assert_nothing_left
from recording_models import WIDTH, EncoderModel, LanguageModel, Written, operator_method, sdpa
from torch import nn
from torch.fx.experimental.proxy_tensor import make_fx
from torch.overrides import TorchFunctionMode
from torch.utils.checkpoint import checkpoint, create_selective_checkpoint_contexts
from torch.utils.flop_counter import FlopCounterMode

from attn_debugger import record
from attn_debugger.errors import RecordError

IDS = torch.randint(1, 50, (3, 10), generator=torch.Generator().manual_seed(1))
EVERYTHING = {"every": 1, "scores": True, "qk": True}


def read(path):
    """Steps, layer names with how often each was captured, events."""
    with h5py.File(path) as file:
        steps = file["steps"][:].tolist()
        groups = [file["layers"][str(i)] for i in range(len(file["layers"]))]
        layers = {g.attrs["name"].decode(): int(g["present"][: len(steps)].sum()) for g in groups}
        return steps, layers, [row["text"].decode() for row in file["events"]]


def test_steps_that_are_no_whole_numbers_are_left_out_and_the_rest_goes_on(tmp_path) -> None:
    model, path = LanguageModel(), tmp_path / "run.h5"
    with record(model, path, every=1) as recorder:
        for step in ("x", None, 9.5, 2**70, 1.0, np.int64(2), torch.tensor(3)):
            with recorder.step(step):
                model(IDS)
        recorder.log(step="x", loss=1.0)
        recorder.saved("x", "checkpoint.pt")
        recorder.log(step=3, loss=1.0, huge=10**400)
        with recorder.step(4):
            model(IDS)
    steps, layers, events = read(path)
    assert steps == [1, 2, 3, 4]
    assert layers == {"layers.0": 4, "layers.1": 4}
    assert any("no whole number" in text for text in events)
    assert any("log(huge=...)" in text for text in events)
    with h5py.File(path) as file:
        assert file["curves/loss"][:].tolist() == [[3.0, 1.0]]


def test_parameters_made_in_inference_mode(tmp_path) -> None:
    path = tmp_path / "run.h5"
    with torch.inference_mode():
        model = LanguageModel().eval()
        with record(model, path, **EVERYTHING, flight="rerun") as recorder:
            with recorder.step(0):
                model(IDS)
            assert recorder.rerun()
    assert read(path)[:2] == ([0, 0], {"layers.0": 2, "layers.1": 2})


def test_a_model_that_holds_its_recorder_is_copied_and_pickled_without_it(tmp_path) -> None:
    model, path = EncoderModel(), tmp_path / "run.h5"
    with record(model, path, every=1) as recorder:
        model.recorder = recorder
        with recorder.step(0):
            model(IDS)
        for other in (copy.deepcopy(model), pickle.loads(pickle.dumps(model)), copy.copy(model)):
            with other.recorder.step(1):
                other(IDS)
        twin = copy.deepcopy(recorder)
        with twin:
            twin.log(loss=1.0)
            twin.trigger("no")
            twin.saved(0, "x")
            twin.flush()
        assert (twin.rerun(), twin.dropped, twin.coverage().captured) == (False, 0, ())
        assert set(twin.memory()) == set(recorder.memory())
        model.recorder = None
        with recorder.step(2):
            model(IDS)
    assert read(path)[0] == [0, 1, 2]  # copy.copy shares what the model holds, the recorder too


def test_a_refused_archive_stays_as_it_was(tmp_path) -> None:
    path = tmp_path / "run.h5"
    model = LanguageModel()
    with record(model, path, every=1) as recorder, recorder.step(0):
        model(IDS)
    before = path.read_bytes()
    with pytest.raises(RecordError, match="another model"):
        record(nn.TransformerEncoderLayer(WIDTH, 4, 64), path, mode="append")
    assert path.read_bytes() == before


def test_a_recorder_nobody_holds_any_more_closes_its_archive(tmp_path) -> None:
    path, model = tmp_path / "run.h5", LanguageModel()
    optimizer = torch.optim.SGD(model.parameters(), 0.1)
    recorder = record(model, path, every=1, optimizer=optimizer, flight="capture")
    with recorder.step(0):
        model(IDS)
    del recorder
    gc.collect()
    with h5py.File(path) as file:
        assert file.attrs["writer_state"] == b"closed"
        assert file["steps"][:].tolist() == [0]


def per_sample_gradients(model):
    def loss(parameters, row):
        return torch.func.functional_call(model, parameters, (row[None],)).sum()

    return torch.func.vmap(torch.func.grad(loss), (None, 0))(dict(model.named_parameters()), IDS)


def forward_derivative(model):
    x = torch.randn(2, 5, WIDTH, generator=torch.Generator().manual_seed(1))
    return torch.func.jvp(model.layers[0], (x,), (x,))


def jacobian(model):
    x = torch.randn(2, 5, WIDTH, generator=torch.Generator().manual_seed(1))
    return torch.func.jacrev(lambda x: model.layers[0](x).sum())(x)


@pytest.mark.filterwarnings("ignore:.*performance drop", "ignore:.*torch.jit.script")
@pytest.mark.parametrize("attend", [operator_method, sdpa], ids=lambda f: f.__name__)
@pytest.mark.parametrize("transform", [per_sample_gradients, forward_derivative, jacobian])
def test_what_torch_func_wraps_is_not_held_too_long(transform, attend, tmp_path) -> None:
    if transform is forward_derivative and attend is sdpa:
        pytest.skip("torch has no forward derivative of its fused kernel on the CPU")
    model, path = LanguageModel(attend).eval(), tmp_path / "run.h5"
    plain = transform(model)
    with record(model, path, **EVERYTHING) as recorder, recorder.step(0):
        seen = transform(model)
    leaves = zip(*(torch.utils._pytree.tree_leaves(one) for one in (plain, seen)), strict=True)
    assert all(torch.equal(a, b) for a, b in leaves)
    steps, layers, events = read(path)
    assert steps == [0]
    assert layers["layers.0"] == 1
    assert not any("not recorded" in text for text in events)


def test_modes_of_the_users_see_the_models_calls_only(tmp_path) -> None:
    model, path = LanguageModel(sdpa).eval(), tmp_path / "run.h5"

    def counted():
        with FlopCounterMode(display=False) as counter:
            model(IDS)
        return counter.get_total_flops()

    class Calls(TorchFunctionMode):
        seen = 0

        def __torch_function__(self, func, types, args=(), kwargs=None):
            self.seen += 1
            return func(*args, **(kwargs or {}))

    with Calls() as calls:
        model(IDS)
    recorder = record(model, tmp_path / "calls.h5", **EVERYTHING)
    with Calls() as below, recorder.step(0):
        below.seen = 0
        model(IDS)
        assert below.seen == calls.seen
    recorder.close()
    plain = counted(), len(make_fx(model)(IDS).graph.nodes)
    with record(model, path, **EVERYTHING) as recorder:
        with recorder.step(0):
            flops = counted()
        with recorder.step(1):
            nodes = len(make_fx(model)(IDS).graph.nodes)
    assert (flops, nodes) == plain
    assert read(path)[:2] == ([0, 1], {"layers.0": 2, "layers.1": 2})


class Selective(LanguageModel):
    """Both layers in one region that keeps products and softmaxes, and computes the rest again."""

    def forward(self, input_ids):
        kept = [torch.ops.aten.bmm.default, torch.ops.aten.mm.default]
        kept += [torch.ops.aten._softmax.default, torch.ops.aten.mul.Tensor]
        contexts = functools.partial(create_selective_checkpoint_contexts, kept)

        def both(x):
            for layer in self.layers:
                x = x + layer(x)
            return x

        x = checkpoint(both, self.embed(input_ids), use_reentrant=False, context_fn=contexts)
        return self.head(x)


@pytest.mark.parametrize("attend", [operator_method, sdpa], ids=lambda f: f.__name__)
def test_selective_checkpointing_keeps_the_models_values_only(attend, tmp_path) -> None:
    model, found = Selective(attend), []
    for recorded in (False, True):
        model.zero_grad()
        torch.manual_seed(2)
        recorder = record(model, tmp_path / f"{recorded}.h5", **EVERYTHING)
        if recorded:
            with recorder.step(0):
                loss = model(IDS).square().mean()
        else:
            loss = model(IDS).square().mean()
        loss.backward()
        recorder.close()
        found.append([p.grad.clone() for p in model.parameters()])
    assert all(torch.equal(a, b) for a, b in zip(*found, strict=True))
    assert read(tmp_path / "True.h5")[1] == {"layers.0": 1, "layers.1": 1}


class Changing(LanguageModel):
    """Is called with what it is told to do: layers that go and come, hooks, generators."""

    def __init__(self) -> None:
        super().__init__(sdpa, layers=3)

    def pieces(self, input_ids):
        for _ in range(3):
            yield self(input_ids)


def test_modules_that_go_and_come_are_gaps(tmp_path) -> None:
    model, path = Changing(), tmp_path / "run.h5"
    with record(model, path, **EVERYTHING) as recorder:
        for step in range(4):
            if step == 1:
                del model.layers[2]
            if step == 3:
                model.layers.append(Written(sdpa))
            with recorder.step(step):
                model(IDS).sum().backward()
    assert read(path)[:2] == ([0, 1, 2, 3], {"layers.0": 4, "layers.1": 4, "layers.2": 2})


def test_hooks_that_replace_outputs_and_generators_run_as_they_would(tmp_path) -> None:
    model, path = Changing().eval(), tmp_path / "run.h5"
    model.layers[0].register_forward_hook(lambda module, args, out: out * 0)
    model.layers[1].register_forward_pre_hook(lambda module, args: (args[0] + 1,))
    plain = [out.detach() for out in model.pieces(IDS)]
    with record(model, path, **EVERYTHING) as recorder:
        with recorder.step(0):
            seen = [out.detach() for out in model.pieces(IDS)]
        with recorder.step(1):
            late = model.pieces(IDS)  # consumed when the step is over
        next(late)
    assert all(torch.equal(a, b) for a, b in zip(plain, seen, strict=True))
    steps, _, events = read(path)
    assert steps == [0]
    assert any("no attention was seen" in text for text in events)


def test_an_interrupt_in_a_recorded_step_leaves_nothing_and_the_next_is_recorded(tmp_path) -> None:
    class Interrupted(LanguageModel):
        def forward(self, input_ids):
            super().forward(input_ids)
            raise KeyboardInterrupt

    model, path = Interrupted(), tmp_path / "run.h5"
    with record(model, path, every=1, flight="capture") as recorder:
        with pytest.raises(KeyboardInterrupt), recorder.step(0):
            model(IDS)
        assert_nothing_left()
        with recorder.step(1):
            LanguageModel.forward(model, IDS)
    assert read(path)[0] == [1]


def test_zero_rows_zero_tokens_and_one_token(tmp_path) -> None:
    model, path = nn.TransformerEncoderLayer(WIDTH, 4, 64, batch_first=True), tmp_path / "run.h5"
    sizes = [(2, 1), (0, 5), (2, 0), (1, 1), (2, 6)]
    plain, seen = [], []
    with record(model.train(), path, **EVERYTHING, samples=2) as recorder:
        for step, (rows, tokens) in enumerate(sizes):
            x = torch.randn(rows, tokens, WIDTH)
            torch.manual_seed(1)
            plain.append(model(x).detach())
            torch.manual_seed(1)
            with recorder.step(step):
                seen.append(model(x).detach())
    assert all(torch.equal(a, b) for a, b in zip(plain, seen, strict=True))
    steps, _, _ = read(path)
    assert {0, 3, 4} <= set(steps)


def test_four_threads_run_the_recorded_model_at_once(tmp_path) -> None:
    model, path, raised = LanguageModel(sdpa).eval(), tmp_path / "run.h5", []

    def run() -> None:
        try:
            model(IDS)
        except BaseException as error:
            raised.append(error)

    with record(model, path, every=1) as recorder, recorder.step(0):
        threads = [threading.Thread(target=run) for _ in range(4)]
        for thread in threads:
            thread.start()
        model(IDS)
        for thread in threads:
            thread.join()
    assert raised == []
    assert {"layers.0", "layers.1"} <= set(read(path)[1])


@pytest.mark.parametrize(
    "given",
    [
        {"tokens": "hello"},
        {"tokens": [["a"], ["b", "c"]]},
        {"tokens": torch.randn(3, 10)},
        {"attention_mask": torch.ones(3, 4)},
        {"attention_mask": "x"},
        {"key_padding": torch.zeros(3, 10, 10)},
        {"documents": torch.zeros(1)},
        {"images": torch.ones(2)},
        {"stream": "späße/../" + "a" * 500},
        {"stream": None},
    ],
    ids=str,
)
def test_what_is_given_may_be_nonsense(given, tmp_path) -> None:
    model, path = LanguageModel(), tmp_path / "run.h5"
    with record(model, path, every=1, samples=2) as recorder:
        with recorder.step(0, **given):
            model(IDS)
        with recorder.step(1):
            model(IDS)
    assert read(path)[0] == [0, 1]


@pytest.mark.parametrize("tensor", ["meta", "fake"])
def test_tensors_without_values_are_a_named_gap(tensor, tmp_path) -> None:
    from torch._subclasses import FakeTensorMode

    model, path = LanguageModel(operator_method), tmp_path / "run.h5"
    with record(model, path, every=1) as recorder:
        with recorder.step(0):
            if tensor == "meta":
                with torch.device("meta"):
                    LanguageModel(sdpa)(torch.ones(2, 5, dtype=torch.long))
            else:
                with FakeTensorMode(allow_non_fake_inputs=True):
                    model(torch.ones(2, 5, dtype=torch.long))
        with recorder.step(1):
            model(IDS)
    steps, _, events = read(path)
    assert steps[-1] == 1
    assert any("no attention was seen" in text for text in events)


def test_a_batch_without_the_items_asked_for_is_a_gap_with_its_reason(tmp_path) -> None:
    model, path = LanguageModel(operator_method), tmp_path / "run.h5"
    with record(model, path, **EVERYTHING, samples=[7]) as recorder:
        with recorder.step(0):
            model(IDS)
        assert "none of those that samples= asks for" in str(recorder.coverage())
        with recorder.step(1):
            model(IDS.repeat(3, 1))
    steps, layers, events = read(path)
    assert (steps, layers) == ([1], {"layers.0": 1, "layers.1": 1})
    assert any("the batch has 3 items" in text for text in events)


def test_steps_of_tasks_that_take_turns_leave_nothing(tmp_path) -> None:
    """They close in the order in which they were opened, not the other way round."""
    import torch._dynamo

    model, path = LanguageModel(), tmp_path / "run.h5"

    async def one(recorder, step):
        with recorder.step(step):
            model(IDS)
            await asyncio.sleep(0)
            assert torch._dynamo.eval_frame._stance.stance == "force_eager"

    async def together(recorder):
        await asyncio.gather(*(one(recorder, step) for step in range(3)))

    with record(model, path, every=1) as recorder:
        asyncio.run(together(recorder))
    assert read(path)[0] == [0, 1, 2]
    assert_nothing_left()


def test_recorders_in_two_threads_close_in_any_order(tmp_path) -> None:

    barrier = threading.Barrier(2)

    def run(name: str, first: bool) -> None:
        model = LanguageModel()
        with record(model, tmp_path / name, every=1) as recorder:
            barrier.wait()
            if not first:
                barrier.wait()
            with recorder.step(0):
                if first:
                    barrier.wait()  # the other opens its step, and closes it after this one
                model(IDS)
                barrier.wait()
                if not first:
                    barrier.wait()
            if first:
                barrier.wait()

    threads = [threading.Thread(target=run, args=(f"{i}.h5", not i)) for i in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert [read(tmp_path / f"{i}.h5")[1] for i in range(2)] == [{"layers.0": 1, "layers.1": 1}] * 2
    assert_nothing_left()


@pytest.mark.parametrize("attributes", [{"": 1}, {3: 1}, [("causal", True)]], ids=str)
def test_attributes_need_names(attributes, tmp_path) -> None:
    with pytest.raises(RecordError, match="names to values"):
        record(LanguageModel(), tmp_path / "run.h5", attributes=attributes)
    assert not (tmp_path / "run.h5").exists()
