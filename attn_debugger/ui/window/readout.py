"""What the status line says: pure functions from state and maps to words."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QCoreApplication

from attn_debugger.core.frame import LayerFrame
from attn_debugger.core.run import Run
from attn_debugger.core.view_state import ViewState
from attn_debugger.ui.grid.hover import Hover


def place_words(run: Run, state: ViewState) -> str:
    """Return where the view is: step, frame, stream, sample, head."""
    translate = QCoreApplication.translate
    words = [
        translate("Status", "step {0} (frame {1}/{2})").format(
            int(run.steps[state.frame]), state.frame + 1, run.n_frames
        )
    ]
    if len(set(run.streams)) > 1:
        words.append(run.streams[state.frame])
    if run.n_samples > 1:
        words.append(translate("Status", "sample {0}").format(state.sample))
    if state.head is not None:
        words.append(
            translate("Status", "layer {0} head {1}").format(state.head.layer, state.head.head)
        )
    return "  ·  ".join(words)


def cell_words(hover: Hover, frame: LayerFrame | None) -> str:
    """Return what is known of the cell under the pointer, or of the selected one.

    With the head's full map the weight is exact and the row's sum and entropy are known; from an
    overview it is marked as approximate.
    """
    translate = QCoreApplication.translate
    tokens, query_tokens = _tokens(hover, frame)
    where = translate("Status", "{0}: query {1}{2} → key {3}{4}").format(
        hover.head, hover.query, query_tokens, hover.key, tokens
    )
    row = _row(hover, frame)
    if row is None:
        return f"{where}  {_rough_weight(hover)}"
    words = [where, translate("Status", "weight {0}").format(number(float(row[hover.key])))]
    total = float(row.sum())
    words.append(translate("Status", "row sum {0}").format(number(total)))
    positive = row[row > 0]
    if np.isfinite(row).all():
        entropy = float(-(positive * np.log(positive)).sum()) + 0.0  # never -0
        words.append(translate("Status", "row entropy {0} nats").format(number(entropy)))
    if hover.masked:
        words.append(translate("Status", "masked on purpose"))
    return "  ·  ".join(words)


def number(value: float) -> str:
    """Return a number to four significant digits; not finite is said as such."""
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "+Inf" if value > 0 else "-Inf"
    return f"{value:.4g}"


def sentence_case(text: str) -> str:
    """Return a text with its first letter raised, unless it begins with a file's name or a key."""
    first = text.split(" ", 1)[0]
    return text[:1].upper() + text[1:] if first.rstrip(":,;").isalpha() else text


def selected_cell(state: ViewState) -> Hover | None:
    """Return the selected cell in the form of a hovered one."""
    if state.head is None or state.query is None or state.key is None:
        return None
    return Hover(state.head, state.query, state.key, None)


def _rough_weight(hover: Hover) -> str:
    translate = QCoreApplication.translate
    if hover.masked:
        return translate("Status", "masked on purpose")
    if hover.value is None:
        return translate("Status", "not known")
    if hover.exact:
        return translate("Status", "weight {0}").format(number(hover.value))
    if math.isnan(hover.value):
        return translate("Status", "not finite")
    if hover.n_cells > 1:
        return translate("Status", "largest of {0} cells ≈ {1}").format(
            hover.n_cells, f"{hover.value:.2g}"
        )
    return translate("Status", "weight ≈ {0}").format(f"{hover.value:.2g}")


def _row(hover: Hover, frame: LayerFrame | None) -> NDArray[np.float32] | None:
    if frame is None or frame.weights is None or frame.info.index != hover.head.layer:
        return None
    if hover.head.head not in frame.heads:
        return None
    if hover.query >= frame.n_queries or hover.key >= frame.n_keys or hover.n_cells > 1:
        return None
    row: NDArray[np.float32] = frame.weights[frame.heads.index(hover.head.head), hover.query]
    return row


def _tokens(hover: Hover, frame: LayerFrame | None) -> tuple[str, str]:
    """Return the key's and the query's token as ` "word"`, empty where they are not known."""
    if frame is None or hover.head.layer != frame.info.index or hover.n_cells > 1:
        return "", ""
    keys, queries = frame.tokens, frame.query_tokens or frame.tokens
    key = f" “{_visible(keys[hover.key])}”" if keys and hover.key < len(keys) else ""
    query = f" “{_visible(queries[hover.query])}”" if queries and hover.query < len(queries) else ""
    return key, query


def _visible(token: str) -> str:
    """Return a token on one line: control characters escaped, word-start marks as a space."""
    token = token.replace("Ġ", " ").replace("▁", " ")
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in token)
