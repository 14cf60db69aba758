"""The form in which a signal is explained."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class CauseText:
    """A possible cause. `evidence` names the test in `causes.rulings` that decides about it."""

    text: str
    evidence: str = ""
    otherwise: str = ""  # what would decide, said when nothing in the archive can


@dataclass(frozen=True, slots=True, kw_only=True)
class SignalText:
    """One section of the help page, and what the flags panel shows under a flag."""

    title: str
    looks: str  # what it looks like
    means: str  # why it happens
    confirm: str  # how to confirm it
    causes: tuple[CauseText, ...]
    remedies: tuple[str, ...]  # what to change
    limits: str  # when it speaks, with numbers
    source: str
