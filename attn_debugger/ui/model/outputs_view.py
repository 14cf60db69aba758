"""Per-layer output statistics at the step in view; the layer where the range jumps is marked."""

from __future__ import annotations

import math
from html import escape

from PySide6.QtCore import QCoreApplication, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QTextBrowser, QWidget

from attn_debugger.analysis.output_profile import OutputProfile
from attn_debugger.ui.theme import LIGHT, Theme

_BAR = 10  # characters of the longest bar


class OutputsView(QTextBrowser):
    """Asks for the profile of the step only while it is seen."""

    wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(self.tr("Output statistics of the layers at this step"))
        self._theme: Theme = LIGHT
        self._profile: OutputProfile | None = None
        self._draw()

    def show_profile(self, profile: OutputProfile | None) -> None:
        self._profile = profile
        self._draw()

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self._draw()

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802
        super().showEvent(event)
        self.wanted.emit()

    def _draw(self) -> None:
        theme = self._theme
        if self._profile is None:
            text = self.tr("Mean, spread and largest value of each layer's output at this step.")
            self.setHtml(f"<p style='color:{theme.muted}'>{escape(text)}</p>")
        else:
            self.setHtml(outputs_html(self._profile, theme))


def outputs_html(profile: OutputProfile, theme: Theme) -> str:
    """Return a row a layer with a bar of its spread (logarithmic), the jump in colour and words."""
    translate = QCoreApplication.translate
    known = [item.var for item in profile.layers if item.var is not None and item.var > 0]
    finite = [math.log10(value) for value in known if math.isfinite(value)]
    if not known:
        text = translate("Model", "The outputs of the layers were not recorded at this step.")
        return f"<p style='color:{theme.muted}'>{escape(text)}</p>"
    head = translate("Model", "Outputs at step {n}").format(n=profile.step)
    html = [f"<p style='margin:4px 0'><b>{escape(head)}</b></p>"]
    if profile.jump is not None:
        before = profile.jump - 1
        words = (
            translate(
                "Model", "The range jumps after layer {n}: {factor} times the variance"
            ).format(n=before, factor=f"{profile.factor:.0f}")
            if math.isfinite(profile.factor)
            else translate("Model", "The output of layer {n} is not finite").format(n=profile.jump)
        )
        html.append(f"<p style='color:{theme.warning}; margin:2px 0'>{escape(words)}</p>")
    titles = ("", translate("Model", "mean"), translate("Model", "std"), translate("Model", "max"))
    cells = "".join(f"<td align='right'>&nbsp;{escape(title)}</td>" for title in titles)
    html.append(f"<table cellspacing='0'><tr style='color:{theme.muted}'>{cells}<td></td></tr>")
    for item in profile.layers:
        marked = item.layer == profile.jump
        colour = theme.warning if marked else theme.text
        std = None if item.var is None else math.sqrt(item.var) if item.var >= 0 else math.nan
        numbers = "".join(
            f"<td align='right' style='color:{colour}'>&nbsp;{_number(value)}</td>"
            for value in (item.mean, std, item.abs_max)
        )
        html.append(
            f"<tr><td>L{item.layer}</td>{numbers}"
            f"<td style='color:{theme.warning if marked else theme.accent}'>"
            f"&nbsp;{_bar(item.var, finite)}</td></tr>"
        )
    return "".join(html) + "</table>"


def _number(value: float | None) -> str:
    if value is None:
        return "–"
    return f"{value:.3g}" if math.isfinite(value) else "NaN" if math.isnan(value) else "inf"


def _bar(variance: float | None, logs: list[float]) -> str:
    if variance is None or not variance > 0 or not math.isfinite(variance) or not logs:
        return ""
    # At least a decade wide: layers that are about alike look alike.
    high = max(logs)
    low = min(min(logs), high - 1)
    share = (math.log10(variance) - low) / (high - low)
    return "▮" * max(1, round(share * _BAR))
