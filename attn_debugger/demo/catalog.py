"""The demo runs by name: two healthy ones, and one for each way attention commonly fails.

    run_demo("missing-scale", "run.h5")

The small recording in `resources/samples/` is one of these runs. It was made by

    python -m attn_debugger.demo overflow-nan -o resources/samples/overflow-nan.h5 --no-checkpoints
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType

from attn_debugger.core.flags import Severity
from attn_debugger.errors import UsageError

Progress = Callable[[int, int, str], None]  # steps done, steps in all, a few words


@dataclass(frozen=True, slots=True, kw_only=True)
class Expected:
    """A finding that a demo must raise, in every one of `layers`.

    `first_step` None: where and when depends on how the machine rounds half precision, so one
    of the layers is enough.
    """

    signal: str
    severity: Severity
    layers: tuple[int, ...]
    first_step: int | None = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Demo:
    """A demo run as the chooser lists it."""

    name: str
    title: str
    line: str  # one line: what is wrong and what to look at
    expected: tuple[Expected, ...] = ()  # empty = nothing above a notice


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
    # The training needs torch; the list of demos must not wait for it.
    from attn_debugger.demo.recipes import RECIPES
    from attn_debugger.demo.training import train

    recipe = RECIPES[name]
    if not checkpoints:
        recipe = replace(recipe, checkpoints=())
    train(recipe, Path(out_path), name=name, progress=progress)


_DEMOS = (
    Demo(
        name="healthy",
        title="A healthy character model",
        line="learns Python's own source; previous-token heads form before your eyes",
    ),
    Demo(
        name="induction",
        title="An induction head forms",
        line="two layers on repeated sequences: a previous-token head, then an induction head",
    ),
    Demo(
        name="diagonal-collapse",
        title="Every token attends to itself",
        line="keys made with the query projection and an init too large: identity attention",
        expected=(Expected(signal="diagonal_collapse", severity=Severity.WARNING, layers=(0,)),),
    ),
    Demo(
        name="missing-scale",
        title="The division by sqrt(d) was forgotten",
        line="scores are 8 times too large, attention is nearly one-hot and learns slowly",
        expected=(Expected(signal="scale_mismatch", severity=Severity.CRITICAL, layers=(0, 1)),),
    ),
    Demo(
        name="overflow-nan",
        title="Scores grow until float16 overflows",
        line="half precision, learning rate far too high, no warm-up: logits grow until NaN",
        expected=(
            Expected(
                signal="score_overflow", severity=Severity.CRITICAL, layers=(0, 1), first_step=None
            ),
        ),
    ),
    Demo(
        name="pad-leak",
        title="The padding mask was forgotten",
        line="accuracy looks normal; only the attention shows that padding is read",
        expected=(Expected(signal="pad_leak", severity=Severity.CRITICAL, layers=(0, 1)),),
    ),
    Demo(
        name="no-causal",
        title="A language model that sees the future",
        line="no causal mask: the loss is suspiciously good, the upper triangle is lit",
        expected=(Expected(signal="causal_violation", severity=Severity.CRITICAL, layers=(0, 1)),),
    ),
    Demo(
        name="left-pad-nan",
        title="Left padding under a causal mask",
        line="rows of padding see nothing at all: softmax of -inf is NaN, and NaN spreads",
        expected=(Expected(signal="fully_masked_row", severity=Severity.WARNING, layers=(0,)),),
    ),
    Demo(
        name="no-position",
        title="Attention that cannot tell order",
        line="no position encoding: equal letters get equal weight wherever they stand",
        expected=(Expected(signal="position_aliasing", severity=Severity.WARNING, layers=(0, 1)),),
    ),
)

DEMOS: Mapping[str, Demo] = MappingProxyType({demo.name: demo for demo in _DEMOS})
