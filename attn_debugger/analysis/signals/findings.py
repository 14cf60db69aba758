"""What a detector says about one layer in one frame: a finding, or why it cannot tell."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

import numpy as np

from attn_debugger.analysis.arrays import Bools
from attn_debugger.core.flags import Severity


class Stage(IntEnum):
    """The order of judgement; a failed stage silences later ones on the same head."""

    RUN = 0
    INTEGRITY = 1
    VALIDITY = 2
    SCORES = 3
    MASKS = 4
    SUPPORT = 5
    STRUCTURE = 6
    DISTRIBUTION = 7
    DYNAMICS = 8
    OUTPUTS = 9


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One signal in one layer and frame. `heads` holds indices of the layer's heads, ascending.

    `evidence` is the middle of the flag's sentence: what was measured, with its number.
    """

    signal: str
    severity: Severity
    evidence: str
    heads: tuple[int, ...] = ()
    value: float | None = None
    threshold: float | None = None
    unit: str = ""
    query: int | None = None
    key: int | None = None
    whole_run: bool = False  # of no layer in particular
    marks: frozenset[str] = frozenset()  # patterns seen, which decide between causes


@dataclass(frozen=True, slots=True, kw_only=True)
class Gap:
    """A signal that could not be judged here, why, and what to record so that it can be."""

    signal: str
    reason: str
    advice: str = ""


Verdict = Finding | Gap


def indices(heads: Bools) -> tuple[int, ...]:
    """Return the indices at which a (head,) mask is True."""
    return tuple(int(head) for head in np.flatnonzero(heads))
