"""Write an archive while a model trains, so that others can read along and a kill loses nothing.

    with ArchiveWriter("run.h5", [LayerSpec(name="encoder.0", heads=4, queries=32, keys=32)]) as w:
        w.append(FrameRecord(step=0, layers=(LayerRecord(weights=maps, captures=1),)))
        w.log(0, loss=2.3)

Order is everything: all of a frame is written and flushed before `steps` grows by its step, which
is flushed last. A reader trusts only the length of `steps`; a killed writer loses at most the
frame in progress. Not thread-safe: one thread owns a writer.
"""

from __future__ import annotations

import os
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Literal

import numpy as np

from attn_debugger.archive import schema
from attn_debugger.archive.cells import frame_cells
from attn_debugger.archive.frame_rows import FrameRows, layer_names
from attn_debugger.archive.growing import GrowingFile, write_crash
from attn_debugger.archive.layout import (
    CHECKPOINT_TYPE,
    EVENT_TYPE,
    compression_filters,
    create_curves,
)
from attn_debugger.archive.records import FrameRecord, LayerSpec
from attn_debugger.archive.strings import cut_text
from attn_debugger.core.words import say
from attn_debugger.errors import ArchiveError

WEIGHT_TYPES = ("float16", "float32")
_REMEMBERED_STEPS = 4096  # log() may come this many steps after or before its frame


class ArchiveWriter:
    """One archive being written; see the module for the use.

    `compression` is `lzf`, `fast` (blosc-lz4, needs hdf5plugin) or `portable` (gzip); `dtype` is
    that of the stored weights. `mode="append"` goes on with an archive, also after a crash, and
    creates it when there is none; `accepts` is asked first, with the names of its layers, and may
    raise `ArchiveError` to leave it as it is. Every method raises `ArchiveError` only.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        layers: Sequence[LayerSpec] = (),
        *,
        attributes: Mapping[str, object] | None = None,
        compression: str = "lzf",
        dtype: str = "float16",
        mode: Literal["create", "append"] = "create",
        accepts: Callable[[Sequence[str]], None] | None = None,
    ) -> None:
        if dtype not in WEIGHT_TYPES:
            raise ArchiveError(
                say("dtype={dtype!r} cannot be written; use float16 or float32.", dtype=dtype)
            )
        if mode not in ("create", "append"):
            raise ArchiveError(
                say("mode={mode!r} is unknown; use 'create' or 'append'.", mode=mode)
            )
        self.path = os.fspath(path)
        self._dtype = np.dtype(dtype)
        self._curves: dict[str, list[tuple[float, float]]] = {}
        self._logged: OrderedDict[int, dict[str, float]] = OrderedDict()
        self._frames_of: OrderedDict[int, list[int]] = OrderedDict()
        filters = compression_filters(compression)
        with _sentences(self.path, say("open it for writing")):
            check = None if accepts is None else lambda file: accepts(layer_names(file))
            self._growing = GrowingFile(self.path, append=mode == "append", check=check)
            try:
                self._rows = FrameRows(self._growing, self._dtype, filters)
                self._specs = tuple(layers) or tuple(self._rows.specs)
                self._indices = self._rows.take_layers(self._specs, attributes or {})
            except BaseException:
                self._growing.abandon()
                raise

    def __enter__(self) -> ArchiveWriter:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def n_frames(self) -> int:
        """Frames committed so far, those of an appended archive included."""
        return self._growing.n_frames

    @property
    def layers(self) -> tuple[LayerSpec, ...]:
        """The layers in the order in which `FrameRecord.layers` names them.

        An appended archive that was given no layers has those it was recorded with.
        """
        return self._specs

    def add_layers(self, layers: Sequence[LayerSpec]) -> None:
        """Layers that showed up later; they follow those known so far."""
        with self._writing(say("add a layer")):
            specs = (*self._specs, *layers)
            self._indices = self._rows.take_layers(specs, {})
            self._specs = specs

    def append(self, frame: FrameRecord) -> int:
        """Write one frame and commit it; returns its `frame_index`."""
        if len(frame.layers) > len(self._specs):
            raise ArchiveError(
                say(
                    "{path}: a frame of {came} layers came, but only {declared} were "
                    "declared; call add_layers first.",
                    path=self.path,
                    came=len(frame.layers),
                    declared=len(self._specs),
                )
            )
        index = self.n_frames
        step = int(frame.step)
        with self._writing(say("write frame {index} (step {step})", index=index, step=step)):
            logged = self._logged.get(step, {})
            cells = frame_cells(
                frame, self._specs, self._indices, self._dtype, logged, self._rows.derive
            )
            self._rows.put(index, cells, full=frame.full)
            self._flush_curves()
            self._growing.commit(step)
        self._remember(step, index)
        return index

    def log(self, step: int, **values: float) -> None:
        """Scalars of any step: they go to the curves, and to the frames of that step.

        May come before or after the frame. Curves are buffered; `append`, `flush` and `close`
        write them.
        """
        step = int(step)
        numbers = {name: float(value) for name, value in values.items()}
        for name, value in numbers.items():
            self.curve(name, step, value)
        self._logged.setdefault(step, {}).update(numbers)
        while len(self._logged) > _REMEMBERED_STEPS:
            self._logged.popitem(last=False)
        frames = self._frames_of.get(step, ())
        if frames:
            cells = {schema.scalar_path(name): np.float64(v) for name, v in numbers.items()}
            with self._writing(say("write the scalars of step {step}", step=step)):
                for index in frames:
                    self._rows.put_cells(index, cells)

    def curve(self, name: str, step: int, value: float) -> None:
        """One point of `curves/<name>`; buffered like those of `log`."""
        self._curves.setdefault(name, []).append((float(step), float(value)))

    def flush(self) -> None:
        """Write what is buffered, without a new frame."""
        with self._writing(say("flush it")):
            self._flush_curves()
            self._growing.flush()

    def event(self, step: int, kind: str, text: str) -> None:
        """Write down what happened; a `dropped` event's text begins with the number of frames."""
        row = np.zeros(1, EVENT_TYPE)
        row[schema.EVENT_STEP] = step
        row[schema.EVENT_KIND] = cut_text(kind, schema.EVENT_KIND_BYTES)
        row[schema.EVENT_TEXT] = cut_text(text, schema.EVENT_TEXT_BYTES)
        with self._writing(say("write an event")):
            self._growing.extend(schema.EVENTS, row)
            self._growing.flush()

    def checkpoint(self, step: int, path: str | os.PathLike[str]) -> None:
        """List a checkpoint saved beside the run; `path` is stored relative to the archive."""
        text = os.fspath(path)
        folder = os.path.dirname(os.path.abspath(self.path))
        if os.path.isabs(text) and os.path.splitdrive(text)[0] == os.path.splitdrive(folder)[0]:
            text = os.path.relpath(text, folder)
        row = np.zeros(1, CHECKPOINT_TYPE)
        row[schema.CHECKPOINT_STEP] = step
        row[schema.CHECKPOINT_PATH] = cut_text(text, schema.PATH_BYTES)
        with self._writing(say("list a checkpoint")):
            self._growing.extend(schema.CHECKPOINTS, row)
            self._growing.flush()

    def crash(self, facts: Mapping[str, object]) -> None:
        """Keep what was seen of a forward that raised: message, module, shapes and dtypes."""
        with self._writing(say("write down the crash")):
            self._growing.change(write_crash(facts))

    def set_attributes(self, attributes: Mapping[str, object], layer: int | None = None) -> None:
        """Set attributes of the run or of a layer after the fact (`trained`, `dropout` ...)."""
        with self._writing(say("set attributes")):
            self._rows.set_attributes(attributes, None if layer is None else self._indices[layer])

    def close(self) -> None:
        """Write what is buffered and mark the run as properly ended; may be called twice."""
        if self._growing.closed:
            return
        with self._writing(say("close it")):
            self._flush_curves()
            self._growing.close()

    def abandon(self) -> None:
        """Let go of the file without writing anything more; what is committed stays."""
        self._growing.abandon()

    def _remember(self, step: int, index: int) -> None:
        self._frames_of.setdefault(step, []).append(index)
        while len(self._frames_of) > _REMEMBERED_STEPS:
            self._frames_of.popitem(last=False)

    def _flush_curves(self) -> None:
        waiting = {schema.curve_path(n): np.array(p) for n, p in self._curves.items() if p}
        self._curves.clear()
        new = [path for path in waiting if path not in self._growing.rows]
        if new:
            self._growing.change(lambda file: create_curves(file, new))
        for path, points in waiting.items():
            self._growing.extend(path, points)

    @contextmanager
    def _writing(self, doing: str) -> Iterator[None]:
        if self._growing.closed:
            raise ArchiveError(
                say("{path}: cannot {doing}: the recording has ended.", path=self.path, doing=doing)
            )
        with _sentences(self.path, doing):
            try:
                yield
            except (OSError, RuntimeError):
                self._growing.abandon()
                raise


@contextmanager
def _sentences(path: str, doing: str) -> Iterator[None]:
    """Errors of the system and of HDF5 as one sentence each."""
    try:
        yield
    except BlockingIOError:
        raise ArchiveError(
            say(
                "{path}: another process is writing this archive; wait for it, or "
                "record into another file.",
                path=path,
            )
        ) from None
    except FileNotFoundError:
        if os.path.isdir(os.path.dirname(os.path.abspath(path))):
            reason = say("the file is gone; it was deleted or renamed while it was written")
        else:
            reason = say("the folder does not exist; create it first")
        raise ArchiveError(
            say("{path}: cannot {doing}: {reason}.", path=path, doing=doing, reason=reason)
        ) from None
    except PermissionError:
        raise ArchiveError(
            say(
                "{path}: cannot {doing}: no permission; choose a folder you may write to.",
                path=path,
                doing=doing,
            )
        ) from None
    except (OSError, RuntimeError, ValueError, KeyError, TypeError) as error:
        raise ArchiveError(
            say("{path}: cannot {doing}: {error}", path=path, doing=doing, error=_reason(error))
        ) from error


def _reason(error: Exception) -> str:
    text = str(error)
    if "No space left" in text:
        return say("the disk is full; free some space and append with mode='append'.")
    return f"{text or type(error).__name__}."
