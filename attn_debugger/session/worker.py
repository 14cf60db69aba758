"""What is asked of the archives, from the window's thread; `worker_thread` does it on its own."""

from __future__ import annotations

import time
from dataclasses import replace
from functools import partial

from attn_debugger.core.topology import ModelTopology
from attn_debugger.session.errands import Errand
from attn_debugger.session.examining import Examining
from attn_debugger.session.film import FilmReading
from attn_debugger.session.messages import FilmRequest, GridRequest, HeadRequest, SharpRequest
from attn_debugger.session.sharpening import Sharpening
from attn_debugger.session.wishes import StartScan
from attn_debugger.session.worker_thread import ArchiveThread

FOLLOW_SECONDS = 0.25
WATCH_SECONDS = 1.0


class ArchiveWorker(ArchiveThread):
    """Takes requests, of which every one returns at once, for the thread that reads archives.

    Connect to `answered`. `shutdown` ends the thread.
    """

    def open(self, opening: int, path: str) -> None:
        """Open `path` in place of what is open; answers `Opened` or `OpenFailed`."""
        with self._condition:
            self._newest_opening = opening
        self._command(partial(self._open, opening, path))

    def give_up_opening(self, opening: int) -> None:
        """Stop connecting to another machine; `OpenFailed` follows."""
        with self._condition:
            self._newest_opening = max(self._newest_opening, opening + 1)

    def reply(self, text: str | None) -> None:
        """Answer the question of `Asked`; None = the user does not want to."""
        self._links.reply(text)

    def reconnect(self) -> None:
        """Try a lost link again at once."""
        with self._condition:
            self._links.hurry()
            self._wake()

    def close_run(self) -> None:
        """Close the run; nothing is answered."""
        self._command(self._close)

    def set_cache_bytes(self, n_bytes: int) -> None:
        """Keep frames within that much memory from now on."""
        self._command(partial(self._cache.shrink_to, n_bytes))

    def read_grid(self, request: GridRequest) -> None:
        """Read the grid of the newest request; older ones not yet begun are forgotten."""
        with self._condition:
            self._wishes.want_grid(request, time.monotonic())
            self._wake()

    def read_head(self, request: HeadRequest) -> None:
        """Read the head of the newest request; older ones not yet begun are forgotten."""
        with self._condition:
            self._wishes.want_head(request)
            self._wake()

    def read_film(self, request: FilmRequest) -> None:
        """Read a head at several frames; an older film is given up."""
        with self._condition:
            self._wishes.film = FilmReading(request)
            self._wake()

    def sharpen(self, request: SharpRequest | None) -> None:
        """Read heads of a frame in full, in place of the last request; the next grid that is asked
        for ends it too. None = only give that one up. Answers `SharpRead`, part by part.
        """
        with self._condition:
            self._wishes.sharp = None if request is None else Sharpening(request)
            self._wake()

    def run_errand(self, name: str, errand: Errand | None) -> None:
        """Do an errand when nobody waits for a picture, in place of the last one of that name;
        None = only give that one up. Answers `Brought`.
        """
        with self._condition:
            self._wishes.want_errand(name, errand)
            self._wake()

    def watch(self, seconds: float) -> None:
        """Look for new frames every `seconds` (0 = never), for the first time at once."""
        with self._condition:
            self._wishes.want_growth(seconds, time.monotonic())
            self._wake()

    def start_scan(self, sample: int, *, unasked: bool = False, is_first: bool = False) -> None:
        """Examine the run, from where a cancelled scan stopped; answers `Scanned` as it goes.

        Begins when nobody waits for a picture: the examination's modules take longer to import
        than the first grid to read.
        """
        with self._condition:
            self._wishes.scan = StartScan(sample, unasked, is_first)
            self._wake()

    def start_scan_anew(self, sample: int, turn: int) -> None:
        """Examine the run again from its first frame; the answers carry `turn`."""
        with self._condition:
            self._wishes.scan = None
            self._wishes.commands.append(
                partial(self._with_examining, lambda it: it.start_anew(sample, turn))
            )
            self._wake()

    def cancel_scan(self) -> None:
        """Stop examining; what was found so far is answered once more and stays."""
        with self._condition:
            unbegun, self._wishes.scan = self._wishes.scan, None
            self._wishes.commands.append(partial(self._cancel_scan, unbegun))
            self._wake()

    def attach_model(self, topology: ModelTopology | None) -> None:
        """Let a checkpoint speak in the examination; answers `Scanned` anew."""
        self._command(partial(self._with_examining, lambda it: it.attach_model(topology)))

    def recall_history(self) -> None:
        """Take over the numbers that the source has learnt to tell; answers `Scanned` anew."""
        self._command(partial(self._with_examining, Examining.recall))

    def report_sample(self, sample: int) -> None:
        """Answer the history of another sample from what was examined already."""
        with self._condition:
            if self._wishes.scan is not None:
                self._wishes.scan = replace(self._wishes.scan, sample=sample)
            self._wishes.commands.append(
                partial(self._with_examining, lambda it: it.report_sample(sample))
            )
            self._wake()
