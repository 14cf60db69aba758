"""Plain values as the session would hand them out, and a check that no text is cut off."""

from __future__ import annotations

import numpy as np
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel, QWidget

from attn_debugger.core.flags import Cause, Flag, NotEvaluated, Severity
from attn_debugger.core.heads import HeadRef
from attn_debugger.core.history import History
from attn_debugger.core.run import LayerFacts, LayerInfo, Run


def make_flag(signal: str, severity: Severity, layer: int | None, **fields: object) -> Flag:
    values: dict[str, object] = {
        "heads": (0,),
        "first_step": 0,
        "last_step": 4900,
        "first_frame": 0,
        "last_frame": 49,
        "n_frames": 50,
        "message": f"{signal} in layer {layer}",
    }
    values.update(fields)
    return Flag(signal=signal, severity=severity, layer=layer, **values)  # type: ignore[arg-type]


def bad_flags() -> tuple[Flag, ...]:
    """The faults of ACCEPTANCE's bad.h5, in order of onset, with what follows from the NaN."""
    uniform = make_flag(
        "uniform_attention", Severity.NOTICE, 2, heads=(10,), value=0.004, unit="nats"
    )
    diagonal = make_flag(
        "diagonal_collapse",
        Severity.WARNING,
        9,
        heads=tuple(range(8)),
        first_step=2000,
        first_frame=20,
        n_frames=30,
        value=0.99,
        threshold=0.9,
        unit="diagonal mass",
        lead=400,
    )
    sink = make_flag(
        "sink", Severity.LABEL, 11, first_step=2500, first_frame=25, n_frames=25, value=1.0
    )
    nan = make_flag(
        "nan_weights",
        Severity.CRITICAL,
        4,
        heads=(7,),
        first_step=3000,
        first_frame=30,
        n_frames=20,
        layer_name="encoder.layer.4.attention.self",
        sample=0,
        query=17,
        value=16,
        threshold=0,
        unit="rows",
        message="Layer 4, head 7 holds NaN in 16 rows; every layer above inherits them.",
        causes=(
            Cause("Learning rate too high"),
            Cause("NaN in the input", "excluded", "the input was finite in every frame"),
            Cause("Overflow of the scores", "confirmed", "the largest score was 61440"),
        ),
        remedies=("Compute the scores in float32.", "Clip the gradient."),
    )
    followers = tuple(
        make_flag(
            "nan_weights",
            Severity.CRITICAL,
            layer,
            heads=tuple(range(12)),
            first_step=3000,
            first_frame=30,
            n_frames=20,
            caused_by=3,
        )
        for layer in range(5, 12)
    )
    return (uniform, diagonal, sink, nan, *followers)


NAN_INDEX = 3  # of the NaN's root in `bad_flags`

GAPS = (
    NotEvaluated(
        signal="score_extreme",
        layer=0,
        reason="scores not recorded",
        advice='record(model, "run.h5", scores=True)',
    ),
    NotEvaluated(
        signal="score_extreme",
        layer=1,
        reason="scores not recorded",
        advice='record(model, "run.h5", scores=True)',
    ),
    NotEvaluated(
        signal="scale_mismatch",
        layer=0,
        reason="q and k not recorded",
        advice='record(model, "run.h5", qk=True)',
    ),
    NotEvaluated(signal="frozen_head", layer=None, reason="no fixed probe", advice="use a probe"),
)

CHECKED = ("nan_weights", "diagonal_collapse", "sink")


def make_run(n_frames: int = 50, *, layers: int = 12, heads: int = 12, **fields: object) -> Run:
    values: dict[str, object] = {
        "path": "/runs/bad.h5",
        "version": 1,
        "steps": np.arange(n_frames) * 100,
        "streams": ("train",) * n_frames,
        "times": None,
        "scalars": {},
        "curves": {},
        "layers": tuple(
            LayerInfo(
                index=index,
                facts=LayerFacts(),
                n_samples=1,
                n_heads=heads,
                n_queries=16,
                n_keys=16,
                storage="float16",
                maps=frozenset({"weights"}),
                stats=frozenset(),
            )
            for index in range(layers)
        ),
        "facts": LayerFacts(),
        "attributes": {},
    }
    values.update(fields)
    return Run(**values)  # type: ignore[arg-type]


def make_history(
    n_frames: int = 50, *, layers: int = 12, heads: int = 12, scanned: int | None = None
) -> History:
    """Entropy of head h of layer l is 4 - h / 10 throughout; scores are not known."""
    shape = (n_frames, layers, heads)
    by_head = 4.0 - np.arange(heads) / 10.0
    values = {
        "entropy": np.broadcast_to(by_head, shape).astype(np.float32),
        "peak": np.full(shape, 0.25, np.float32),
        "mean": np.full(shape, 1 / 16, np.float32),
        "nonfinite": np.zeros(shape, np.float32),
        "score_max": np.full(shape, np.nan, np.float32),
        "score_min": np.full(shape, np.nan, np.float32),
    }
    seen = np.ones(n_frames, bool)
    if scanned is not None:
        seen[scanned:] = False
        for array in values.values():
            array[scanned:] = np.nan
    return History(values=values, scanned=seen)


HEAD = HeadRef(4, 7)


def cut_off(widget: QWidget) -> list[str]:
    """Return the texts of visible labels and buttons that have less room than they need."""
    cut = []
    for part in (*widget.findChildren(QLabel), *widget.findChildren(QAbstractButton)):
        if not part.isVisible() or not part.text():
            continue
        if isinstance(part, QLabel) and part.wordWrap():
            needed = part.heightForWidth(part.width())
            if part.height() < needed:
                cut.append(part.text())
        elif part.width() < part.minimumSizeHint().width():
            cut.append(part.text())
    return cut


def show(widget: QWidget, width: int, height: int) -> None:
    widget.resize(width, height)
    widget.show()
    for _ in range(3):
        QApplication.processEvents()
