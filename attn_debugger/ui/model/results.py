"""What came of running the model, as text: checks, recomputation, silenced heads, tokens. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from PySide6.QtCore import QCoreApplication

from attn_debugger.core.topology import ModelCheck
from attn_debugger.session.translated import translated
from attn_debugger.ui.model.run_options import scaled_words
from attn_debugger.ui.model.text import check_html
from attn_debugger.ui.theme import Theme

_MOST = 40  # rows shown; the rest is counted
_RANK = {"failed": 0, "not_run": 1, "passed": 2}


def checks_result_html(
    checks: Sequence[ModelCheck], theme: Theme, rules: Sequence[ModelCheck] = ()
) -> str:
    """Return the checks by experiment, failed ones first, under a line that counts them.

    Below them the rules on weights and settings.
    """
    translate = QCoreApplication.translate
    counts = {
        result: sum(check.result == result for check in checks) for result in ("passed", "failed")
    }
    head = translate("Model", "{a} passed, {b} failed, {c} not run").format(
        a=counts["passed"], b=counts["failed"], c=len(checks) - sum(counts.values())
    )
    rows = sorted(checks, key=lambda check: _RANK[check.result])
    html = _heading(head) + "".join(check_html(check, theme) for check in rows)
    if rules:
        html += _heading(translate("Model", "Rules on its weights and settings"))
        for check in sorted(rules, key=lambda check: _RANK[check.result]):
            html += check_html(check, theme)
    return html


def replay_html(result: Mapping[str, Any], theme: Theme) -> str:
    """Return whether the recorded frame and the recomputed one agree, layer by layer."""
    translate = QCoreApplication.translate
    agrees = bool(result["agrees"])
    colour = theme.clean if agrees else theme.warning
    html = [f"<p style='color:{colour}'><b>{escape(translated(result['sentence']))}</b></p>"]
    html += [_muted(translated(note), theme) for note in result.get("notes", ())]
    rows = []
    for layer in result["layers"]:
        known = [(v, h) for h, v in enumerate(layer["differences"]) if v is not None]
        if not known:
            rows.append((f"L{layer['layer']}", "–", translated(layer["reason"])))
            continue
        worst, head = max(known)
        link = _link(layer["layer"], head)
        sign = "✓" if layer["agrees"] else "✗"
        rows.append((link, f"{worst:.1e}", sign))
    titles = (translate("Model", "Head"), translate("Model", "Largest difference"), "")
    html.append(_table(titles, rows, theme))
    return "".join(html)


def ablation_html(result: Mapping[str, Any], theme: Theme) -> str:
    """Return the heads in order of what the batch costs without them."""
    translate = QCoreApplication.translate
    heads = [
        (change, layer, head)
        for layer, row in enumerate(result["changes"])
        for head, change in enumerate(row)
        if change is not None
    ]
    heads.sort(key=lambda item: -item[0])
    said = translate("Model", "{measure}: {baseline} {unit} with the model as it is").format(
        measure=translated(result["measure"]),
        baseline=f"{result['baseline']:.4g}",
        unit=translated(result["unit"]),
    )
    factor = float(result["factor"])
    title = translate("Model", "Heads {what}, one at a time").format(what=scaled_words(factor))
    on_tiles = translate(
        "Model", "The changes stand on the tiles until you choose another number for them."
    )
    html = [_heading(title), _muted(said, theme), _muted(on_tiles, theme)]
    html += [_muted(translated(note), theme) for note in result.get("notes", ())]
    rows = [(_link(layer, head), f"{change:+.4g}") for change, layer, head in heads[:_MOST]]
    titles = (translate("Model", "Head"), translate("Model", "Change"))
    html.append(_table(titles, rows, theme))
    if len(heads) > _MOST:
        html.append(_muted(translate("Model", "and {n} more").format(n=len(heads) - _MOST), theme))
    return "".join(html)


def occlusion_html(
    result: Mapping[str, Any], theme: Theme, tokens: Sequence[str] | None = None
) -> str:
    """Return the tokens in order of what the others lose without them, beside their attention."""
    translate = QCoreApplication.translate
    spans = sorted(
        result["spans"], key=lambda span: -abs(span["change"] if span["change"] else 0.0)
    )
    said = translate("Model", "{measure} of sample {n}, replaced by {what}").format(
        measure=translated(result["measure"]),
        n=result["sample"],
        what=translated(result["replaced_by"]),
    )
    html = [
        _heading(translate("Model", "Tokens taken away, and what the others lose")),
        _muted(said, theme),
        _muted(translated(result["warning"]), theme),
    ]
    rows = []
    for span in spans[:_MOST]:
        logit, place = _largest(span)
        moved = "–" if logit is None else f"{logit:.3g}"
        if place is not None:
            moved += translate("Model", " at {place}").format(place=place)
        rows.append(
            (
                _span_words(span, tokens),
                _signed(span["change"]),
                escape(moved),
                "–" if span["attention"] is None else f"{span['attention']:.3f}",
            )
        )
    titles = (
        translate("Model", "Token"),
        translate("Model", "Loss")
        if result["unit"] != "of their norm"
        else translate("Model", "Change"),
        translate("Model", "Logits"),
        translate("Model", "Attention"),
    )
    html.append(_table(titles, rows, theme))
    if len(spans) > _MOST:
        html.append(_muted(translate("Model", "and {n} more").format(n=len(spans) - _MOST), theme))
    return "".join(html)


def _span_words(span: Mapping[str, Any], tokens: Sequence[str] | None) -> str:
    first, last = int(span["first"]), int(span["last"])
    place = str(first) if first == last else f"{first}–{last}"
    words = () if tokens is None else tokens[first : last + 1]
    return f"{place} {escape(' '.join(words))}"


def _largest(span: Mapping[str, Any]) -> tuple[float | None, int | None]:
    """Return the largest change of a logit outside of the span, and where; pooled: nowhere."""
    logits = span["logits"]
    if len(logits) <= 1:
        return (logits[0] if logits else None), None
    outside = [
        (value, place)
        for place, value in enumerate(logits)
        if value is not None and not span["first"] <= place <= span["last"]
    ]
    return max(outside) if outside else (None, None)


def _signed(value: float | None) -> str:
    return "–" if value is None else f"{value:+.4g}"


def _link(layer: int, head: int) -> str:
    return f"<a href='head:{layer}:{head}'>L{layer}.H{head}</a>"


def _heading(text: str) -> str:
    return f"<p style='margin:6px 0 2px 0'><b>{escape(text)}</b></p>"


def _muted(text: str, theme: Theme) -> str:
    return f"<p style='margin:2px 0; color:{theme.muted}'>{escape(text)}</p>"


def _table(titles: Sequence[str], rows: Sequence[Sequence[str]], theme: Theme) -> str:
    """Cells are HTML already; all but the first column are numbers."""
    head = "".join(
        f"<td style='color:{theme.muted}' align='{'left' if i == 0 else 'right'}'>"
        f"{escape(title)}&nbsp;&nbsp;</td>"
        for i, title in enumerate(titles)
    )
    body = "".join(
        "<tr>"
        + "".join(
            f"<td align='{'left' if i == 0 else 'right'}'>{cell}&nbsp;&nbsp;</td>"
            for i, cell in enumerate(row)
        )
        + "</tr>"
        for row in rows
    )
    return f"<table cellspacing='0' cellpadding='1'><tr>{head}</tr>{body}</table>"
