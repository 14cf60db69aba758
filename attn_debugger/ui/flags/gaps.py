"""What could not be judged, why, and the one `record(...)` line that would change that."""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import escape

from PySide6.QtCore import QCoreApplication

from attn_debugger.core.flags import NotEvaluated
from attn_debugger.session.translated import translated
from attn_debugger.ui.flags.words import number_ranges, signal_title
from attn_debugger.ui.theme import Theme

_CALL = re.compile(
    r"record\(\s*model\s*,\s*(?P<path>[^,()]+?)\s*(?:,\s*(?P<options>.*))?\)\s*$", re.S
)
_OPTION = re.compile(
    r"(?P<name>\w+)\s*=\s*(?P<value>(?:[^,(\[{]|\([^()]*\)|\[[^\]]*\]|\{[^}]*\})+)"
)


def combined_advice(gaps: Iterable[NotEvaluated]) -> str:
    """Return one line that records everything the gaps ask for, or an empty string.

    Only pieces of advice of the form `record(model, path, option=value, ...)` can be joined; of
    an option that is asked for twice the first value stays.
    """
    options: dict[str, str] = {}
    found = False
    for gap in gaps:
        call = _CALL.search(gap.advice.strip().strip("`"))
        if call is None:
            continue
        found = True
        for option in _OPTION.finditer(call["options"] or ""):
            options.setdefault(option["name"], option["value"].strip())
    if not found:
        return ""
    parts = ["model", '"run.h5"', *(f"{name}={value}" for name, value in options.items())]
    return f"record({', '.join(parts)})"


def grouped(
    gaps: Iterable[NotEvaluated],
) -> tuple[tuple[str, tuple[tuple[str, str, str], ...]], ...]:
    """Return the gaps as (reason, ((signal, layers, advice), ...)): one reason, many signals.

    `layers` is empty for the whole run, else `L0-3,5`. The reason that stops most comes first.
    """
    layers: dict[tuple[str, str, str], list[int | None]] = {}
    for gap in gaps:
        layers.setdefault((gap.reason, gap.signal, gap.advice), []).append(gap.layer)
    reasons: dict[str, list[tuple[str, str, str]]] = {}
    for (reason, signal, advice), where in layers.items():
        known = [layer for layer in where if layer is not None]
        text = f"L{number_ranges(known)}" if known else ""
        reasons.setdefault(reason, []).append((signal, text, advice))
    ordered = sorted(reasons.items(), key=lambda item: -len(item[1]))
    return tuple((reason, tuple(entries)) for reason, entries in ordered)


def gaps_html(gaps: tuple[NotEvaluated, ...], theme: Theme) -> str:
    """Return the list as rich text: reasons, below each the signals it kept from being judged."""
    if not gaps:
        text = QCoreApplication.translate(
            "Gaps", "Every signal could be judged in every layer that was recorded."
        )
        return f"<p style='color:{theme.muted}'>{escape(text)}</p>"
    html = []
    for reason, entries in grouped(gaps):
        html.append(f"<p style='margin:8px 0 2px 0'><b>{escape(_sentence(reason))}</b></p>")
        for signal, layers, _ in entries:
            where = f" <span style='color:{theme.muted}'>{escape(layers)}</span>" if layers else ""
            html.append(f"<p style='margin:0 0 0 10px'>{escape(signal_title(signal))}{where}</p>")
        advice = dict.fromkeys(text for _, _, text in entries if text)
        html += [
            f"<p style='margin:2px 0 0 10px;color:{theme.muted}'>{_advice(text)}</p>"
            for text in advice
        ]
    return "".join(html)


def gaps_text(gaps: tuple[NotEvaluated, ...]) -> str:
    """Return the list as plain text."""
    lines = []
    for reason, entries in grouped(gaps):
        lines.append(_sentence(reason))
        lines += [f"  {signal_title(signal)} {layers}".rstrip() for signal, layers, _ in entries]
    return "\n".join(lines) + "\n"


def _sentence(text: str) -> str:
    """Raise the first letter, but not that of a symbol: `q` and `Q` differ."""
    text = translated(text)
    first = text.split(" ", 1)[0]
    return text if len(first) == 1 else text[:1].upper() + text[1:]


def _advice(text: str) -> str:
    if _CALL.search(text.strip().strip("`")):
        return f"<code>{escape(translated(text))}</code>"
    return escape(translated(text))
