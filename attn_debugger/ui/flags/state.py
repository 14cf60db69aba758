"""What the panel says when there is no list to show: never `clean` before everything was seen."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape

from PySide6.QtCore import QCoreApplication

from attn_debugger.core.flags import Diagnosis, Severity
from attn_debugger.ui.flags.words import signal_rank, signal_words
from attn_debugger.ui.theme import Theme


@dataclass(frozen=True, slots=True, kw_only=True)
class PanelState:
    """`show_list`, or else a headline and a sentence; `note` stands below a list that may grow."""

    show_list: bool
    headline: str = ""
    sentence: str = ""
    good: bool = False
    note: str = ""

    def html(self, theme: Theme) -> str:
        colour = theme.clean if self.good else theme.text
        return (
            f"<p style='font-size:large;color:{colour}'><b>{escape(self.headline)}</b></p>"
            f"<p style='color:{theme.muted}'>{escape(self.sentence)}</p>"
        )


def checked_words(diagnosis: Diagnosis) -> str:
    """Return what was checked, in words: `NaN, score overflow, diagonal collapse`."""
    return ", ".join(signal_words(one) for one in sorted(diagnosis.checked, key=signal_rank))


def panel_state(
    diagnosis: Diagnosis,
    scanned: int,
    total: int,
    *,
    all_hidden: bool = False,
    again: bool = False,
    running: bool = True,
) -> PanelState:
    """Return what to say.

    `all_hidden`: there are findings, and the filter hides each of them. `again`: the run is
    checked anew, and the findings are those of the limits of before. `running` False: the check
    stopped, or was not begun.
    """
    translate = QCoreApplication.translate
    if total == 0:
        return PanelState(
            show_list=False,
            headline=translate("FlagsState", "Nothing is open"),
            sentence=translate("FlagsState", "Open a run: what is wrong with it is listed here."),
        )
    scanning = scanned < total
    scanning = scanning or again
    words = translate("FlagsState", "Checking {n}/{total}")
    if not running:
        words = translate("Health", "{n} of {total} steps checked")
    progress = words.format(n=scanned, total=total)
    if again:
        progress = translate(
            "FlagsState", "By the limits of before. Checking anew: {n}/{total}"
        ).format(n=scanned, total=total)
    loud = any(flag.severity > Severity.LABEL for flag in diagnosis.flags)
    if loud and all_hidden:
        return PanelState(
            show_list=False,
            headline=translate("FlagsState", "Nothing matches"),
            sentence=translate("FlagsState", "The filter above hides every flag of this run."),
            note=progress if scanning else "",
        )
    if not all_hidden and diagnosis.flags:
        return PanelState(show_list=True, note=progress if scanning else "")
    if scanning:
        return PanelState(
            show_list=False,
            headline=progress,
            sentence=translate("FlagsState", "Nothing found so far. Not everything has been seen."),
        )
    return _clean(diagnosis, total)


def _clean(diagnosis: Diagnosis, total: int) -> PanelState:
    translate = QCoreApplication.translate
    if not diagnosis.checked:
        return PanelState(
            show_list=False,
            headline=translate("FlagsState", "Nothing could be judged"),
            sentence=translate(
                "FlagsState", "See the tab “Not evaluated” for the reasons and what to record."
            ),
        )
    sentence = translate("FlagsState", "Checked: {what}.").format(what=checked_words(diagnosis))
    labels = sum(flag.severity == Severity.LABEL for flag in diagnosis.flags)
    if labels:
        sentence += " " + translate(
            "FlagsState", "{n} labels describe healthy structure: show them with the tag above."
        ).format(n=labels)
    if diagnosis.not_evaluated:
        sentence += " " + translate(
            "FlagsState", "What could not be judged stands under “Not evaluated”."
        )
    return PanelState(
        show_list=False,
        headline=translate("FlagsState", "No problems in {n} frames").format(n=total),
        sentence=sentence,
        good=True,
    )
