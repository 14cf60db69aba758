"""The help page of the signals, made from the same words the flags panel shows."""

from __future__ import annotations

from dataclasses import fields

from attn_debugger.analysis.texts import FAMILIES, SIGNALS
from attn_debugger.analysis.thresholds import Thresholds

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

_INTRODUCTION = """# Signals

What the program looks for, what each finding means, and what to change. Severities: a *label*
describes, a *notice* may matter, a *warning* is wrong or likely so, a *critical* flag breaks
something that holds in every healthy run. Shapes alone never alarm: they stay labels or notices
until they last, cover a layer and something else breaks too.

A signal is in one of three states: found, clean, or *not evaluated*, with the reason and what to
record so that it can be. Every cause under a flag is *confirmed*, *excluded* or *unknown*, with
the evidence. All logarithms are natural: entropies and divergences are in nats.

The mean weight of a full softmax row is exactly 1/keys, whatever the head does: the popular rule
"between 0.01 and 0.1" is a rule about the number of keys. Judge by the peak weight and the
effective number of keys, exp(entropy), instead.
"""


def signals_page() -> str:
    """Return `resources/help/signals.md`: one section a signal, and the table of limits."""
    parts = [_INTRODUCTION, _contents()]
    for family, names in FAMILIES.items():
        parts.append(f"## {family}\n")
        parts += [_section(name) for name in names]
    parts.append(_limits())
    return "\n".join(parts)


def _contents() -> str:
    lines = []
    for family, names in FAMILIES.items():
        links = ", ".join(f"[{name}](signals.md#{name})" for name in names)
        lines.append(f"- {family}: {links}")
    return "\n".join(lines) + "\n"


def _section(name: str) -> str:
    text = SIGNALS[name]
    causes = "\n".join(f"- {cause.text}" for cause in text.causes)
    remedies = "\n".join(f"- {remedy}" for remedy in text.remedies)
    picture = f"\n![{text.title}](images/signal-{name}.png)\n" if name in PICTURED else ""
    return f"""### {text.title}: `{name}`
{picture}
**Looks like.** {text.looks}

**Why.** {text.means}

{causes}

**To confirm.** {text.confirm}

**To change.**

{remedies}

**When it speaks.** {text.limits} *Source: {text.source}.*
"""


def _limits() -> str:
    defaults = Thresholds()
    rows = [
        f"| `{field.name}` | {getattr(defaults, field.name):.6g} |" for field in fields(Thresholds)
    ]
    table = "\n".join(rows)
    return f"""## Limits

Every limit can be set: write `name = number` lines into a TOML file and pass it with
`check --thresholds FILE`, or in the settings of the window.

| name | default |
|---|---|
{table}
"""
