"""The numbers of a map before and after, as a small table. Pure."""

from __future__ import annotations

import math
from html import escape

from PySide6.QtCore import QCoreApplication

from attn_debugger.analysis.what_if import Answer
from attn_debugger.ui.theme import Theme


def numbers_html(answer: Answer, theme: Theme) -> str:
    """Return entropy, peak, diagonal and the key with the most weight, recorded and what if."""
    translate = QCoreApplication.translate
    before, after = answer.before, answer.after
    rows = (
        (translate("WhatIf", "Entropy, nats"), before.entropy, after.entropy),
        (translate("WhatIf", "Peak"), before.peak, after.peak),
        (translate("WhatIf", "Diagonal"), before.diagonal, after.diagonal),
    )
    lines = [
        _row("", translate("WhatIf", "recorded"), translate("WhatIf", "what if"), "", theme.muted)
    ]
    lines += [_row(name, _number(a), _number(b), _change(a, b), theme.text) for name, a, b in rows]
    lines.append(
        _row(
            translate("WhatIf", "Most weight"),
            f"k {before.largest_key}: {before.largest_key_share:.0%}"
            if math.isfinite(before.largest_key_share)
            else "–",
            f"k {after.largest_key}: {after.largest_key_share:.0%}"
            if math.isfinite(after.largest_key_share)
            else "–",
            "",
            theme.text,
        )
    )
    html = f"<table cellspacing='0' cellpadding='2'>{''.join(lines)}</table>"
    if answer.n_empty_rows:
        said = translate("WhatIf", "queries without any key, their rows are NaN: {n}").format(
            n=answer.n_empty_rows
        )
        html += f"<p style='color:{theme.warning}'>{escape(said)}</p>"
    return html


def _row(name: str, one: str, two: str, change: str, colour: str) -> str:
    cells = "".join(
        f"<td align='right' style='color:{colour}'>&nbsp;{escape(text)}</td>"
        for text in (one, two, change)
    )
    return f"<tr><td>{escape(name)}</td>{cells}</tr>"


def _number(value: float) -> str:
    return f"{value:.3f}" if math.isfinite(value) else "–"


def _change(before: float, after: float) -> str:
    change = after - before
    return f"{change:+.3f}" if math.isfinite(change) and abs(change) >= 5e-4 else ""
