"""Which signals were judged where, and why others were not: the state beside flag and clean."""

from __future__ import annotations

from collections.abc import Iterable

from attn_debugger.analysis.signals.findings import Gap
from attn_debugger.core.flags import NotEvaluated


class Verdicts:
    """Keeps, for each signal and layer, whether it was ever judged, else the last reason."""

    def __init__(self) -> None:
        self._judged: set[tuple[str, int | None]] = set()
        self._gaps: dict[tuple[str, int | None], Gap] = {}

    def judged(self, signals: Iterable[str], layer: int | None) -> None:
        """Note that signals were judged in this layer."""
        for signal in signals:
            self._judged.add((signal, layer))

    def gap(self, gap: Gap, layer: int | None) -> None:
        """Note why a signal could not be judged in this layer, in this frame."""
        self._gaps[gap.signal, layer] = gap

    def was_judged(self, signal: str, layer: int | None) -> bool:
        """Whether a signal was judged anywhere in a layer's frames; None = in any layer."""
        if layer is None:
            return any(name == signal for name, _ in self._judged)
        return (signal, layer) in self._judged

    @property
    def checked(self) -> tuple[str, ...]:
        """Signals that were judged in some layer."""
        return tuple(sorted({signal for signal, _ in self._judged}))

    def not_evaluated(self, n_layers: int) -> tuple[NotEvaluated, ...]:
        """What was never judged; one entry for the whole run where all layers give one reason."""
        open_gaps = {key: gap for key, gap in self._gaps.items() if key not in self._judged}
        by_reason: dict[tuple[str, str, str], list[int | None]] = {}
        for (signal, layer), gap in open_gaps.items():
            by_reason.setdefault((signal, gap.reason, gap.advice), []).append(layer)
        out: list[NotEvaluated] = []
        for (signal, reason, advice), layers in by_reason.items():
            everywhere = None in layers or len(layers) >= max(1, n_layers)
            for layer in [None] if everywhere else sorted(x for x in layers if x is not None):
                out.append(NotEvaluated(signal=signal, layer=layer, reason=reason, advice=advice))
        return tuple(sorted(out, key=lambda item: (item.signal, item.layer or 0)))
