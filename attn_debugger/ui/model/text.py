"""A checkpoint in words and numbers: pure functions over its topology."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from PySide6.QtCore import QCoreApplication

from attn_debugger.core.topology import AttentionModule, ModelCheck, ModelTopology
from attn_debugger.session.translated import translated
from attn_debugger.ui.theme import Theme


def count(n: int) -> str:
    """Return a count in groups of three: `2 362 368`."""
    return f"{n:,}".replace(",", "\u202f")


def size(n_bytes: int) -> str:
    """Return a file size: `438 MB` (powers of ten, as file managers show it)."""
    value = float(n_bytes)
    for unit in ("B", "kB", "MB", "GB"):
        if value < 1000:
            return f"{value:.3g}\u202f{unit}"
        value /= 1000
    return f"{value:.3g}\u202fTB"


def summary(topology: ModelTopology) -> str:
    """Return one line: format, step, parameters, size, dtypes."""
    translate = QCoreApplication.translate
    parts = [translated(topology.format)]
    if topology.step is not None:
        parts.append(translate("Model", "step {n}").format(n=topology.step))
    if topology.n_parameters:
        parts.append(translate("Model", "{n} parameters").format(n=count(topology.n_parameters)))
    if topology.n_bytes:
        parts.append(size(topology.n_bytes))
    if topology.dtypes:
        parts.append(", ".join(topology.dtypes))
    return " · ".join(part for part in parts if part)


def heads(module: AttentionModule) -> str:
    """Return the number of heads: `12`, `32 (8 key)` when grouped, `?` when nobody knows."""
    if module.n_heads is None:
        return "?"
    if module.n_key_heads is not None and module.n_key_heads != module.n_heads:
        return QCoreApplication.translate("Model", "{n} ({k} key)").format(
            n=module.n_heads, k=module.n_key_heads
        )
    return str(module.n_heads)


def shared_prefix(paths: Sequence[str]) -> str:
    """Return the leading part, up to a dot, that all module paths share; what differs is shown."""
    if len(paths) < 2:
        return ""
    first, last = min(paths), max(paths)
    length = next(
        (i for i, (a, b) in enumerate(zip(first, last, strict=False)) if a != b),
        min(len(first), len(last)),
    )
    return first[: first.rfind(".", 0, length) + 1]


def facts(module: AttentionModule) -> tuple[tuple[str, str], ...]:
    """Return what is known of one attention module as (name, value)."""
    translate = QCoreApplication.translate
    width = str(module.d_model)
    if module.n_heads is not None and module.d_head is not None:
        width = translate("Model", "{width} ({n} heads × {d})").format(
            width=module.d_model, n=module.n_heads, d=module.d_head
        )
    known = translate("Model", "unknown (not in the weights)")
    source = translated(module.heads_from) or (known if module.n_heads is None else "")
    projection = {
        "fused": translate("Model", "q, k, v in one matrix"),
        "separate": translate("Model", "q, k, v apart"),
    }[module.projection]
    layer = (
        translate("Model", "not matched")
        if module.archive_layer is None
        else translate("Model", "layer {n}").format(n=module.archive_layer)
    )
    rows = (
        (translate("Model", "Width"), width),
        (translate("Model", "Head count from"), source),
        (translate("Model", "Projections"), projection),
        (translate("Model", "Parameters"), count(module.n_parameters)),
        (translate("Model", "Dtype"), module.dtype),
        (translate("Model", "In the archive"), layer),
    )
    return tuple((name, value) for name, value in rows if value)


def checks_html(topology: ModelTopology, theme: Theme) -> str:
    """Return non-finite parameters, the checks, failed ones first, and what found no partner."""
    translate = QCoreApplication.translate
    html = []
    if topology.n_nonfinite:
        text = translate("Model", "{n} parameters are NaN or infinite").format(
            n=count(topology.n_nonfinite)
        )
        html.append(f"<p style='color:{theme.critical}'><b>✗&nbsp; {escape(text)}</b></p>")
    if topology.checks:
        html.append(_heading(translate("Model", "Checks")))
        rank = {"failed": 0, "not_run": 1, "passed": 2}
        html += [
            check_html(check, theme)
            for check in sorted(topology.checks, key=lambda check: rank[check.result])
        ]
    if topology.unmatched:
        html.append(_heading(translate("Model", "Without a partner")))
        html += [
            f"<p style='margin:2px 0'>{escape(translated(text))}</p>" for text in topology.unmatched
        ]
    if not html:
        text = translate("Model", "No checks were run on this checkpoint.")
        html.append(f"<p style='color:{theme.muted}'>{escape(text)}</p>")
    return "".join(html)


def _heading(text: str) -> str:
    return f"<p style='margin:8px 0 2px 0'><b>{escape(text)}</b></p>"


def check_html(check: ModelCheck, theme: Theme) -> str:
    """Return one rule as a paragraph: result in a colour and a word, name, evidence below."""
    translate = QCoreApplication.translate
    sign, word, colour = {
        "passed": ("✓", translate("Model", "passed"), theme.clean),
        "failed": ("✗", translate("Model", "failed"), theme.critical),
        "not_run": ("?", translate("Model", "not run"), theme.muted),
    }[check.result]
    name = translated(check.name).replace("_", " ")
    name = name[:1].upper() + name[1:]
    below = translated(check.evidence or check.reason)
    more = f"<br><span style='color:{theme.muted}'>{escape(below)}</span>" if below else ""
    return (
        f"<p style='margin:3px 0'><span style='color:{colour}'>{sign}&nbsp;{escape(word)}</span>"
        f"&nbsp; {escape(name)}{more}</p>"
    )
