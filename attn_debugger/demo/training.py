"""Trains a demo model for real and records it, as anyone would: this is also our own example.

train(recipe, Path("run.h5"), name="healthy")
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import torch
from torch import Generator, Tensor
from torch.nn import functional

from attn_debugger.core.words import say
from attn_debugger.demo.catalog import Progress
from attn_debugger.demo.models import TinyTransformer
from attn_debugger.demo.recipe import Recipe
from attn_debugger.demo.tasks import IGNORED, Batch
from attn_debugger.recording import record

_STEPS_AFTER_NAN = 8  # enough to see that a run does not come back
_PROBE_SEED = 1_000


def train(recipe: Recipe, path: Path, *, name: str, progress: Progress | None = None) -> None:
    """Run `recipe`, writing the archive to `path` and checkpoints into `<path>.checkpoints/`.

    Torch's thread count and random state are as before when it returns: two threads on a busy
    machine make models this small 3 to 15 times slower, so one is used.
    """
    _forget_checkpoints(path)
    with _one_thread(), torch.random.fork_rng(devices=[]):
        torch.manual_seed(recipe.seed)
        generator = Generator().manual_seed(recipe.seed)
        task = recipe.task()
        model = TinyTransformer(recipe.design)
        optimizer = torch.optim.AdamW(model.parameters(), recipe.learning_rate)
        probe = _probe(recipe)
        with record(
            model,
            path,
            every=recipe.every,
            samples=recipe.samples,
            scores=recipe.scores,
            qk=recipe.query_key,
            decode=task.decode,
            attributes=_attributes(recipe, name),
        ) as recorder:
            first_nan: int | None = None
            for step in range(recipe.steps + 1):
                _set_learning_rate(optimizer, recipe, step)
                if step in recipe.checkpoints:
                    recorder.saved(step, _save(model, path, step))
                batch = task.batch(recipe.batch_size, generator)
                if recipe.stream == "probe":
                    with recorder.step(step, stream="probe"):
                        _look(model, probe, recipe)
                    loss = _loss(model, batch, recipe)
                else:
                    with recorder.step(step):
                        loss = _loss(model, batch, recipe)
                optimizer.zero_grad()
                loss.backward()  # type: ignore[no-untyped-call]
                norm = _gradient_norm(model, recipe)
                optimizer.step()
                value = loss.item()
                recorder.log(loss=value, grad_norm=norm, lr=optimizer.param_groups[0]["lr"])
                if progress is not None:
                    progress(step + 1, recipe.steps + 1, say("loss {value:.2f}", value=value))
                if first_nan is None and value != value:
                    first_nan = step
                if first_nan is not None and step >= first_nan + _STEPS_AFTER_NAN:
                    break
        if progress is not None:
            progress(recipe.steps + 1, recipe.steps + 1, say("recorded"))


def checkpoint_path(path: Path, step: int) -> Path:
    """Return where the checkpoint of `step` of the run recorded at `path` is kept."""
    return path.with_suffix(".checkpoints") / f"step_{step:06d}.pt"


def _loss(model: TinyTransformer, batch: Batch, recipe: Recipe) -> Tensor:
    logits = _forward(model, batch, recipe).float()
    classes = logits.shape[-1]
    return functional.cross_entropy(
        logits.reshape(-1, classes), batch.targets.reshape(-1), ignore_index=IGNORED
    )


def _forward(model: TinyTransformer, batch: Batch, recipe: Recipe) -> Tensor:
    with torch.autocast("cpu", torch.float16, enabled=recipe.half_precision):
        logits: Tensor = model(input_ids=batch.input_ids, attention_mask=batch.attention_mask)
    return logits


@torch.no_grad()
def _look(model: TinyTransformer, probe: Batch, recipe: Recipe) -> None:
    model.eval()
    _forward(model, probe, recipe)
    model.train()


def _probe(recipe: Recipe) -> Batch:
    # A task and a generator of its own: looking at the probe never changes what is trained on.
    return recipe.task().batch(recipe.samples, Generator().manual_seed(_PROBE_SEED))


def _attributes(recipe: Recipe, name: str) -> dict[str, object]:
    design = recipe.design
    facts: dict[str, object] = {
        "model": f"attn_debugger demo: {name}",
        "causal": design.causal,
        "vocab_size": design.vocabulary,
        "training": recipe.stream == "train",
    }
    if recipe.stream == "probe":
        facts["probe_fixed"] = True
    return facts | dict(recipe.attributes)


def _gradient_norm(model: TinyTransformer, recipe: Recipe) -> Tensor:
    """Return the norm of all gradients, which are clipped afterwards if the recipe says so."""
    if recipe.clip is not None:
        return torch.nn.utils.clip_grad_norm_(model.parameters(), recipe.clip)
    gradients = [p.grad for p in model.parameters() if p.grad is not None]
    return torch.nn.utils.get_total_norm(gradients)


def _set_learning_rate(optimizer: torch.optim.Optimizer, recipe: Recipe, step: int) -> None:
    share = min(1.0, (step + 1) / recipe.warmup) if recipe.warmup else 1.0
    for group in optimizer.param_groups:
        group["lr"] = recipe.learning_rate * share


def _save(model: TinyTransformer, path: Path, step: int) -> Path:
    target = checkpoint_path(path, step)
    target.parent.mkdir(parents=True, exist_ok=True)
    torch.save(model.state_dict(), target)
    return target


def _forget_checkpoints(path: Path) -> None:
    # A run recorded over an older one must not keep checkpoints that are not its own.
    for old in checkpoint_path(path, 0).parent.glob("step_*.pt"):
        old.unlink()


@contextmanager
def _one_thread() -> Iterator[None]:
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)
