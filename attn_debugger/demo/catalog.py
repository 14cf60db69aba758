"""The demo runs by name: two healthy ones, and one for each way attention commonly fails.

    run_demo("missing-scale", "run.h5")

The small recording in `resources/samples/` is one of these runs. It was made by

    python -m attn_debugger.demo overflow-nan -o run.h5 --no-checkpoints
    python main.py repair run.h5 -o resources/samples/overflow-nan.h5

(`repair` writes it anew without the room a live archive keeps for growing).
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

from attn_debugger.core.flags import Severity
from attn_debugger.demo.models import Design
from attn_debugger.demo.recipe import Demo, Expected, Recipe, each
from attn_debugger.demo.tasks import (
    CommonestLetter,
    LeftPaddedText,
    LetterBefore,
    PythonText,
    RepeatedSequences,
)
from attn_debugger.demo.training import Progress, train
from attn_debugger.errors import UsageError


def run_demo(
    name: str,
    out_path: str | os.PathLike[str],
    progress: Progress | None = None,
    *,
    checkpoints: bool = True,
) -> None:
    """Train the demo `name` and record it into the archive `out_path`.

    Checkpoints go into the folder `<out_path without .h5>.checkpoints`, unless they are not
    wanted. `progress` is told the steps done, the steps in all, and a few words. Raises
    `UsageError` for an unknown name.
    """
    if name not in DEMOS:
        raise UsageError(f"there is no demo {name!r}: choose one of {', '.join(DEMOS)}")
    recipe = DEMOS[name].recipe
    if not checkpoints:
        recipe = replace(recipe, checkpoints=())
    train(recipe, Path(out_path), name=name, progress=progress)


_HEALTHY = Demo(
    name="healthy",
    title="A healthy character model",
    line="learns Python's own source; previous-token heads form before your eyes",
    recipe=Recipe(
        design=Design(vocabulary=96, width=96, heads=4, layers=3, hidden=192, length=64),
        task=lambda: PythonText(64),
        steps=600,
        every=each(15),
        learning_rate=3e-3,
        warmup=50,
        clip=1.0,
        checkpoints=(0, 200, 400, 600),
    ),
)

_INDUCTION = Demo(
    name="induction",
    title="An induction head forms",
    line="two layers on repeated sequences: a previous-token head, then an induction head",
    recipe=Recipe(
        design=Design(vocabulary=32, width=64, heads=4, layers=2, length=40),
        task=lambda: RepeatedSequences(40),
        steps=1000,
        every=each(25),
        learning_rate=6e-3,
        warmup=20,
        batch_size=32,
        checkpoints=(0, 200, 500, 1000),
    ),
)

_DIAGONAL_COLLAPSE = Demo(
    name="diagonal-collapse",
    title="Every token attends to itself",
    line="keys made with the query projection and an init too large: identity attention",
    recipe=Recipe(
        design=Design(
            vocabulary=32,
            width=128,
            heads=2,
            layers=2,
            length=40,
            shares_query_key=True,
            projection_std=0.3,
        ),
        task=lambda: RepeatedSequences(40),
        steps=160,
        every=each(4),
        learning_rate=1e-3,
        batch_size=32,
        checkpoints=(0, 80, 160),
        query_key=True,
    ),
    expected=(Expected(signal="diagonal_collapse", severity=Severity.WARNING, layers=(0,)),),
)

_MISSING_SCALE = Demo(
    name="missing-scale",
    title="The division by sqrt(d) was forgotten",
    line="scores are 8 times too large, attention is nearly one-hot and learns slowly",
    recipe=Recipe(
        design=Design(vocabulary=32, width=128, heads=2, layers=2, length=40, scales_scores=False),
        task=lambda: RepeatedSequences(40),
        steps=200,
        every=each(5),
        learning_rate=3e-3,
        batch_size=32,
        checkpoints=(0, 100, 200),
        query_key=True,
    ),
    expected=(Expected(signal="scale_mismatch", severity=Severity.CRITICAL, layers=(0, 1)),),
)

_OVERFLOW_NAN = Demo(
    name="overflow-nan",
    title="Scores grow until float16 overflows",
    line="half precision, learning rate far too high, no warm-up: logits grow until NaN",
    recipe=Recipe(
        design=Design(vocabulary=96, width=128, heads=2, layers=2, hidden=128, length=24),
        task=lambda: PythonText(24),
        steps=240,
        # Every step: in the next one the parameters are NaN, and the overflow itself is gone.
        every=each(1),
        learning_rate=0.07,
        batch_size=1,
        half_precision=True,
        seed=6,
        checkpoints=(0, 20, 40, 54),
        stream="train",
    ),
    expected=(
        Expected(
            signal="score_overflow", severity=Severity.CRITICAL, layers=(0, 1), first_step=None
        ),
    ),
)

_PAD_LEAK = Demo(
    name="pad-leak",
    title="The padding mask was forgotten",
    line="accuracy looks normal; only the attention shows that padding is read",
    recipe=Recipe(
        design=Design(
            vocabulary=20,
            classes=20,
            width=64,
            heads=4,
            layers=2,
            hidden=128,
            length=40,
            causal=False,
            masks_padding=False,
        ),
        task=lambda: CommonestLetter(40),
        steps=300,
        every=each(10),
        learning_rate=2e-3,
        batch_size=32,
        checkpoints=(0, 150, 300),
        samples=4,
        scores=False,
    ),
    expected=(Expected(signal="pad_leak", severity=Severity.CRITICAL, layers=(0, 1)),),
)

_NO_CAUSAL = Demo(
    name="no-causal",
    title="A language model that sees the future",
    line="no causal mask: the loss is suspiciously good, the upper triangle is lit",
    recipe=Recipe(
        design=Design(vocabulary=96, width=128, heads=2, layers=2, length=40, causal=False),
        task=lambda: PythonText(40),
        steps=200,
        every=each(5),
        learning_rate=3e-3,
        checkpoints=(0, 100, 200),
        scores=False,
        attributes={"causal": True},
    ),
    expected=(Expected(signal="causal_violation", severity=Severity.CRITICAL, layers=(0, 1)),),
)

_LEFT_PAD_NAN = Demo(
    name="left-pad-nan",
    title="Left padding under a causal mask",
    line="rows of padding see nothing at all: softmax of -inf is NaN, and NaN spreads",
    recipe=Recipe(
        design=Design(vocabulary=97, width=64, heads=4, layers=2, hidden=128, length=40),
        task=lambda: LeftPaddedText(40),
        steps=40,
        every=each(1),
        learning_rate=3e-3,
        checkpoints=(0, 1, 4),
        stream="train",
        samples=2,
    ),
    expected=(Expected(signal="fully_masked_row", severity=Severity.WARNING, layers=(0,)),),
)

_NO_POSITION = Demo(
    name="no-position",
    title="Attention that cannot tell order",
    line="no position encoding: equal letters get equal weight wherever they stand",
    recipe=Recipe(
        design=Design(
            vocabulary=12,
            width=64,
            heads=4,
            layers=2,
            hidden=128,
            length=40,
            causal=False,
            positions=False,
        ),
        task=lambda: LetterBefore(40),
        steps=300,
        every=each(10),
        learning_rate=3e-3,
        checkpoints=(0, 150, 300),
    ),
    expected=(Expected(signal="position_aliasing", severity=Severity.WARNING, layers=(0, 1)),),
)

DEMOS: Mapping[str, Demo] = MappingProxyType(
    {
        demo.name: demo
        for demo in (
            _HEALTHY,
            _INDUCTION,
            _DIAGONAL_COLLAPSE,
            _MISSING_SCALE,
            _OVERFLOW_NAN,
            _PAD_LEAK,
            _NO_CAUSAL,
            _LEFT_PAD_NAN,
            _NO_POSITION,
        )
    }
)
