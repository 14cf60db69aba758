"""The order in which things broke, as sentences; order is told, cause only where it is known."""

from __future__ import annotations

from collections import Counter

from attn_debugger.analysis.diagnosis.wording import listed
from attn_debugger.analysis.histories.anomalies import Anomalies
from attn_debugger.core.flags import Flag, Severity
from attn_debugger.core.run import Run
from attn_debugger.core.words import fixed, join, lowered, say

_LONGEST = 8  # chapters told; the rest is counted
_NONFINITE = ("nan_weights", "input_nonfinite", "score_overflow", "fully_masked_row")


def tell(flags: tuple[Flag, ...], run: Run, anomalies: Anomalies) -> tuple[str, ...]:
    """Return the story of a run: its root problems in order of onset, each with its evidence.

    Empty when there is nothing at or above a warning: the health line says so.
    """
    roots = [f for f in flags if f.caused_by is None and f.severity >= Severity.WARNING]
    if not roots:
        return _quiet(flags)
    followers = Counter(f.caused_by for f in flags if f.caused_by is not None)
    chapters = _chapters(roots)
    sentences: list[str] = []
    for number, chapter in enumerate(chapters[:_LONGEST]):
        sentences.append(_opening(number, chapter, run))
        sentences += _evidence(chapter)
        following = sum(followers[flags.index(flag)] for flag in chapter)
        if following:
            sentences.append(
                say("1 more flag follows from it and is folded away.")
                if following == 1
                else say("{n} more flags follow from it and are folded away.", n=following)
            )
        lead = _lead(chapter, anomalies)
        if lead:
            sentences.append(lead)
    if len(chapters) > _LONGEST:
        later = len(chapters) - _LONGEST
        sentences.append(say("{n} later problems are in the list.", n=later))
    if len(chapters) > 1:
        sentences.append(say("This is the order in which they set in; order alone is not a cause."))
    return tuple(sentences)


def _quiet(flags: tuple[Flag, ...]) -> tuple[str, ...]:
    notices = [flag for flag in flags if flag.severity is Severity.NOTICE]
    if not notices:
        return ()
    first = notices[0]
    return (
        say(
            "Nothing as loud as a warning; what may matter: {finding}",
            finding=_lower(first.message),
        ),
    )


def _chapters(roots: list[Flag]) -> list[list[Flag]]:
    """Flags of one signal are told together, where the first of them set in."""
    chapters: dict[str, list[Flag]] = {}
    for flag in roots:
        chapters.setdefault(flag.signal, []).append(flag)
    return list(chapters.values())


def _opening(number: int, chapter: list[Flag], run: Run) -> str:
    first = chapter[0]
    what = _lower(first.message)
    sentence = say("First, {what}", what=what) if number == 0 else say("Then, {what}", what=what)
    layers = {flag.layer for flag in chapter if flag.layer is not None}
    others = tuple(sorted(layers - {first.layer}))
    if not others:
        return sentence
    together = {flag.first_step for flag in chapter} == {first.first_step}
    everywhere = len(layers) == len(run.layers) > 2
    where = say("every other layer") if everywhere else _name_layers(others)
    if together:
        rest = say("The same at the same step in {where}.", where=where)
    else:
        rest = say("The same at the same step or later in {where}.", where=where)
    return join(" ", (sentence, rest))


def _name_layers(layers: tuple[int, ...]) -> str:
    if len(layers) == 1:
        return say("layer {layer}", layer=layers[0])
    return say("layers {layers}", layers=listed(layers))


def _evidence(chapter: list[Flag]) -> list[str]:
    """What the archive confirms about the way in, of the first flag of a chapter."""
    flag = chapter[0]
    confirmed = [cause for cause in flag.causes if cause.status == "confirmed"]
    if confirmed:
        cause = confirmed[0]
        return [
            say(
                "The archive points to this: {cause} ({because}).",
                cause=fixed(cause.text),
                because=cause.because,
            )
        ]
    if flag.signal in _NONFINITE:
        open_ones = [cause for cause in flag.causes if cause.status == "unknown"]
        if open_ones:
            return [
                say("Where it came from is not known: {because}.", because=open_ones[0].because)
            ]
    return []


def _lead(chapter: list[Flag], anomalies: Anomalies) -> str:
    lead = chapter[0].lead
    if lead is None or anomalies.first is None:
        return ""
    what = say("loss") if anomalies.first in anomalies.loss else say("gradient norm")
    if lead > 0:
        return say(
            "That is {steps} before the {what} leaves its trend (step {step}).",
            steps=_steps(lead),
            what=what,
            step=anomalies.first,
        )
    if lead == 0:
        return say("The {what} leaves its trend at that very step.", what=what)
    return say("The {what} had left its trend {steps} before.", what=what, steps=_steps(-lead))


def _steps(count: int) -> str:
    return say("1 step") if count == 1 else say("{count} steps", count=count)


def _lower(sentence: str) -> str:
    """Lower the first letter unless the word is an acronym such as NaN."""
    head = sentence.split(" ", 1)[0]
    if len(head) > 1 and any(letter.isupper() for letter in head[1:]):
        return sentence
    return lowered(sentence)
