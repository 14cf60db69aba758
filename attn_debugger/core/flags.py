"""A finding about a run, and what a whole examination says."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Literal

from attn_debugger.core.heads import HeadRef


class Severity(IntEnum):
    """How loud a flag is.

    A label describes; a notice may matter; a warning is wrong or likely so; a critical flag breaks
    an invariant that holds in every healthy run.
    """

    LABEL = 0
    NOTICE = 1
    WARNING = 2
    CRITICAL = 3

    @property
    def word(self) -> str:
        return self.name.lower()


@dataclass(frozen=True, slots=True)
class Cause:
    """A possible cause and where the evidence stands."""

    text: str
    status: Literal["confirmed", "excluded", "unknown"] = "unknown"
    because: str = ""


@dataclass(frozen=True, slots=True)
class ChangedLimit:
    """A threshold that the user has set, and what it is otherwise."""

    name: str
    value: float
    default: float

    def __str__(self) -> str:
        return f"{self.name} = {self.value:g} ({self.default:g})"


@dataclass(frozen=True, slots=True, kw_only=True)
class Flag:
    """One finding. Steps are the trainer's; frames index the archive.

    `heads` is every head concerned. `value` was held against `threshold`, both in `unit`.
    `caused_by` is the index, in the same diagnosis, of the flag this one merely follows from.
    `lead` is how many steps before the first anomaly of loss or gradient norm it began
    (negative = after it; None = there is no such anomaly). `changed_limits` are the thresholds of
    this signal that are not at their defaults.
    """

    signal: str
    severity: Severity
    layer: int | None
    heads: tuple[int, ...]
    first_step: int | None
    last_step: int | None
    first_frame: int | None
    last_frame: int | None
    message: str
    layer_name: str | None = None
    stream: str | None = None
    sample: int | None = None
    query: int | None = None
    key: int | None = None
    value: float | None = None
    threshold: float | None = None
    unit: str = ""
    n_frames: int = 1  # frames in which it holds
    causes: tuple[Cause, ...] = ()
    remedies: tuple[str, ...] = ()
    caused_by: int | None = None
    lead: int | None = None
    changed_limits: tuple[ChangedLimit, ...] = ()

    @property
    def head(self) -> HeadRef | None:
        """The first head concerned: where a click leads."""
        if self.layer is None:
            return None
        return HeadRef(self.layer, self.heads[0] if self.heads else 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class NotEvaluated:
    """A signal that could not be judged, where, why, and what to record so that it can be."""

    signal: str
    layer: int | None  # None = the whole run
    reason: str
    advice: str = ""  # e.g. 'record(model, path, scores=True)'


@dataclass(frozen=True, slots=True, kw_only=True)
class Diagnosis:
    """What an examination found so far.

    `flags` is ordered by onset, roots before what follows from them. Every signal is in exactly
    one state per layer: flagged, listed in `not_evaluated`, or clean. `tags` are the quiet
    structure labels of heads (sink, previous-token, diagonal, induction) at the last frame.
    """

    flags: tuple[Flag, ...] = ()
    not_evaluated: tuple[NotEvaluated, ...] = ()
    story: tuple[str, ...] = ()  # sentences, in the order in which things broke
    checked: tuple[str, ...] = ()  # signals that were evaluated somewhere
    coverage: str = ""  # "sample 0 of 16, rank 0 of 8"
    n_frames: int = 0  # frames examined
    tags: Mapping[HeadRef, tuple[str, ...]] = field(default_factory=dict)
    changed_limits: tuple[ChangedLimit, ...] = ()  # thresholds that are not at their defaults


EMPTY_DIAGNOSIS = Diagnosis()
