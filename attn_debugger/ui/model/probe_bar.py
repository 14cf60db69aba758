"""The row that says that what is painted was computed just now, not recorded, and leads back."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QToolButton, QWidget

from attn_debugger.session.probes import ShownProbe
from attn_debugger.session.translated import translated
from attn_debugger.ui.elided_label import ElidedLabel
from attn_debugger.ui.theme import LIGHT, Theme


class ProbeBar(QWidget):
    """Shown as long as there is a probe: in its frame and, more quietly, beside other frames."""

    turned = Signal(bool)  # show the probe, or what was recorded
    step_wanted = Signal(int)  # the frame index the probe stands at
    discarded = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shown: ShownProbe | None = None
        self._frame = 0
        self._theme: Theme = LIGHT
        self.badge = QLabel(self.tr("PROBE, not recorded"), self)
        self.words = ElidedLabel("", self)
        self.turn_button = QPushButton(self)
        self.close_button = QToolButton(self)
        self.close_button.setText("✕")
        self.close_button.setAutoRaise(True)
        self.close_button.setToolTip(self.tr("Discard the probe: only the recording is left"))
        self.close_button.setAccessibleName(self.tr("Discard the probe"))
        row = QHBoxLayout(self)
        row.setContentsMargins(10, 4, 6, 4)
        row.setSpacing(8)
        row.addWidget(self.badge)
        row.addWidget(self.words, 1)
        row.addWidget(self.turn_button)
        row.addWidget(self.close_button)
        self.turn_button.clicked.connect(self._turn)
        self.close_button.clicked.connect(self.discarded)
        self.hide()

    def show_probe(self, shown: ShownProbe | None, frame_index: int) -> None:
        """Say what is shown at this frame of the run; None = there is no probe."""
        self._shown, self._frame = shown, frame_index
        self.setVisible(shown is not None)
        if shown is None:
            return
        here = shown.frame_index == frame_index
        if not here:
            words = self.tr(
                "This step is as it was recorded; the probe stands at step {n}: {title}"
            )
            button = self.tr("Go to the probe")
        elif shown.is_on:
            words = self.tr("{title}, weights of step {n}")
            button = self.tr("Show the recording")
        else:
            words = self.tr("Step {n} as it was recorded; the probe is kept: {title}")
            button = self.tr("Show the probe")
        said = words.format(title=shown.title, n=shown.step)
        agreement = self._agreement(shown)
        self.words.set_text(f"{said} · {agreement}" if agreement and here else said)
        self.turn_button.setText(button)
        self.badge.setVisible(shown.is_in_view_at(frame_index))
        self._dress()

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self._dress()

    def _agreement(self, shown: ShownProbe) -> str:
        if shown.differences is None:
            return self.tr("comparing with the recording…")
        if shown.agrees is None:
            return self.tr("not compared: {0}").format(translated(shown.reason))
        largest = float(np.nanmax(shown.differences))
        layer, head = np.unravel_index(
            int(np.nanargmax(shown.differences)), shown.differences.shape
        )
        if shown.agrees:
            return self.tr("agrees with the recording (largest difference {0})").format(
                f"{largest:.1g}"
            )
        return self.tr("differs from the recording, most in L{0}.H{1}: {2}").format(
            layer, head, f"{largest:.2g}"
        )

    def _dress(self) -> None:
        here = self._shown is not None and self._shown.is_in_view_at(self._frame)
        theme = self._theme
        colour = theme.warning if here else theme.muted
        self.badge.setStyleSheet(
            f"background: {colour}; color: {theme.surface}; padding: 1px 6px; border-radius: 3px;"
            "font-weight: bold;"
        )

    @Slot()
    def _turn(self) -> None:
        shown = self._shown
        if shown is None:
            return
        if shown.frame_index != self._frame:
            self.turned.emit(True)
            self.step_wanted.emit(shown.frame_index)
        else:
            self.turned.emit(not shown.is_on)
