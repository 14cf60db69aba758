"""The report: a run's whole story as one self-contained HTML page, nothing loaded from anywhere."""

from __future__ import annotations

import base64
import platform
from collections.abc import Mapping
from dataclasses import dataclass, fields
from datetime import UTC, datetime
from typing import Any

import numpy as np
from jinja2 import Environment, PackageLoader, StrictUndefined

from attn_debugger.core.flags import Diagnosis, Flag, Severity
from attn_debugger.core.history import History
from attn_debugger.core.run import Run
from attn_debugger.report.charts import Band, Curve, chart
from attn_debugger.report.text import lead_sentence, scope, where
from attn_debugger.version import __version__

_PLOTS = (
    ("entropy", "Row entropy", "nats", "mean over rows; low = concentrated"),
    ("peak", "Peak weight", "weight", "mean of the row maxima"),
    (
        "mean",
        "Mean weight",
        "weight",
        "1/keys for every full softmax row: a drift is a broken row sum",
    ),
    ("score_max", "Largest score", "score", "before mask and softmax"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportData:
    """What a report is made of. `pictures` are PNG files by index of the flag they show."""

    run: Run
    diagnosis: Diagnosis
    history: History
    thresholds: Mapping[str, object]
    overview: bytes = b""  # PNG of the head grid where the first fault began
    pictures: Mapping[int, bytes] | None = None
    with_tokens: bool = True


def report_page(data: ReportData) -> str:
    """Return the page as text. Tokens of the run appear only with `with_tokens`."""
    environment = Environment(
        loader=PackageLoader("attn_debugger.report", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    diagnosis, run = data.diagnosis, data.run
    loud = [
        _flag_view(index, flag, data)
        for index, flag in enumerate(diagnosis.flags)
        if flag.caused_by is None and flag.severity > Severity.LABEL
    ]
    return environment.get_template("report.html").render(
        run=run,
        facts=_facts(run),
        headline=_headline(run, diagnosis),
        clean=not any(view["severity"] in ("warning", "critical") for view in loud),
        story=diagnosis.story,
        flags=sorted(loud, key=lambda view: (-view["rank"], view["index"])),
        labels=[f.message for f in diagnosis.flags if f.severity == Severity.LABEL],
        not_evaluated=_gaps(diagnosis),
        overview=_data_url(data.overview),
        plots=_plots(data),
        thresholds=sorted(data.thresholds.items()),
        changed_limits=[str(limit) for limit in diagnosis.changed_limits],
        versions=_versions(),
        with_tokens=data.with_tokens,
        made=datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
    )


def _headline(run: Run, diagnosis: Diagnosis) -> str:
    roots = [f for f in diagnosis.flags if f.caused_by is None and f.severity >= Severity.WARNING]
    if not roots:
        return f"No problems found in {scope(run, diagnosis)}"
    first = min(roots, key=lambda f: f.first_frame if f.first_frame is not None else -1)
    count = f"{len(roots)} problem{'s' if len(roots) > 1 else ''} in {scope(run, diagnosis)}"
    return f"{count}. First: {where(first)}: {first.message}"


def _flag_view(index: int, flag: Flag, data: ReportData) -> dict[str, Any]:
    """What the template shows of one flag."""
    measured = ""
    if flag.value is not None and flag.threshold is not None:
        measured = f"measured {flag.value:.4g} {flag.unit}, limit {flag.threshold:.4g}"
    if flag.changed_limits:
        own = ", ".join(str(limit) for limit in flag.changed_limits)
        measured = "; ".join(part for part in (measured, f"own limits: {own}") if part)
    return {
        "index": index,
        "rank": int(flag.severity),
        "severity": flag.severity.word,
        "signal": flag.signal,
        "where": where(flag),
        "message": flag.message,
        "measured": measured,
        "lead": "" if flag.lead is None else lead_sentence(flag.lead),
        "causes": flag.causes,
        "remedies": flag.remedies,
        "followers": [other.message for other in data.diagnosis.flags if other.caused_by == index],
        "picture": _data_url((data.pictures or {}).get(index, b"")),
    }


def _facts(run: Run) -> list[tuple[str, str]]:
    """Return name and value of what the archive says about the run, as the page's first table."""
    rows = [
        ("archive", run.path),
        ("frames", f"{run.n_frames} (step {run.steps[0]} to {run.steps[-1]})"),
        ("streams", ", ".join(sorted(set(run.streams)))),
        ("layers", f"{len(run.layers)}, with {run.n_heads} heads in all"),
        ("samples", str(run.n_samples)),
        ("ended", {"closed": "closed normally", "abrupt": "abruptly"}.get(run.ended, run.ended)),
    ]
    rows += [
        (name, str(run.attributes[name])) for name in ("model", "created") if name in run.attributes
    ]
    rows += [("missing", sentence) for sentence in run.missing]
    rows += [(f"event at step {e.step}", f"{e.kind}: {e.text}") for e in run.events[:50]]
    if len(run.events) > 50:
        rows.append(("events", f"{len(run.events) - 50} more are in the archive"))
    return rows


def _plots(data: ReportData) -> list[dict[str, str]]:
    """One chart a quantity: all heads as a band with the median, and the flagged heads as lines."""
    steps, marks = data.run.steps, _marks(data.diagnosis)
    views = []
    for name, title, unit, note in _PLOTS:
        values = data.history.values.get(name)
        svg = ""
        if values is not None and np.isfinite(values).any():
            flat = values.reshape(len(values), -1)
            known = flat[:, np.isfinite(flat).any(0)]
            low, median, high = _quantiles(known)
            curves = [Curve("median of all heads", median)]
            curves += [
                Curve(str(head), values[:, head.layer, head.head], "line flagged")
                for head in _flagged_heads(data.diagnosis)
            ]
            svg = chart(steps, curves, unit=unit, band=Band(low, high), marks=marks)
        views.append(
            {"title": title, "note": note, "svg": svg, "missing": f"{title}: not recorded"}
        )
    for name, series in data.run.scalars.items():
        if name not in data.run.curve_names:
            continue
        svg = chart(steps, [Curve(name, series)], unit="", marks=marks)
        if svg:
            views.append(
                {"title": name, "note": "as logged at the frames", "svg": svg, "missing": ""}
            )
    return views


def _quantiles(values: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Minimum, median and maximum over heads (frame, head) -> (frame,); NaN where none is known."""
    out = np.full((3, len(values)), np.nan)
    known = np.isfinite(values).any(1)
    if known.any():
        out[:, known] = np.nanquantile(values[known], [0.0, 0.5, 1.0], axis=1)
    return out[0], out[1], out[2]


def _marks(diagnosis: Diagnosis) -> tuple[int, ...]:
    """Onsets of everything that is wrong, for the charts."""
    return tuple(
        sorted(
            {
                flag.first_step
                for flag in diagnosis.flags
                if flag.caused_by is None
                and flag.severity >= Severity.WARNING
                and flag.first_step is not None
            }
        )
    )


def _flagged_heads(diagnosis: Diagnosis, most: int = 6) -> list[Any]:
    loud = (f for f in diagnosis.flags if f.caused_by is None and f.severity >= Severity.WARNING)
    return list(dict.fromkeys(flag.head for flag in loud if flag.head is not None))[:most]


def _gaps(diagnosis: Diagnosis) -> list[tuple[str, str, str]]:
    """Signal, reason and advice, said once however many layers it concerns."""
    return list(dict.fromkeys((g.signal, g.reason, g.advice) for g in diagnosis.not_evaluated))


def _data_url(png: bytes) -> str:
    return f"data:image/png;base64,{base64.b64encode(png).decode()}" if png else ""


def _versions() -> str:
    return (
        f"attn-debugger {__version__}, Python {platform.python_version()}, numpy {np.__version__}"
    )


def threshold_table(thresholds: Any) -> dict[str, object]:
    """Return name -> limit of a dataclass of thresholds."""
    return {field.name: getattr(thresholds, field.name) for field in fields(thresholds)}
