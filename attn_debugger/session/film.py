"""One head at the steps around the current one: which steps, and reading them one by one."""

from __future__ import annotations

from collections.abc import Sequence

from attn_debugger.core.frame import LayerFrame
from attn_debugger.core.source import RunSource
from attn_debugger.errors import AttnDebuggerError, LinkError
from attn_debugger.session.messages import FilmRequest

N_FRAMES = 9


def frames_around(frames: Sequence[int], place: int) -> tuple[int, ...]:
    """Return up to `N_FRAMES` neighbouring frames, that at `place` as near the middle as can be."""
    first = max(0, min(place - N_FRAMES // 2, len(frames) - N_FRAMES))
    return tuple(int(frame) for frame in frames[first : first + N_FRAMES])


class FilmReading:
    """A film half read: `step` reads one more frame, so that scrubbing never waits for all."""

    def __init__(self, request: FilmRequest) -> None:
        self.request = request
        self.frames: list[LayerFrame] = []
        self._n_done = 0

    @property
    def is_over(self) -> bool:
        return self._n_done >= len(self.request.frame_indices)

    def step(self, source: RunSource) -> None:
        """Read the next frame; one that cannot be read is left out of the film."""
        index = self.request.frame_indices[self._n_done]
        try:
            self.frames.append(source.head(index, self.request.head, self.request.sample))
        except (AttnDebuggerError, OSError):
            pass
        except LinkError:
            raise  # the same frame is due the next time
        self._n_done += 1
