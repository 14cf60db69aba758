"""The examination of the open run on the worker's thread: begun, cancelled, gone on, reported."""

from __future__ import annotations

from collections.abc import Callable

from attn_debugger.core.flags import EMPTY_DIAGNOSIS
from attn_debugger.core.link import FETCHED_UNASKED_BYTES, OverALink
from attn_debugger.core.source import RunSource
from attn_debugger.core.topology import ModelTopology
from attn_debugger.errors import LinkError
from attn_debugger.session.messages import Scanned
from attn_debugger.session.scan import Examine, Scan
from attn_debugger.session.sentences import sentence_of


def is_long_way(source: RunSource) -> bool:
    """Whether examining a run means fetching a long file over a link."""
    return isinstance(source, OverALink) and source.n_bytes > FETCHED_UNASKED_BYTES


class Examining:
    """Drives a `Scan` of one run and answers how far it is and what it says."""

    def __init__(
        self, opening: int, source: RunSource, examine: Examine, answer: Callable[[Scanned], None]
    ) -> None:
        self._opening = opening
        self._source = source
        self._examine = examine
        self._answer = answer
        self._scan: Scan | None = None
        self.is_running = False
        self._is_cancelled = False
        self._sample = 0  # whose history is told
        self._turn = 0  # how often the run was begun anew
        self._model: ModelTopology | None = None

    @property
    def is_mid_frame(self) -> bool:
        """Whether a frame is half examined."""
        return self.is_running and not (self._scan is None or self._scan.is_between_frames)

    def start(self, sample: int, *, unasked: bool = False) -> None:
        """Begin, or go on where a cancelled examination stopped.

        `unasked`: of a long run on another machine only what it tells of itself. Raises
        `LinkError`; then it is to be started again.
        """
        self._sample = sample
        try:
            if self._scan is None:
                self._scan = Scan(self._source, self._examine)
                self._scan.attach_model(self._model)
        except LinkError:
            raise
        except Exception as error:  # noqa: BLE001 - the thread's edge: told to the user
            self._fail(sentence_of(error))
            return
        if unasked and is_long_way(self._source):
            self._is_cancelled = True
            self._report(self._scan)
            return
        self._is_cancelled = False
        self.is_running = not self._scan.is_over

    def start_anew(self, sample: int, turn: int) -> None:
        """Begin again from the first frame, with an examiner made now."""
        self._scan, self.is_running, self._turn = None, False, turn
        self.start(sample)

    def step(self) -> None:
        """Examine one more layer. Raises `LinkError`; then the same layer is due again."""
        scan = self._scan
        if scan is None:
            return
        try:
            if not scan.is_over:
                scan.step()
            self.is_running = not scan.is_over
            if scan.report_is_due:
                self._report(scan)
        except LinkError:
            self.is_running = True
            raise
        except Exception as error:  # noqa: BLE001 - as in start
            self._scan, self.is_running = None, False
            self._fail(sentence_of(error))

    def cancel(self) -> None:
        """Stop; what was found so far is answered once more."""
        self._is_cancelled = True
        if self._scan is not None and self.is_running:
            self.is_running = False
            self._report(self._scan)

    def grow(self) -> None:
        """Go on into the frames that a live run has got."""
        if self._scan is not None:
            self._scan.grow()
            self.is_running = not self._is_cancelled and not self._scan.is_over

    def attach_model(self, topology: ModelTopology | None) -> None:
        """Let a checkpoint speak, now and in a scan that is still to begin."""
        self._model = topology
        if self._scan is not None:
            self._scan.attach_model(topology)
            self._report(self._scan)

    def recall(self) -> None:
        """Take over the numbers that the source has learnt to tell."""
        if self._scan is not None:
            self._scan.recall()
            self._report(self._scan)

    def report_sample(self, sample: int) -> None:
        """Answer the history of another sample from what was examined already."""
        self._sample = sample
        if self._scan is not None:
            self._report(self._scan)

    def _report(self, scan: Scan) -> None:
        history, diagnosis = scan.report(self._sample)
        self._answer(
            Scanned(
                self._opening,
                scan.frame_index,
                scan.n_frames,
                self.is_running,
                history,
                diagnosis,
                tuple(scan.problems),
                self._turn,
            )
        )

    def _fail(self, sentence: str) -> None:
        self._answer(
            Scanned(self._opening, 0, 0, False, None, EMPTY_DIAGNOSIS, (sentence,), self._turn)
        )
