"""The order in which things broke, as sentences; order is told, cause only where it is known."""

from __future__ import annotations

from collections import Counter

from attn_debugger.analysis.anomalies import Anomalies
from attn_debugger.analysis.texts import SIGNALS
from attn_debugger.analysis.wording import name_heads
from attn_debugger.core.flags import Flag, Severity
from attn_debugger.core.run import Run

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
            word = "flag follows" if following == 1 else "flags follow"
            sentences.append(
                f"{following} more {word} from it and {_is_are(following)} folded away."
            )
        lead = _lead(chapter, anomalies)
        if lead:
            sentences.append(lead)
    if len(chapters) > _LONGEST:
        sentences.append(f"{len(chapters) - _LONGEST} later problems are in the list.")
    if len(chapters) > 1:
        sentences.append("This is the order in which they set in; order alone is not a cause.")
    return tuple(sentences)


def _quiet(flags: tuple[Flag, ...]) -> tuple[str, ...]:
    notices = [flag for flag in flags if flag.severity is Severity.NOTICE]
    if not notices:
        return ()
    first = notices[0]
    return (f"Nothing is wrong; what may matter: {_lower(first.message)}",)


def _chapters(roots: list[Flag]) -> list[list[Flag]]:
    """Flags of one signal that set in at one step, in several layers, are told together."""
    chapters: dict[tuple[str, int | None], list[Flag]] = {}
    for flag in roots:
        chapters.setdefault((flag.signal, flag.first_step), []).append(flag)
    return list(chapters.values())


def _opening(number: int, chapter: list[Flag], run: Run) -> str:
    start = "First, " if number == 0 else "Then, "
    first = chapter[0]
    if len(chapter) == 1:
        return start + _lower(first.message)
    text = SIGNALS.get(first.signal)
    title = text.title if text is not None else first.signal
    layers = sorted({flag.layer for flag in chapter if flag.layer is not None})
    at = f"at step {first.first_step}" if first.first_step is not None else "in this run"
    where = f"in {name_heads(tuple(layers)).replace('head', 'layer')}" if layers else ""
    total = "every layer" if len(layers) == len(run.layers) > 1 else ""
    place = f"in {total}" if total else where
    return f"{start}{at}: {_lower(title)} {place}. {first.message}".replace("  ", " ")


def _evidence(chapter: list[Flag]) -> list[str]:
    """What the archive confirms about the way in, of the first flag of a chapter."""
    flag = chapter[0]
    confirmed = [cause for cause in flag.causes if cause.status == "confirmed"]
    if confirmed:
        cause = confirmed[0]
        return [f"The archive points to this: {cause.text} ({cause.because})."]
    if flag.signal in _NONFINITE:
        open_ones = [cause for cause in flag.causes if cause.status == "unknown"]
        if open_ones:
            return [f"Where it came from is not known: {open_ones[0].because}."]
    return []


def _lead(chapter: list[Flag], anomalies: Anomalies) -> str:
    lead = chapter[0].lead
    if lead is None or anomalies.first is None:
        return ""
    what = "loss" if anomalies.first in anomalies.loss else "gradient norm"
    if lead > 0:
        return f"That is {lead} steps before the {what} leaves its trend (step {anomalies.first})."
    if lead == 0:
        return f"The {what} leaves its trend at that very step."
    return f"The {what} had left its trend {-lead} steps before."


def _lower(sentence: str) -> str:
    """Lower the first letter unless the word is an acronym such as NaN."""
    head = sentence.split(" ", 1)[0]
    if len(head) > 1 and any(letter.isupper() for letter in head[1:]):
        return sentence
    return sentence[:1].lower() + sentence[1:]


def _is_are(count: int) -> str:
    return "is" if count == 1 else "are"
