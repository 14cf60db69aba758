"""One finding, told in full: as rich text for the panel, as plain text for a bug report."""

from __future__ import annotations

from html import escape

from PySide6.QtCore import QCoreApplication

from attn_debugger.core.flags import Cause, Diagnosis, Flag
from attn_debugger.session.translated import translated
from attn_debugger.ui.flags.words import (
    number,
    place,
    severity_words,
    signal_title,
    steps,
)
from attn_debugger.ui.theme import Theme


def evidence(flag: Flag) -> str:
    """Return the measured value held against its threshold, or an empty string."""
    if flag.value is None:
        return ""
    unit = translated(flag.unit)
    measured = f"{number(flag.value)} {unit}".strip()
    if flag.threshold is None:
        return measured
    limit = f"{number(flag.threshold)} {unit}".strip()
    return QCoreApplication.translate("FlagDetail", "{measured}, the limit is {limit}").format(
        measured=measured, limit=limit
    )


def own_limits(flag: Flag) -> str:
    """Return the thresholds by which it was judged that are not at their defaults."""
    one = QCoreApplication.translate("FlagDetail", "{name} {value} (default {default})")
    return ", ".join(
        one.format(name=limit.name, value=number(limit.value), default=number(limit.default))
        for limit in flag.changed_limits
    )


def lead(flag: Flag) -> str:
    """Return how the finding relates in time to the first anomaly of loss or gradient norm."""
    if flag.lead is None:
        return ""
    if flag.lead > 0:
        text = QCoreApplication.translate(
            "FlagDetail", "began {steps} before the loss or the gradient norm broke"
        )
    elif flag.lead < 0:
        text = QCoreApplication.translate(
            "FlagDetail", "began {steps} after the loss or the gradient norm broke"
        )
    else:
        text = QCoreApplication.translate(
            "FlagDetail", "began at the very step at which the loss or the gradient norm broke"
        )
    count = abs(flag.lead)
    one = QCoreApplication.translate("FlagDetail", "1 step")
    many = QCoreApplication.translate("FlagDetail", "{n} steps").format(n=count)
    return text.format(steps=one if count == 1 else many)


def where(flag: Flag) -> str:
    """Return the full place: heads, module path, sample, stream, query and key."""
    translate = QCoreApplication.translate
    parts = [place(flag, most=12)]
    if flag.layer_name:
        parts.append(flag.layer_name)
    if flag.stream and flag.stream != "train":
        parts.append(translate("FlagDetail", "stream {name}").format(name=flag.stream))
    if flag.sample is not None:
        parts.append(translate("FlagDetail", "sample {n}").format(n=flag.sample))
    if flag.query is not None:
        parts.append(translate("FlagDetail", "query {n}").format(n=flag.query))
    if flag.key is not None:
        parts.append(translate("FlagDetail", "key {n}").format(n=flag.key))
    return " · ".join(parts)


def when(flag: Flag) -> str:
    """Return the steps with words: `steps 3000-4900 (20 frames)`."""
    translate = QCoreApplication.translate
    if flag.first_step is None:
        return ""
    if flag.last_step is None or flag.last_step == flag.first_step:
        return translate("FlagDetail", "step {n}").format(n=flag.first_step)
    return translate("FlagDetail", "steps {first}-{last} ({n} frames)").format(
        first=flag.first_step, last=flag.last_step, n=flag.n_frames
    )


def cause_word(cause: Cause) -> str:
    """Return where the evidence stands on a cause, in one word."""
    words = {
        "confirmed": QCoreApplication.translate("FlagDetail", "confirmed"),
        "excluded": QCoreApplication.translate("FlagDetail", "excluded"),
        "unknown": QCoreApplication.translate("FlagDetail", "possible"),
    }
    return words[cause.status]


def followers_of(diagnosis: Diagnosis, index: int) -> tuple[int, ...]:
    """Return the findings that name `index` as their direct cause."""
    return tuple(i for i, flag in enumerate(diagnosis.flags) if flag.caused_by == index)


def detail_html(diagnosis: Diagnosis, index: int, theme: Theme) -> str:
    """Return one finding as the rich text that Qt understands.

    Links: `flag:<index>` leads to another finding, `help:<signal>` to the help page,
    `limits:<signal>` to its thresholds.
    """
    translate = QCoreApplication.translate
    flag = diagnosis.flags[index]
    colour = theme.severity_colour(flag.severity)
    muted = f"color:{theme.muted}"
    html = [
        f"<p style='margin:0 0 2px 0'><b style='font-size:large'>"
        f"{escape(signal_title(flag.signal))}</b>"
        f"&nbsp; <span style='color:{colour}'>{escape(severity_words(flag.severity))}</span></p>",
        f"<p style='margin:0;{muted}'>{escape(where(flag))}</p>",
    ]
    if when(flag):
        html.append(f"<p style='margin:0;{muted}'>{escape(when(flag))}</p>")
    html.append(f"<p style='margin:8px 0'>{escape(translated(flag.message))}</p>")
    facts = [
        (translate("FlagDetail", "Measured"), escape(evidence(flag))),
        (translate("FlagDetail", "Own limits"), escape(own_limits(flag))),
        (translate("FlagDetail", "Timing"), escape(lead(flag))),
        (translate("FlagDetail", "Follows from"), _cause_link(diagnosis, flag, theme)),
        (translate("FlagDetail", "Leads to"), _followers(diagnosis, index)),
    ]
    html += [
        f"<p style='margin:2px 0'><span style='{muted}'>{escape(name)}:</span> {text}</p>"
        for name, text in facts
        if text
    ]
    if flag.causes:
        html.append(_heading(translate("FlagDetail", "Why")))
        html += [_cause_html(cause, theme) for cause in _ordered(flag.causes)]
    if flag.remedies:
        html.append(_heading(translate("FlagDetail", "What to do")))
        items = "".join(f"<li>{escape(translated(remedy))}</li>" for remedy in flag.remedies)
        html.append(f"<ol style='margin:2px 0 2px 0;-qt-list-indent:1'>{items}</ol>")
    more = translate("FlagDetail", "About this signal")
    limits = translate("FlagDetail", "Its limits")
    link = f"<a style='color:{theme.accent}' href='{{0}}:{escape(flag.signal)}'>{{1}}</a>"
    html.append(
        f"<p style='margin:8px 0 0 0'>{link.format('help', escape(more))} · "
        f"{link.format('limits', escape(limits))}</p>"
    )
    return "".join(html)


def detail_text(diagnosis: Diagnosis, index: int) -> str:
    """Return the same as plain text, for a bug report or a chat."""
    translate = QCoreApplication.translate
    flag = diagnosis.flags[index]
    lines = [
        f"{severity_words(flag.severity).upper()}: {signal_title(flag.signal)} [{flag.signal}]",
        " · ".join(part for part in (where(flag), when(flag)) if part),
        translated(flag.message),
    ]
    if evidence(flag):
        lines.append(f"{translate('FlagDetail', 'Measured')}: {evidence(flag)}")
    if flag.changed_limits:
        lines.append(f"{translate('FlagDetail', 'Own limits')}: {own_limits(flag)}")
    if lead(flag):
        lines.append(f"{translate('FlagDetail', 'Timing')}: {lead(flag)}")
    if flag.caused_by is not None and 0 <= flag.caused_by < len(diagnosis.flags):
        cause = diagnosis.flags[flag.caused_by]
        lines.append(
            f"{translate('FlagDetail', 'Follows from')}: "
            f"{signal_title(cause.signal)} {place(cause)} {steps(cause)}"
        )
    below = followers_of(diagnosis, index)
    if below:
        lines.append(f"{translate('FlagDetail', 'Leads to')}: {_findings(len(below))}")
    if flag.causes:
        lines.append(f"{translate('FlagDetail', 'Why')}:")
        for cause_ in _ordered(flag.causes):
            because = f" ({translated(cause_.because)})" if cause_.because else ""
            lines.append(f"  [{cause_word(cause_)}] {translated(cause_.text)}{because}")
    if flag.remedies:
        lines.append(f"{translate('FlagDetail', 'What to do')}:")
        lines += [f"  {n}. {translated(remedy)}" for n, remedy in enumerate(flag.remedies, start=1)]
    return "\n".join(lines) + "\n"


def _ordered(causes: tuple[Cause, ...]) -> list[Cause]:
    rank = {"confirmed": 0, "unknown": 1, "excluded": 2}
    return sorted(causes, key=lambda cause: rank[cause.status])


def _heading(text: str) -> str:
    return f"<p style='margin:10px 0 2px 0'><b>{escape(text)}</b></p>"


def _cause_html(cause: Cause, theme: Theme) -> str:
    sign, colour = {
        "confirmed": ("✓", theme.confirmed),
        "excluded": ("✗", theme.muted),
        "unknown": ("?", theme.text),
    }[cause.status]
    text = escape(translated(cause.text))
    if cause.status == "excluded":
        text = f"<s>{text}</s>"
    word = f"<span style='color:{colour}'>{sign}&nbsp;{escape(cause_word(cause))}</span>"
    because = (
        f"<br><span style='color:{theme.muted}'>{escape(translated(cause.because))}</span>"
        if cause.because
        else ""
    )
    return f"<p style='margin:3px 0 3px 0'>{word}&nbsp; {text}{because}</p>"


def _cause_link(diagnosis: Diagnosis, flag: Flag, theme: Theme) -> str:
    if flag.caused_by is None or not 0 <= flag.caused_by < len(diagnosis.flags):
        return ""
    cause = diagnosis.flags[flag.caused_by]
    text = f"{signal_title(cause.signal)} {place(cause)}"
    return f"<a style='color:{theme.accent}' href='flag:{flag.caused_by}'>{escape(text)}</a>"


def _followers(diagnosis: Diagnosis, index: int) -> str:
    below = followers_of(diagnosis, index)
    return escape(_findings(len(below))) if below else ""


def _findings(n: int) -> str:
    if n == 1:
        return QCoreApplication.translate("FlagDetail", "one further finding, folded under it")
    return QCoreApplication.translate("FlagDetail", "{n} further findings, folded under it").format(
        n=n
    )
