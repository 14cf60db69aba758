"""A diagnosis as plain text for a terminal: the story, each flag with its evidence, the gaps."""

from __future__ import annotations

from collections import Counter
from textwrap import fill, indent

from attn_debugger.core.flags import Diagnosis, Flag, Severity
from attn_debugger.core.run import Run

_WIDTH = 100


def check_text(run: Run, diagnosis: Diagnosis) -> str:
    """Return what `check` prints without `--json`: loudest findings first, followers folded."""
    parts = [_headline(run, diagnosis)]
    if diagnosis.changed_limits:
        own = ", ".join(str(limit) for limit in diagnosis.changed_limits)
        parts.append(_wrap(f"Limits changed (defaults in brackets): {own}", ""))
    if diagnosis.story:
        parts.append("\n".join(_wrap(sentence, "  ") for sentence in diagnosis.story))
    roots = [(i, flag) for i, flag in enumerate(diagnosis.flags) if flag.caused_by is None]
    loud = [(i, flag) for i, flag in roots if flag.severity > Severity.LABEL]
    followers = Counter(flag.caused_by for flag in diagnosis.flags)
    ordered = sorted(loud, key=lambda item: (-item[1].severity, item[0]))
    for alike in _alike(ordered):
        facts = [_facts(flag, followers[index]) for index, flag in alike]
        parts.append("\n".join([*facts, *_advice(alike[0][1])]))
    labels = [flag for _, flag in roots if flag.severity == Severity.LABEL]
    if labels:
        parts.append("Labels:\n" + "\n".join(_wrap(flag.message, "  ") for flag in labels))
    if diagnosis.not_evaluated:
        parts.append("Not evaluated:\n" + "\n".join(_gaps(diagnosis)))
    return "\n\n".join(parts)


def flag_text(flag: Flag) -> str:
    """Return one flag as text for a terminal or a bug report."""
    return "\n".join([_facts(flag), *_advice(flag)])


def _alike(flags: list[tuple[int, Flag]]) -> list[list[tuple[int, Flag]]]:
    """Flags that share signal, severity, causes and remedies: their advice is printed once."""
    groups: dict[tuple[object, ...], list[tuple[int, Flag]]] = {}
    for index, flag in flags:
        key = (flag.signal, flag.severity, flag.causes, flag.remedies)
        groups.setdefault(key, []).append((index, flag))
    return list(groups.values())


def _facts(flag: Flag, followers: int = 0) -> str:
    """Where, when, what was measured, and how much else it explains."""
    lines = [f"{flag.severity.word.upper()}  {flag.signal}  {where(flag)}", _wrap(flag.message)]
    if flag.value is not None and flag.threshold is not None:
        lines.append(
            f"  measured {_number(flag.value)} {flag.unit}, limit {_number(flag.threshold)}"
        )
    if flag.changed_limits:
        own = ", ".join(str(limit) for limit in flag.changed_limits)
        lines.append(_wrap(f"judged by limits of your own (defaults in brackets): {own}"))
    if flag.lead is not None:
        lines.append(_wrap(lead_sentence(flag.lead)))
    if followers:
        more = "1 more finding follows" if followers == 1 else f"{followers} more findings follow"
        lines.append(f"  {more} from this one")
    return "\n".join(lines)


def _advice(flag: Flag) -> list[str]:
    """The causes with their evidence, and what to do."""
    lines = []
    for cause in flag.causes:
        because = f" ({cause.because})" if cause.because else ""
        lines.append(_wrap(f"{cause.status}: {cause.text}{because}", "    "))
    return lines + [_wrap(f"to do: {remedy}", "    ") for remedy in flag.remedies]


def _number(value: float) -> str:
    """Four digits, without a power of ten where a person would not write one."""
    return f"{value:.0f}" if 1e4 <= abs(value) < 1e7 else f"{value:.4g}"


def where(flag: Flag) -> str:
    """Return the place of a flag: heads, steps, and how many frames it holds in."""
    parts = []
    if flag.layer is not None:
        name = f" ({flag.layer_name})" if flag.layer_name else ""
        heads = _ranges(flag.heads)
        parts.append(f"L{flag.layer}.H{heads}{name}" if heads else f"L{flag.layer}{name}")
    if flag.first_step is not None:
        same = flag.last_step in (None, flag.first_step)
        steps = f"step {flag.first_step}" if same else f"steps {flag.first_step}-{flag.last_step}"
        parts.append(f"{steps} ({flag.n_frames})")
    if flag.query is not None:
        key = "" if flag.key is None else f", key {flag.key}"
        parts.append(f"query {flag.query}{key}")
    return ", ".join(parts)


def _ranges(heads: tuple[int, ...]) -> str:
    """Return heads or layers as `0-7,11`."""
    runs: list[list[int]] = []
    for head in sorted(heads):
        if runs and head == runs[-1][-1] + 1:
            runs[-1].append(head)
        else:
            runs.append([head])
    return ",".join(f"{run[0]}-{run[-1]}" if len(run) > 1 else str(run[0]) for run in runs)


def lead_sentence(lead: int) -> str:
    """Return how a flag's onset lies to the first anomaly of loss or gradient norm, in steps."""
    if lead > 0:
        return f"began {_steps(lead)} before the loss or gradient norm broke"
    if lead < 0:
        return f"began {_steps(-lead)} after the loss or gradient norm broke"
    return "began in the step in which the loss or gradient norm broke"


def _steps(count: int) -> str:
    return "1 step" if count == 1 else f"{count} steps"


def scope(run: Run, diagnosis: Diagnosis) -> str:
    """Return what was looked at: what lies outside is not clean, it is unknown."""
    looked_at = diagnosis.coverage or f"{diagnosis.n_frames} of {run.n_frames} frames"
    return f"{run.n_heads} heads, {looked_at}"


def _headline(run: Run, diagnosis: Diagnosis) -> str:
    loud = [f for f in diagnosis.flags if f.severity >= Severity.NOTICE and f.caused_by is None]
    checked = scope(run, diagnosis)
    if not loud:
        found = "nothing found"
    else:
        found = f"{len(loud)} finding{'s' if len(loud) > 1 else ''}"
    return f"{run.path}: {found} in {checked}"


def _gaps(diagnosis: Diagnosis) -> list[str]:
    """One line a reason: neither once a layer nor once a signal."""
    layers: dict[tuple[str, str, str], list[int]] = {}
    for gap in diagnosis.not_evaluated:
        places = layers.setdefault((gap.signal, gap.reason, gap.advice), [])
        if gap.layer is not None:
            places.append(gap.layer)
    signals: dict[tuple[str, str, str], list[str]] = {}
    for (signal, reason, advice), places in layers.items():
        word = "layer" if len(places) == 1 else "layers"
        at = f" ({word} {_ranges(tuple(places))})" if places else ""
        signals.setdefault((at, reason, advice), []).append(signal)
    return [
        _wrap(f"{', '.join(names)}{at}: {reason}{f'; {advice}' if advice else ''}")
        for (at, reason, advice), names in signals.items()
    ]


def _wrap(text: str, prefix: str = "  ") -> str:
    return indent(fill(text, _WIDTH - len(prefix)), prefix)
