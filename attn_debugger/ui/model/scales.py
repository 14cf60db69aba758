"""How large the projections of a layer are beside what initialisers would give. Pure."""

from __future__ import annotations

from html import escape

from PySide6.QtCore import QCoreApplication

from attn_debugger.core.weights import LayerWeights
from attn_debugger.ui.theme import Theme

_LARGE = 2.0  # times Kaiming's standard deviation, the largest in use
_NAMES = {"query": "W_q", "key": "W_k", "value": "W_v", "output": "W_o"}


def scales_html(weights: LayerWeights, step: int, theme: Theme) -> str:
    """Return a line a projection: its standard deviation, xavier's, kaiming's, and what is odd."""
    translate = QCoreApplication.translate
    head = translate("Model", "Spread of the entries at step {n}").format(n=step)
    rows = [
        f"<tr style='color:{theme.muted}'><td></td><td align='right'>&nbsp;std</td>"
        f"<td align='right'>&nbsp;xavier</td><td align='right'>&nbsp;kaiming</td><td></td></tr>"
    ]
    for name, scale in weights.scales.items():
        remarks = []
        if scale.std > _LARGE * scale.kaiming:
            factor = f"{scale.std / scale.xavier:.1f}"
            remarks.append(translate("Model", "{n} times xavier").format(n=factor))
        if name in weights.unchanged:
            remarks.append(translate("Model", "never moved"))
        colour = theme.warning if remarks else theme.text
        rows.append(
            f"<tr><td>{_NAMES.get(name, escape(name))}</td>"
            f"<td align='right' style='color:{colour}'>&nbsp;{scale.std:.3g}</td>"
            f"<td align='right'>&nbsp;{scale.xavier:.3g}</td>"
            f"<td align='right'>&nbsp;{scale.kaiming:.3g}</td>"
            f"<td style='color:{colour}'>&nbsp;{escape(', '.join(remarks))}</td></tr>"
        )
    if len(rows) == 1:
        return ""
    return f"<p style='margin:0'>{escape(head)}</p><table cellspacing='0'>{''.join(rows)}</table>"
