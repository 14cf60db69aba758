"""What detectors may know beyond the one layer they look at."""

from __future__ import annotations

from dataclasses import dataclass, field

from attn_debugger.analysis.thresholds import Thresholds
from attn_debugger.core.run import LayerFacts, Run


@dataclass(slots=True)
class FrameContext:
    """The frame and sample under examination, as far as its lower layers were seen."""

    run: Run
    thresholds: Thresholds
    frame_index: int
    step: int
    stream: str
    sample: int
    nonfinite_below: bool = False  # a lower layer of this frame and sample holds NaN
    output_variances: list[float] = field(default_factory=list)  # of the lower layers
    token_spreads: dict[int, float] = field(default_factory=dict)  # by layer, as far as seen

    def probe_fixed(self, facts: LayerFacts) -> bool:
        """Every frame of this stream saw the same batch, as far as this layer is concerned.

        The declaration is about the probe stream. A run with one stream only can mean no other.
        """
        if not facts.probe_fixed:
            return False
        streams = set(self.run.streams)
        return self.stream == "probe" or ("probe" not in streams and len(streams) <= 1)
