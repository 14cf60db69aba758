"""The settings of every demo run, under the names of the catalog."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from attn_debugger.demo.models import Design
from attn_debugger.demo.recipe import Recipe, each
from attn_debugger.demo.tasks import (
    CommonestLetter,
    LeftPaddedText,
    LetterBefore,
    PythonText,
    RepeatedSequences,
)

RECIPES: Mapping[str, Recipe] = MappingProxyType(
    {
        "healthy": Recipe(
            design=Design(vocabulary=96, width=96, heads=4, layers=3, hidden=192, length=64),
            task=lambda: PythonText(64),
            steps=600,
            every=each(15),
            learning_rate=3e-3,
            warmup=50,
            clip=1.0,
            checkpoints=(0, 200, 400, 600),
        ),
        "induction": Recipe(
            design=Design(vocabulary=32, width=64, heads=4, layers=2, length=40),
            task=lambda: RepeatedSequences(40),
            steps=1000,
            every=each(25),
            learning_rate=6e-3,
            warmup=20,
            batch_size=32,
            checkpoints=(0, 200, 500, 1000),
        ),
        "diagonal-collapse": Recipe(
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
        "missing-scale": Recipe(
            design=Design(
                vocabulary=32, width=128, heads=2, layers=2, length=40, scales_scores=False
            ),
            task=lambda: RepeatedSequences(40),
            steps=200,
            every=each(5),
            learning_rate=3e-3,
            batch_size=32,
            checkpoints=(0, 100, 200),
            query_key=True,
        ),
        "overflow-nan": Recipe(
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
        "pad-leak": Recipe(
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
        "no-causal": Recipe(
            design=Design(vocabulary=96, width=128, heads=2, layers=2, length=40, causal=False),
            task=lambda: PythonText(40),
            steps=200,
            every=each(5),
            learning_rate=3e-3,
            checkpoints=(0, 100, 200),
            scores=False,
            attributes={"causal": True},
        ),
        "left-pad-nan": Recipe(
            design=Design(vocabulary=97, width=64, heads=4, layers=2, hidden=128, length=40),
            task=lambda: LeftPaddedText(40),
            steps=40,
            every=each(1),
            learning_rate=3e-3,
            checkpoints=(0, 1, 4),
            stream="train",
            samples=2,
        ),
        "no-position": Recipe(
            design=Design(
                vocabulary=12,
                width=64,
                heads=4,
                layers=2,
                hidden=128,
                length=40,
                causal=False,
                positions=False,
                # Xavier: heads have a preference from the first step on, so that it can be judged.
                projection_std=0.125,
            ),
            task=lambda: LetterBefore(40),
            steps=300,
            every=each(10),
            learning_rate=3e-3,
            checkpoints=(0, 150, 300),
        ),
    }
)
