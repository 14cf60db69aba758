"""The demo models as factories, for experiments on them.

    python main.py checks --model attn_debugger.demo.factories:no_causal --checkpoint step_000200.pt

Each returns the untrained model, a batch of its task, and what its author meant.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

import torch
from torch import Generator, Tensor

from attn_debugger.demo.models import TinyTransformer
from attn_debugger.demo.recipes import RECIPES
from attn_debugger.demo.tasks import VISIBLE, Task

_BATCH_SEED = 2_000
_BATCH_SIZE = 4

Made = tuple[TinyTransformer, Mapping[str, Tensor], Mapping[str, Any]]


def build(name: str) -> Made:
    """Return the model of the demo `name`, a batch for it, and its intentions."""
    recipe = RECIPES[name]
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(recipe.seed)
        model = TinyTransformer(recipe.design)
    task = recipe.task()
    drawn = task.batch(_BATCH_SIZE, Generator().manual_seed(_BATCH_SEED))
    batch = {"input_ids": drawn.input_ids}
    if drawn.attention_mask is not None:
        batch["attention_mask"] = drawn.attention_mask
    facts: dict[str, Any] = {
        "causal": recipe.design.causal,
        "encode": partial(encode, task),
        "decode": task.decode,
    }
    if recipe.half_precision:
        facts["compute_dtype"] = "float16"
    return model, batch, facts | dict(recipe.attributes)


def encode(task: Task, text: str) -> list[int]:
    """Return the ids of a text, a character each. Raises `ValueError` for one that is unknown."""
    ids = {name: number for number, name in enumerate(task.decode(range(task.vocabulary)))}
    spelled = [VISIBLE.get(character, character) for character in text]
    unknown = next((character for character in spelled if character not in ids), None)
    if unknown is not None:
        raise ValueError(f"{unknown!r} is not in the alphabet of this demo")
    return [ids[character] for character in spelled]


def healthy() -> Made:
    """Return the model of the demo `healthy`."""
    return build("healthy")


def induction() -> Made:
    """Return the model of the demo `induction`."""
    return build("induction")


def diagonal_collapse() -> Made:
    """Return the model of the demo `diagonal-collapse`."""
    return build("diagonal-collapse")


def missing_scale() -> Made:
    """Return the model of the demo `missing-scale`."""
    return build("missing-scale")


def overflow_nan() -> Made:
    """Return the model of the demo `overflow-nan`."""
    return build("overflow-nan")


def pad_leak() -> Made:
    """Return the model of the demo `pad-leak`."""
    return build("pad-leak")


def no_causal() -> Made:
    """Return the model of the demo `no-causal`."""
    return build("no-causal")


def left_pad_nan() -> Made:
    """Return the model of the demo `left-pad-nan`."""
    return build("left-pad-nan")


def no_position() -> Made:
    """Return the model of the demo `no-position`."""
    return build("no-position")
