"""One head's matrix as a table of text or as numpy arrays, exactly as it was read."""

from __future__ import annotations

import codecs
import csv
import io
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QCoreApplication

from attn_debugger.core.frame import LayerFrame
from attn_debugger.core.heads import HeadRef
from attn_debugger.errors import AttnDebuggerError
from attn_debugger.ui.export.whole_file import whole_file

translate = QCoreApplication.translate

Separator = Literal[",", "\t"]


class ExportCancelledError(AttnDebuggerError):
    """The user has stopped the export."""


@dataclass(frozen=True, eq=False)
class HeadMatrix:
    """The weights (query, key) of one head in one frame, and where they come from."""

    frame: LayerFrame
    head: HeadRef
    archive: str

    @property
    def weights(self) -> NDArray[np.float32]:
        """The head's weights, (query, key). Raises `AttnDebuggerError` where none are stored."""
        if self.frame.weights is None or self.head.head not in self.frame.heads:
            said = translate(
                "Export",
                "step {0} holds no full map of {1}; choose a step at which the recorder stored it",
            )
            raise AttnDebuggerError(said.format(self.frame.step, self.head))
        weights: NDArray[np.float32] = self.frame.weights[self._place]
        return weights

    @property
    def _place(self) -> int:
        return self.frame.heads.index(self.head.head)

    @property
    def arrays(self) -> dict[str, NDArray[np.generic]]:
        """Everything about the head that an `.npz` holds; what was not recorded is left out."""
        frame, weights = self.frame, self.weights
        found: dict[str, NDArray[np.generic]] = {
            "weights": weights,
            "step": np.asarray(frame.step),
            "layer": np.asarray(self.head.layer),
            "head": np.asarray(self.head.head),
            "sample": np.asarray(frame.sample),
            "stream": np.asarray(frame.stream),
            "archive": np.asarray(self.archive),
        }
        if frame.scores is not None:
            found["scores"] = frame.scores[self._place]
        if frame.mask is not None:
            mask = frame.mask
            found["mask"] = mask if mask.ndim == 2 else mask[min(self.head.head, len(mask) - 1)]
        if frame.tokens is not None:
            found["tokens"] = np.asarray(frame.tokens, np.str_)
        if frame.query_tokens is not None:
            found["query_tokens"] = np.asarray(frame.query_tokens, np.str_)
        return found


def write_npz(matrix: HeadMatrix, path: Path) -> None:
    """Write weights, scores, mask and tokens as named arrays."""
    arrays = matrix.arrays
    with whole_file(path) as file:
        np.savez_compressed(file, allow_pickle=False, **arrays)


def write_npy(matrix: HeadMatrix, path: Path) -> None:
    """Write the weights alone, float32 (query, key)."""
    weights = matrix.weights
    with whole_file(path) as file:
        np.save(file, weights, allow_pickle=False)


def write_table(
    matrix: HeadMatrix,
    path: Path,
    separator: Separator,
    is_cancelled: Callable[[], bool] = lambda: False,
) -> None:
    """Write the weights as text with key tokens above and query tokens on the left.

    The encoding is UTF-8 with its mark, which spreadsheets need for anything but English. Raises
    `ExportCancelledError` when the user has stopped it; nothing is left of the file then.
    """
    rows = table_rows(matrix)
    with whole_file(path) as file:
        file.write(codecs.BOM_UTF8)
        for row in rows:
            if is_cancelled():
                raise ExportCancelledError(translate("Export", "the export was cancelled"))
            line = io.StringIO()
            csv.writer(line, delimiter=separator, lineterminator="\n").writerow(row)
            file.write(line.getvalue().encode())


def table_text(matrix: HeadMatrix, separator: Separator = "\t") -> str:
    """Return what `write_table` writes, for the clipboard."""
    text = io.StringIO()
    csv.writer(text, delimiter=separator, lineterminator="\n").writerows(table_rows(matrix))
    return text.getvalue()


def table_rows(matrix: HeadMatrix) -> Iterator[list[str]]:
    """Yield the header and one row a query; numbers in the shortest form that reads back equal.

    Tokens follow their position: that makes columns unique, and no spreadsheet takes a token like
    `=1+1` for a formula. NaN and infinities are written as `nan`, `inf`, `-inf`, never as 0.
    """
    weights = matrix.weights
    n_queries, n_keys = weights.shape
    frame = matrix.frame
    yield ["query \\ key", *_labels(frame.tokens, n_keys)]
    labels = _labels(frame.query_tokens or frame.tokens, n_queries)
    for label, row in zip(labels, weights, strict=True):
        yield [label, *row.astype(np.str_).tolist()]


def _labels(tokens: Sequence[str] | None, n: int) -> list[str]:
    if tokens is None or len(tokens) != n:
        return [str(place) for place in range(n)]
    return [f"{place} {_one_line(token)}" for place, token in enumerate(tokens)]


def _one_line(token: str) -> str:
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in token)
