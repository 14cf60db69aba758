"""The help page of the signals, made from the same words the flags panel shows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from textwrap import wrap

from attn_debugger.analysis.texts import FAMILIES, SIGNALS
from attn_debugger.analysis.thresholds import Thresholds
from attn_debugger.core.words import fixed, say

# Signals with a picture in resources/help/images, drawn from cases of the test corpus.
PICTURED = frozenset(
    """
    nan_weights fully_masked_row invalid_weights softmax_axis row_sum_deficit dropout_in_weights
    score_extreme score_growth scale_mismatch pad_leak causal_violation window_violation
    cross_document_leak mask_on_head_axis support_truncated diagonal_collapse band_head sink
    key_collapse duplicate_heads duplicate_columns entropy_collapse uniform_attention rank1_rows
    specialisation_loss sudden_change oscillation
    """.split()
)

_TITLE = say("Signals")
_INTRODUCTION = (
    say(
        "What the program looks for, what each finding means, and what to change. Severities:"
        " a *label* describes, a *notice* may matter, a *warning* is wrong or likely so, a "
        "*critical* flag breaks something that holds in every healthy run. Shapes alone never"
        " alarm: they stay labels or notices until they last, cover a layer and something "
        "else breaks too."
    ),
    say(
        "A signal is in one of three states: found, clean, or *not evaluated*, with the "
        "reason and what to record so that it can be. Every cause under a flag is "
        "*confirmed*, *excluded* or *unknown*, with the evidence. All logarithms are natural:"
        " entropies and divergences are in nats."
    ),
    say(
        "The mean weight of a full softmax row is exactly 1/keys, whatever the head does: the"
        ' popular rule "between 0.01 and 0.1" is a rule about the number of keys. Judge by '
        "the peak weight and the effective number of keys, exp(entropy), instead."
    ),
)
_LOOKS, _WHY, _CONFIRM = say("Looks like."), say("Why."), say("To confirm.")
_CHANGE, _SPEAKS = say("To change."), say("When it speaks.")
_LIMITS, _NAME, _DEFAULT = say("Limits"), say("name"), say("default")
_SET_LIMITS = say(
    "Every limit can be set: write `name = number` lines into a TOML file and pass it with\n"
    "`check --thresholds FILE`, or in the settings of the window."
)


def signals_page(translate: Callable[[str], str] = str) -> str:
    """Return `resources/help/signals.md`: one section a signal, and the table of limits.

    `translate` says its sentences in another language.
    """
    parts = [_introduction(translate), _contents(translate)]
    for family, names in FAMILIES.items():
        parts.append(f"## {translate(family)}\n")
        parts += [_section(name, translate) for name in names]
    parts.append(_limits(translate))
    return "\n".join(parts)


def _introduction(translate: Callable[[str], str]) -> str:
    paragraphs = [_wrapped(translate(text)) for text in _INTRODUCTION]
    return "\n\n".join((f"# {translate(_TITLE)}", *paragraphs)) + "\n"


def _wrapped(text: str) -> str:
    """Break a paragraph into lines; scripts without spaces have no place for it."""
    if not text.isascii():
        return text
    return "\n".join(wrap(text, 99, break_long_words=False, break_on_hyphens=False))


def _contents(translate: Callable[[str], str]) -> str:
    lines = []
    for family, names in FAMILIES.items():
        links = ", ".join(f"[{name}](signals.md#{name})" for name in names)
        lines.append(f"- {translate(family)}: {links}")
    return "\n".join(lines) + "\n"


def _section(name: str, translate: Callable[[str], str]) -> str:
    text = SIGNALS[name]
    title = translate(text.title)
    causes = "\n".join(f"- {translate(cause.text)}" for cause in text.causes)
    remedies = "\n".join(f"- {translate(remedy)}" for remedy in text.remedies)
    picture = f"\n![{title}](images/signal-{name}.png)\n" if name in PICTURED else ""
    source = translate(say("Source: {source}.", source=fixed(text.source)))
    return f"""### {title}: `{name}`
{picture}
**{translate(_LOOKS)}** {translate(text.looks)}

**{translate(_WHY)}** {translate(text.means)}

{causes}

**{translate(_CONFIRM)}** {translate(text.confirm)}

**{translate(_CHANGE)}**

{remedies}

**{translate(_SPEAKS)}** {translate(text.limits)} *{source}*
"""


def _limits(translate: Callable[[str], str]) -> str:
    defaults = Thresholds()
    rows = [
        f"| `{field.name}` | {getattr(defaults, field.name):.6g} |" for field in fields(Thresholds)
    ]
    table = "\n".join(rows)
    return f"""## {translate(_LIMITS)}

{translate(_SET_LIMITS)}

| {translate(_NAME)} | {translate(_DEFAULT)} |
|---|---|
{table}
"""
