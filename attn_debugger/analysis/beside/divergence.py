"""Where two runs part: the first common step at which a head's weights, or the loss, differ. Pure.

Two trainings are never bit-equal for long, so a difference counts from a stated tolerance on:
0.01 of a query's attention lies above what half precision (0.0005) and eight bits (0.004, on a
square-root scale 0.008) round away.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from attn_debugger.analysis.beside.pairing import Pairing
from attn_debugger.core.heads import HeadRef
from attn_debugger.core.run import Run

TOLERANCE = 0.01  # of a weight, 0 to 1
SCALAR_TOLERANCE = 0.01  # of the larger of the two values
Floats = NDArray[np.float32] | NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class ScalarParting:
    """The first common step at which a logged scalar differs: its value in A and in B."""

    name: str
    step: int
    a: float
    b: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Divergence:
    """What a search for the first divergence found so far.

    `step` and `frame` (of A) are where weights part first; None = nowhere in what was compared.
    `heads` are A's heads that differ there, the largest difference first; infinity = not finite
    in one run only. Of `n_common` common steps `n_compared` could be compared, `n_other_input`
    showed different inputs, the rest held no maps of the same shape. `last_step` is the last one
    that was looked at.
    """

    tolerance: float = TOLERANCE
    step: int | None = None
    frame: int | None = None
    heads: tuple[tuple[HeadRef, float], ...] = ()
    inputs_known: bool = True  # False = nothing tells whether the inputs were the same there
    n_common: int = 0
    n_compared: int = 0
    n_other_input: int = 0
    last_step: int | None = None
    problems: tuple[str, ...] = ()  # frames that could not be read, and why
    scalar: ScalarParting | None = None

    def to_json(self) -> dict[str, Any]:
        """Return the value as JSON objects; an infinite difference is null."""
        scalar = self.scalar
        return {
            "tolerance": self.tolerance,
            "step": self.step,
            "frame": self.frame,
            "heads": [
                [head.layer, head.head, value if np.isfinite(value) else None]
                for head, value in self.heads
            ],
            "inputs_known": self.inputs_known,
            "common": self.n_common,
            "compared": self.n_compared,
            "other_input": self.n_other_input,
            "last_step": self.last_step,
            "problems": list(self.problems),
            "scalar": None
            if scalar is None
            else {
                "name": scalar.name,
                "step": scalar.step,
                "a": scalar.a if np.isfinite(scalar.a) else None,
                "b": scalar.b if np.isfinite(scalar.b) else None,
            },
        }

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Divergence:
        """Read what `to_json` wrote. Raises `ValueError` when it is something else."""
        try:
            scalar = value["scalar"]
            return cls(
                tolerance=float(value["tolerance"]),
                step=value["step"],
                frame=value["frame"],
                heads=tuple(
                    (HeadRef(layer, head), np.inf if found is None else float(found))
                    for layer, head, found in value["heads"]
                ),
                inputs_known=bool(value["inputs_known"]),
                n_common=int(value["common"]),
                n_compared=int(value["compared"]),
                n_other_input=int(value["other_input"]),
                last_step=value["last_step"],
                problems=tuple(value["problems"]),
                scalar=None
                if scalar is None
                else ScalarParting(
                    name=scalar["name"],
                    step=scalar["step"],
                    a=_number(scalar["a"]),
                    b=_number(scalar["b"]),
                ),
            )
        except (TypeError, KeyError, AttributeError) as error:
            raise ValueError(f"not a divergence: {error}") from error


def _number(value: float | None) -> float:
    return np.nan if value is None else float(value)


def head_differences(a: Floats, b: Floats) -> NDArray[np.float64]:
    """Return each head's largest |a - b| over its cells, (head,); of maps (head, query, key).

    A cell that is not finite in one of them only, or not finite in another way, counts as
    infinite; one that is NaN in both does not differ. Raises `ValueError` for different shapes.
    """
    if a.shape != b.shape:
        raise ValueError(f"maps of {a.shape} and {b.shape} cannot be subtracted")
    if not a.size:
        return np.zeros(len(a))
    with np.errstate(invalid="ignore"):
        difference = np.abs(a - b)
    strange = ~np.isfinite(difference)
    if strange.any():
        both_nan = np.isnan(a) & np.isnan(b)
        difference[strange] = np.where((both_nan | (a == b))[strange], 0.0, np.inf)
    return np.asarray(difference.max(axis=(1, 2)), np.float64)


def parted(differences: NDArray[np.float64], tolerance: float) -> NDArray[np.intp]:
    """Return the heads whose difference is above the tolerance, the largest first."""
    over = np.flatnonzero(differences > tolerance)
    return over[np.argsort(-differences[over], kind="stable")]


def scalar_parting(
    a: Run, b: Run, pairing: Pairing, name: str = "loss", tolerance: float = SCALAR_TOLERANCE
) -> ScalarParting | None:
    """Return where a scalar parts first; None = nowhere, or it was not logged in both.

    Curves, which have every training step, are held against each other where both runs have
    them; else the values at the common frames. Values part when they are more than `tolerance`
    of the larger one apart, or only one of them is finite.
    """
    steps, ours, theirs = _common_values(a, b, pairing, name)
    if not len(steps):
        return None
    finite = np.isfinite(ours), np.isfinite(theirs)
    scale = np.maximum(np.abs(ours), np.abs(theirs))
    with np.errstate(invalid="ignore"):
        apart = np.abs(ours - theirs) > tolerance * scale
    apart = np.where(finite[0] & finite[1], apart, finite[0] != finite[1])
    where = np.flatnonzero(apart)
    if not len(where):
        return None
    at = int(where[0])
    return ScalarParting(name=name, step=int(steps[at]), a=float(ours[at]), b=float(theirs[at]))


def _common_values(
    a: Run, b: Run, pairing: Pairing, name: str
) -> tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.float64]]:
    """Return common steps, ascending, and the values of both runs there."""
    if len(a.curves.get(name, ())) and len(b.curves.get(name, ())):
        ours, theirs = _by_step(a.curves[name]), _by_step(b.curves[name])
        steps = sorted(ours.keys() & theirs.keys())
        return (
            np.array(steps, np.int64),
            np.array([ours[step] for step in steps]),
            np.array([theirs[step] for step in steps]),
        )
    nothing = np.empty(0)
    if name not in a.scalars or name not in b.scalars:
        return np.empty(0, np.int64), nothing, nothing
    common = pairing.common
    common = common[np.argsort(a.steps[common], kind="stable")]
    at_a, at_b = a.scalars[name][common], b.scalars[name][pairing.frames[common]]
    # At a frame NaN means "not logged there".
    logged = ~(np.isnan(at_a) | np.isnan(at_b))
    return a.steps[common][logged], at_a[logged], at_b[logged]


def _by_step(curve: NDArray[np.float64]) -> dict[int, float]:
    """Return the last value of each step: a run that was resumed logs some of them twice."""
    return {int(step): float(value) for step, value in curve.tolist()}
