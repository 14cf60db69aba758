"""Long work with progress and an end: what a status line can show and Esc can cancel."""

from __future__ import annotations

import threading
from collections.abc import Callable

from PySide6.QtCore import QObject, Qt, Signal, Slot

from attn_debugger.errors import AttnDebuggerError
from attn_debugger.session.translated import translated


class Task(QObject):
    """Begun once with `start`; exactly one of the three outcomes is emitted at its end."""

    progressed = Signal(int, int, str)  # done, total, text
    succeeded = Signal(str)  # its result
    failed = Signal(str)  # a sentence
    cancelled = Signal()

    def __init__(self, title: str, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.title = title

    def start(self) -> None:
        raise NotImplementedError

    def cancel(self) -> None:
        """Stop as soon as possible; `cancelled` follows."""
        raise NotImplementedError


class ThreadTask(Task):
    """Calls a function on a thread of its own: `work(is_cancelled)` returns the result.

    The function raises `AttnDebuggerError` with a sentence where it cannot do its work. It must
    not touch anything of the window's.
    """

    _ended = Signal(str, str)  # result, sentence

    def __init__(
        self, title: str, work: Callable[[Callable[[], bool]], str], parent: QObject | None = None
    ) -> None:
        super().__init__(title, parent)
        self._work = work
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name=f"task {title}")
        self._ended.connect(self._finish, Qt.ConnectionType.QueuedConnection)

    def start(self) -> None:
        self._thread.start()

    def cancel(self) -> None:
        self._stop.set()
        self._thread.join()

    def _run(self) -> None:
        result = ""
        sentence = self.tr("this is a defect of attn-debugger; nothing was written")
        try:
            result = self._work(self._stop.is_set)
            sentence = ""
        except AttnDebuggerError as error:
            sentence = translated(str(error))
        except MemoryError:
            sentence = self.tr("there is not enough memory for this")
        finally:
            self._ended.emit(result, sentence)

    @Slot(str, str)
    def _finish(self, result: str, sentence: str) -> None:
        self._thread.join()
        if self._stop.is_set():
            self.cancelled.emit()
        elif sentence:
            self.failed.emit(sentence)
        else:
            self.succeeded.emit(result)
