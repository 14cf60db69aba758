"""Where in a run the user wants to go, as typed or given on the command line."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QCoreApplication

from attn_debugger.core.flags import Flag
from attn_debugger.core.heads import HeadRef
from attn_debugger.core.run import Run
from attn_debugger.core.view_state import ViewState
from attn_debugger.errors import UsageError
from attn_debugger.session.translated import translated

translate = QCoreApplication.translate


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A wish: None = wherever the view is (or, on opening, the default)."""

    step: int | None = None
    layer: int | None = None
    head: int | None = None
    stream: str | None = None
    sample: int | None = None
    follow: bool = False


_HEAD = re.compile(r"L(?:ayer)?\s*(\d+)\s*[.,/ ]?\s*(?:H(?:ead)?\s*(\d+))?", re.IGNORECASE)
_STEP = re.compile(r"(?:step\s*)?(\d+)", re.IGNORECASE)


def parse_place(text: str) -> Place:
    """Read what was typed into "go to": `1200`, `L4H7`, `L4.H7`, `layer 4 head 7`, `1200 L4H7`.

    Raises `UsageError` with a sentence when it is none of these.
    """
    rest = text.strip()
    layer = head = step = None
    found = _HEAD.search(rest)
    if found is not None:
        layer = int(found[1])
        head = None if found[2] is None else int(found[2])
        rest = (rest[: found.start()] + rest[found.end() :]).strip(" ,;")
    if rest:
        number = _STEP.fullmatch(rest)
        if number is None:
            raise UsageError(
                translate(
                    "Places", "“{0}” is neither a step nor a head: type 1200, L4H7 or 1200 L4H7"
                ).format(text)
            )
        step = int(number[1])
    if step is None and layer is None:
        raise UsageError(translate("Places", "type a step or a head: 1200, L4H7 or 1200 L4H7"))
    return Place(step=step, layer=layer, head=head)


def head_at(run: Run, place: Place) -> HeadRef | None:
    """Return the head that `place` names, None when it names none.

    Raises `UsageError`, naming the valid range, for a layer or head that the run does not have.
    """
    if place.layer is None and place.head is None:
        return None
    layer, head = place.layer or 0, place.head or 0
    if layer >= len(run.layers) or layer < 0:
        raise UsageError(
            translate("Places", "there is no layer {0}: layers are 0 to {1}").format(
                layer, len(run.layers) - 1
            )
        )
    n_heads = run.layers[layer].n_heads
    if head >= n_heads or head < 0:
        raise UsageError(
            translate("Places", "layer {0} has no head {1}: heads are 0 to {2}").format(
                layer, head, n_heads - 1
            )
        )
    return HeadRef(layer, head)


def frame_at(run: Run, step: int, stream: str | None) -> tuple[int, str]:
    """Return the frame nearest to `step`, and a sentence when that is another step."""
    frame = run.nearest_frame(step, stream)
    found = int(run.steps[frame])
    if found == step:
        return frame, ""
    return frame, translate("Places", "step {0} not recorded, showing {1}").format(step, found)


def neighbour_head(run: Run, head: HeadRef | None, d_layer: int, d_head: int) -> HeadRef | None:
    """Return the head `d_layer` layers down and `d_head` to the right, stopping at the edges.

    Layers without heads (never captured) are stepped over. None when the run has no heads.
    """
    layers = [layer.index for layer in run.layers if layer.n_heads]
    if not layers:
        return None
    if head is None:
        return HeadRef(layers[0], 0)
    row = min(range(len(layers)), key=lambda i: abs(layers[i] - head.layer))
    row = max(0, min(row + d_layer, len(layers) - 1))
    last = run.layers[layers[row]].n_heads - 1
    return HeadRef(layers[row], max(0, min(head.head + d_head, last)))


def flag_cell(flag: Flag, run: Run) -> tuple[int, int] | None:
    """Return the (query, key) that shows a finding best, None when it names neither.

    A whole row is shown by its first key, which every causal query may see; a whole column by the
    last query, which may see most keys.
    """
    if flag.layer is None or (flag.query is None and flag.key is None):
        return None
    if flag.query is None or flag.key is None:
        last = max(0, run.layers[flag.layer].n_queries - 1)
        return (last if flag.query is None else flag.query), flag.key or 0
    return flag.query, flag.key


def frames_of(run: Run, stream: str | None) -> NDArray[np.int64]:
    """Return the indices of all frames, or of those of one stream, in recorded order."""
    if stream is None:
        return np.arange(run.n_frames, dtype=np.int64)
    return np.flatnonzero(np.array([name == stream for name in run.streams])).astype(np.int64)


def arrive(run: Run, place: Place, state: ViewState) -> tuple[ViewState, list[str]]:
    """Return the state in which a run that was just opened is shown, and what to say about it.

    What `place` names and the run does not have is replaced by the nearest it has, and said.
    Raises `UsageError` when the run has no frame.
    """
    if not run.n_frames:
        raise UsageError(
            translate("Places", "{0} holds no whole frame yet; open it again when it does").format(
                run.path
            )
        )
    said = [translated(sentence) for sentence in run.missing]
    head = neighbour_head(run, None, 0, 0)
    try:
        head = head_at(run, place) or head
    except UsageError as error:
        said.append(str(error))
    stream = place.stream
    if stream is not None and stream not in run.streams:
        said.append(translate("Places", "this run has no stream “{0}”, showing all").format(stream))
        stream = None
    frames = frames_of(run, stream)
    frame = int(frames[-1] if place.follow else frames[0])
    if place.step is not None and not place.follow:
        frame, sentence = frame_at(run, place.step, stream)
        said += [sentence] if sentence else []
    wanted = place.sample or 0
    sample = max(0, min(wanted, run.n_samples - 1))
    if sample != wanted:
        said.append(
            translate("Places", "there is no sample {0}, showing sample {1}").format(wanted, sample)
        )
    return (
        replace(
            state, frame=frame, head=head, sample=sample, stream=stream, following=place.follow
        ),
        said,
    )
