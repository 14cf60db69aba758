"""After which layer the range of the outputs jumps."""

from __future__ import annotations

import math

import pytest

from attn_debugger.analysis.output_profile import OutputProfile, layer_output, profile_of


def profile(*variances: float | None) -> OutputProfile:
    layers = [
        layer_output(i, f"layer {i}", {} if var is None else {"mean": 0.0, "var": var})
        for i, var in enumerate(variances)
    ]
    return profile_of(3, 30, layers)


@pytest.mark.parametrize(
    ("variances", "jump"),
    [
        ((1.0, 2.0, 3.0), None),
        ((1.0, 1.0, 50.0, 50.0), 2),
        ((1.0, 50.0), 1),
        ((1.0, None, 50.0), 2),
        ((None, None), None),
        ((1.0, math.nan, 50.0), 1),
        ((math.inf,), 0),
        ((0.0, 5.0), None),
    ],
)
def test_the_first_layer_that_leaves_those_before(
    variances: tuple[float | None, ...], jump: int | None
) -> None:
    found = profile(*variances)
    assert found.jump == jump
    assert len(found.layers) == len(variances)


def test_the_factor_is_held_against_the_median_before() -> None:
    assert profile(1.0, 3.0, 2.0, 40.0).factor == pytest.approx(20.0)
