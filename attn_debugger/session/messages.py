"""What the window asks of the archive worker and what comes back: frozen values, nothing shared."""

from __future__ import annotations

from dataclasses import dataclass

from attn_debugger.core.flags import Diagnosis
from attn_debugger.core.frame import GridFrame, LayerFrame, SharpTiles
from attn_debugger.core.heads import HeadRef
from attn_debugger.core.history import History
from attn_debugger.core.link import LinkState, Question
from attn_debugger.core.run import Run


@dataclass(frozen=True, slots=True)
class GridRequest:
    """All heads of one frame as tiles of `tile` pixels. A higher ticket is a later wish."""

    ticket: int
    frame_index: int
    sample: int
    tile: int


@dataclass(frozen=True, slots=True)
class HeadRequest:
    """One head of one frame at full resolution."""

    ticket: int
    frame_index: int
    head: HeadRef
    sample: int


@dataclass(frozen=True, slots=True)
class FilmRequest:
    """One head at several frames, at full resolution."""

    ticket: int
    frame_indices: tuple[int, ...]
    head: HeadRef
    sample: int


@dataclass(frozen=True, slots=True)
class SharpRequest:
    """Heads of one frame as tiles of `tile` pixels from their full maps, the first ones first."""

    ticket: int
    frame_index: int
    sample: int
    tile: int
    heads: tuple[HeadRef, ...]


@dataclass(frozen=True, slots=True)
class Opened:
    """A run was opened or read anew; `opening` is the number of the request to open it."""

    opening: int
    run: Run


@dataclass(frozen=True, slots=True)
class OpenFailed:
    """A run could not be opened; `sentence` says why and what to do.

    `lost` = it was the run that was open, which could not be read anew: now none is open.
    `foreign` = an HDF5 file of another layout, which can be imported.
    """

    opening: int
    path: str
    sentence: str
    lost: bool = False
    foreign: bool = False


@dataclass(frozen=True, slots=True)
class GridRead:
    """The answer to a `GridRequest`: the tiles, or else the sentence that says why not."""

    opening: int
    request: GridRequest
    frame: GridFrame | None
    sentence: str = ""
    lost: bool = False  # the link is: the window says so once, not of every frame


@dataclass(frozen=True, slots=True)
class HeadRead:
    """The answer to a `HeadRequest`: the maps, or else the sentence that says why not."""

    opening: int
    request: HeadRequest
    frame: LayerFrame | None
    sentence: str = ""


@dataclass(frozen=True, slots=True)
class FilmRead:
    """The answer to a `FilmRequest`: the frames that could be read, in order."""

    opening: int
    request: FilmRequest
    frames: tuple[LayerFrame, ...]


@dataclass(frozen=True, slots=True)
class SharpRead:
    """The answer to a `SharpRequest`: the tiles read so far, until `tiles.is_complete`."""

    opening: int
    request: SharpRequest
    tiles: SharpTiles


@dataclass(frozen=True, slots=True)
class Brought:
    """What an errand has ready to be shown, or else the sentence that says why it was given up."""

    opening: int
    name: str
    value: object | None
    sentence: str = ""


@dataclass(frozen=True, slots=True)
class Grown:
    """A live run has more frames than before, or has ended."""

    opening: int
    run: Run


@dataclass(frozen=True, slots=True)
class Doubted:
    """The archive's own overviews turned out to be wrong: what was shown of them is void."""

    opening: int
    sentence: str


@dataclass(frozen=True, slots=True)
class Failed:
    """What was not asked for went wrong: looking at a live run again, closing, a defect of ours."""

    opening: int
    sentence: str


@dataclass(frozen=True, slots=True)
class Scanned:
    """How far the examination has come and what it says so far.

    `turn` counts how often the run has been examined anew.
    """

    opening: int
    n_scanned: int
    n_frames: int
    running: bool
    history: History | None
    diagnosis: Diagnosis
    problems: tuple[str, ...] = ()
    turn: int = 0


@dataclass(frozen=True, slots=True)
class LinkChanged:
    """What the link to a run on another machine does now."""

    opening: int
    state: LinkState


@dataclass(frozen=True, slots=True)
class Asked:
    """The host wants to know something of the user; the worker waits for `reply`."""

    opening: int
    question: Question


Answer = (
    Opened
    | OpenFailed
    | GridRead
    | HeadRead
    | FilmRead
    | SharpRead
    | Brought
    | Grown
    | Doubted
    | Failed
    | Scanned
    | LinkChanged
    | Asked
)
