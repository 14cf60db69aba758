"""The health line: the first thing that went wrong, or what was checked and found clean."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from PySide6.QtCore import QCoreApplication, Qt, Signal
from PySide6.QtWidgets import QToolButton, QWidget

from attn_debugger.core.flags import EMPTY_DIAGNOSIS, Diagnosis, Flag, Severity
from attn_debugger.core.run import Run
from attn_debugger.session.translated import translated
from attn_debugger.ui.elided_label import ElidedLabel
from attn_debugger.ui.flags.state import checked_words
from attn_debugger.ui.flags.words import place, signal_words
from attn_debugger.ui.help.context import set_help
from attn_debugger.ui.signed_line import SignedLine

# Between sentences: where the window is narrow, the last ones are left out.
SENTENCES = "  "

Mood = Literal["idle", "checking", "clean", "unknown", "notice", "warning", "critical"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Health:
    """What the line says, how it says it, and where its button leads."""

    mood: Mood
    text: str
    tip: str = ""
    target: Flag | None = None


def health(
    diagnosis: Diagnosis, scanned: int, total: int, run: Run | None, *, running: bool = True
) -> Health:
    """Return the state of a run in one sentence; nothing unscanned is ever called clean.

    `running` False: the check stopped, or was not begun.
    """
    translate = QCoreApplication.translate
    if run is None:
        return Health(mood="idle", text="")
    problems = [
        flag
        for flag in diagnosis.flags
        if flag.caused_by is None and flag.severity >= Severity.NOTICE
    ]
    progress = ""
    if scanned < total:
        words = translate("Health", "Checking {n}/{total}")
        if not running:
            words = translate("Health", "{n} of {total} steps checked")
        progress = words.format(n=scanned, total=total)
    if problems:
        return _ill(problems, progress)
    if progress:
        return Health(mood="checking" if running else "unknown", text=progress)
    if not diagnosis.checked:
        text = translate("Health", "Nothing could be judged: see “Not evaluated” for the reasons.")
        return Health(mood="unknown", text=text)
    text = translate(
        "Health", "No problems in {frames} steps × {heads} heads (checked: {what})"
    ).format(frames=total, heads=run.n_heads, what=checked_words(diagnosis))
    return Health(mood="clean", text=text)


def _ill(problems: list[Flag], progress: str) -> Health:
    translate = QCoreApplication.translate
    worst = max(flag.severity for flag in problems)
    # `]` walks warnings and louder; notices lead only when there is nothing louder.
    loud = [flag for flag in problems if flag.severity >= min(worst, Severity.WARNING)]
    first = min(loud, key=_onset)
    if worst == Severity.NOTICE:
        count = (
            translate("Health", "1 notice.")
            if len(problems) == 1
            else translate("Health", "{n} notices.").format(n=len(problems))
        )
    elif len(problems) == 1:
        count = translate("Health", "1 problem.")
    else:
        count = translate("Health", "{n} problems.").format(n=len(problems))
    sentences = [count, _first(first)]
    critical = [flag for flag in loud if flag.severity == Severity.CRITICAL and flag != first]
    nan = [flag for flag in critical if flag.signal == "nan_weights"]
    if nan or (critical and first.severity < Severity.CRITICAL):
        # From the first NaN on nothing of the run can be used, so that is what people ask for.
        sentences.append(_since(min(nan or critical, key=_onset)))
    if progress:
        sentences.append(f"{progress}…")
    return Health(
        mood=_mood(worst),
        text=SENTENCES.join(sentences),
        tip=translated(first.message),
        target=first,
    )


def _mood(severity: Severity) -> Mood:
    if severity == Severity.CRITICAL:
        return "critical"
    return "warning" if severity == Severity.WARNING else "notice"


def _onset(flag: Flag) -> tuple[int, int]:
    return (flag.first_step if flag.first_step is not None else -1, -flag.severity)


def _first(flag: Flag) -> str:
    translate = QCoreApplication.translate
    words, where = signal_words(flag.signal), place(flag)
    if flag.first_step is None:
        return translate("Health", "First: {where}, {what}.").format(where=where, what=words)
    return translate("Health", "First: step {step}, {where} {what}.").format(
        step=flag.first_step, where=where, what=words
    )


def _since(flag: Flag) -> str:
    translate = QCoreApplication.translate
    words = signal_words(flag.signal)
    words = words[:1].upper() + words[1:]
    if flag.first_step is None:
        return f"{words} ({place(flag)})."
    return translate("Health", "{what} since step {step} (origin {where}).").format(
        what=words, step=flag.first_step, where=place(flag)
    )


class HealthLine(SignedLine):
    """One line over the whole window. Its button leads to what it names."""

    jump_requested = Signal(object)  # Flag

    def __init__(self, parent: QWidget | None = None) -> None:
        self._text = ElidedLabel(parted_by=SENTENCES)
        self._go = QToolButton()
        super().__init__(self._text, self._go, parent)
        set_help(self, "window.md#health-line")
        self._health = health(EMPTY_DIAGNOSIS, 0, 0, None)
        self._go.setText(self.tr("Go there  ]"))
        self._go.setToolTip(self.tr("Show the first problem: its step, head and cell.  Key: ]"))
        self._go.setAccessibleName(self.tr("Go to the first problem"))
        self._go.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextOnly)
        self._go.clicked.connect(self._jump)
        self._draw()

    @property
    def health(self) -> Health:
        """What the line says at the moment."""
        return self._health

    def show_diagnosis(
        self,
        diagnosis: Diagnosis,
        scanned: int,
        total: int,
        run: Run | None,
        *,
        running: bool = True,
    ) -> None:
        """Say how the run is after `scanned` of `total` frames; without a run nothing is said."""
        said = health(diagnosis, scanned, total, run, running=running)
        if said != self._health:
            self._health = said
            self._draw()

    def _jump(self) -> None:
        if self._health.target is not None:
            self.jump_requested.emit(self._health.target)

    def _draw(self) -> None:
        said, theme = self._health, self._theme
        sign, colour = {
            "idle": ("unknown", theme.muted),
            "checking": ("busy", theme.muted),
            "unknown": ("unknown", theme.muted),
            "clean": ("clean", theme.clean),
            "notice": ("notice", theme.notice),
            "warning": ("warning", theme.warning),
            "critical": ("critical", theme.critical),
        }[said.mood]
        if said.mood == "idle":
            self.hide()
        elif self.parentWidget() is not None:  # on its own, this would open a window
            self.show()
        self._text.set_text(said.text, said.tip and f"{said.text}\n{said.tip}")
        self._go.setVisible(said.target is not None)
        if said.mood in ("idle", "checking", "unknown"):
            self._colour(sign, colour, theme.background, theme.muted)
        else:
            self._colour(sign, colour, theme.tint(colour), colour)
        self.setAccessibleName(said.text)
