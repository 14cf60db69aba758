"""What the archive worker was asked for and has not done yet, and what of it comes first.

HDF5 serialises every call under one global lock, so a second thread would gain nothing and a call
from the window's thread could wait long behind a read. What the user waits for comes first:

    grid of the newest request > head of the newest request > one more frame of its film
    > growth of a live run
    > some more of the full maps of the heads in sight
    > grids in the direction of motion
    > in turns: one more step of an errand, one more layer of the examination
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, auto

from attn_debugger.session.errands import Errand
from attn_debugger.session.film import FilmReading
from attn_debugger.session.messages import GridRequest, HeadRequest
from attn_debugger.session.sharpening import Sharpening

Job = Callable[[], None]

# While the user scrubs, the next request is never more than this away: the examination waits.
QUIET_SECONDS = 0.04


class Turn(Enum):
    """What needs no words of a request."""

    REFRESH = auto()  # look whether a live run has grown
    READ_AHEAD = auto()  # one more grid in the direction of motion
    EXAMINE = auto()  # one more layer


@dataclass(frozen=True, slots=True)
class StartScan:
    """Begin or go on examining, and tell the history of `sample`."""

    sample: int
    unasked: bool = False  # not by the user: only where it does not cost much
    is_first: bool = False  # on another machine numbers of all heads come before more pictures


@dataclass(frozen=True, slots=True)
class RunErrand:
    """One step of the errand of that name."""

    name: str
    errand: Errand


Wish = Job | GridRequest | HeadRequest | FilmReading | Sharpening | StartScan | RunErrand | Turn


class Wishes:
    """The newest wish of each kind; an older one that was not begun is forgotten.

    Shared between threads: the worker holds its condition around every use.
    """

    def __init__(self) -> None:
        self.commands: deque[Job] = deque()
        self.film: FilmReading | None = None
        self.sharp: Sharpening | None = None
        self.scan: StartScan | None = None
        self._grid: GridRequest | None = None
        self._head: HeadRequest | None = None
        self._errands: dict[str, Errand] = {}
        self._errand_was_last = False  # errands and the examination take turns
        self._refresh_seconds = 0.0  # 0 = the run does not grow
        self._next_refresh = 0.0
        self._quiet_until = 0.0

    # Wishing.

    def want_grid(self, request: GridRequest, now: float) -> None:
        self._grid = request
        self.sharp = None  # of a frame that is left
        self.be_quiet_until(now + QUIET_SECONDS)

    def want_head(self, request: HeadRequest) -> None:
        self._head = request

    def want_errand(self, name: str, errand: Errand | None) -> None:
        """Put an errand in place of the last one of that name; None = only give that one up."""
        self._errands.pop(name, None)
        if errand is not None:
            self._errands[name] = errand

    def want_growth(self, seconds: float, now: float) -> None:
        """Look for new frames every `seconds` (0 = never), for the first time at once."""
        if seconds != self._refresh_seconds:
            self._refresh_seconds = seconds
            self._next_refresh = now

    def look_again_after(self, when: float) -> None:
        """Look for new frames no sooner than that."""
        self._next_refresh = max(self._next_refresh, when)

    def be_quiet_until(self, when: float) -> None:
        """Put off errands and the examination."""
        self._quiet_until = when

    def put_back(self, name: str, errand: Errand, *, is_over: bool) -> bool:
        """Queue an errand behind the others after one of its steps, unless it is over.

        False = it was given up meanwhile, or another one was wanted: its answer is void.
        """
        if self._errands.get(name) is not errand:
            return False
        del self._errands[name]
        if not is_over:
            self._errands[name] = errand
        return True

    def forget(self) -> None:
        """Forget all but the commands: they are about a run that is no longer open."""
        self._grid = self._head = self.film = self.sharp = self.scan = None
        self._errands.clear()
        self._refresh_seconds = 0.0

    # Choosing.

    @property
    def is_urgent(self) -> bool:
        """Whether the user waits for something that has not been begun."""
        return bool(self.commands) or self._grid is not None or self._head is not None

    @property
    def has_errands(self) -> bool:
        """Whether there is work that goes on by itself."""
        return self.scan is not None or bool(self._errands)

    def take(
        self,
        now: float,
        *,
        reads_ahead: bool,
        examines: bool,
        is_mid_frame: bool,
        is_lost: bool = False,
    ) -> tuple[Wish | None, float | None]:
        """Return the most urgent wish, or None and how long to wait for one (None = for ever).

        The thread tells what it has left to do by itself. A refresh may open the file anew, under
        the feet of a frame being examined: it waits while `is_mid_frame`. Without a link
        (`is_lost`) only what may still be known is asked for.
        """
        if self.commands:
            return self.commands.popleft(), None
        if self._grid is not None:
            grid, self._grid = self._grid, None
            return grid, None
        if self._head is not None:
            head, self._head = self._head, None
            return head, None
        if is_lost:
            return None, None
        if self.film is not None:
            return self.film, None
        wait = None
        if self._refresh_seconds:
            if now >= self._next_refresh and not is_mid_frame:
                self._next_refresh = now + self._refresh_seconds
                return Turn.REFRESH, None
            wait = max(0.0, self._next_refresh - now)
        if self.scan is not None and self.scan.is_first and now >= self._quiet_until:
            scan, self.scan = self.scan, None
            return scan, None
        if self.sharp is not None:
            return self.sharp, None
        if reads_ahead:
            return Turn.READ_AHEAD, None
        may_scan = examines or self.scan is not None
        if not (may_scan or self._errands):
            return None, wait
        if now < self._quiet_until:
            quiet = self._quiet_until - now
            return None, quiet if wait is None else min(wait, quiet)
        return self._take_turns(may_scan), None

    def _take_turns(self, may_scan: bool) -> Wish:
        if self._errands and not (may_scan and self._errand_was_last):
            self._errand_was_last = True
            return RunErrand(*next(iter(self._errands.items())))
        self._errand_was_last = False
        scan, self.scan = self.scan, None
        return scan or Turn.EXAMINE
