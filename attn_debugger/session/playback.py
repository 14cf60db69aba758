"""The clock of playing: how many frames are due, at a speed that is a cap and never a queue."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QElapsedTimer, QObject, QTimer, Slot

FRAMES_PER_SECOND = 5.0  # at speed 1
TICK_MS = 16
# A frame that takes longer than this to read no longer holds playing up.
PATIENCE_SECONDS = 1.0


class Playback(QObject):
    """Calls `advance(n)` when n frames are due.

    While `is_waiting()` says that the last frame is not on screen yet nothing is advanced; the
    time spent waiting counts, so frames are then passed over instead of shown late.
    """

    def __init__(
        self,
        advance: Callable[[int], None],
        is_waiting: Callable[[], bool],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._advance = advance
        self._is_waiting = is_waiting
        self._speed = 1.0
        self._due = 0.0
        self._waited = 0.0
        self._clock = QElapsedTimer()
        self._timer = QTimer(self)
        self._timer.setInterval(TICK_MS)
        self._timer.timeout.connect(self._tick)

    def run(self, *, playing: bool, speed: float) -> None:
        """Start, stop or change speed; calling it again with the same values changes nothing."""
        self._speed = speed
        if playing and not self._timer.isActive():
            self._due = self._waited = 0.0
            self._clock.start()
            self._timer.start()
        elif not playing:
            self._timer.stop()

    def pass_time(self, seconds: float) -> None:
        """Let `seconds` go by: what the timer does, with the time given."""
        self._due += seconds * self._speed * FRAMES_PER_SECOND
        self._waited += seconds
        if self._due < 1 or (self._is_waiting() and self._waited < PATIENCE_SECONDS):
            return
        n_frames, self._waited = int(self._due), 0.0
        self._due -= n_frames
        self._advance(n_frames)

    @Slot()
    def _tick(self) -> None:
        self.pass_time(self._clock.restart() / 1000)
