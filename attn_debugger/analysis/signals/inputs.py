"""What goes into the layers and how the model was used."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from attn_debugger.analysis.arrays import Bools, Floats
from attn_debugger.analysis.measures.measures import Measures
from attn_debugger.analysis.measures.scores import ScoreMeasures
from attn_debugger.analysis.signals.context import FrameContext
from attn_debugger.analysis.signals.findings import Finding, Gap, Verdict, indices
from attn_debugger.core.flags import Severity
from attn_debugger.core.frame import LayerFrame
from attn_debugger.core.words import say


def detect_input_ids(frame: LayerFrame, context: FrameContext) -> Iterator[Verdict]:
    """`input_ids_out_of_range`: an id below 0 or beyond the vocabulary among real tokens."""
    del context
    ids = frame.token_ids
    size = frame.info.facts.vocab_size
    if ids is None:
        yield Gap(
            signal="input_ids_out_of_range",
            reason=say("token ids not recorded"),
            advice=say("with recorder.step(step, tokens=input_ids): ..."),
        )
        return
    real = np.ones(ids.shape, bool)
    if frame.key_padding is not None and frame.key_padding.shape == ids.shape:
        real = ~frame.key_padding
    wrong = real & (ids < 0)
    if size is not None:
        wrong |= real & (ids >= size)
    elif not wrong.any():
        yield Gap(
            signal="input_ids_out_of_range",
            reason=say("vocab_size is not recorded"),
            advice=say("record(model, path, attributes={'vocab_size': ...})"),
        )
    if wrong.any():
        position = int(np.argmax(wrong))
        value = int(ids[position])
        yield Finding(
            signal="input_ids_out_of_range",
            severity=Severity.CRITICAL,
            evidence=say(
                "token id {value} at position {position} is negative",
                value=value,
                position=position,
            )
            if value < 0
            else say(
                "token id {value} at position {position} is beyond the vocabulary of {size}",
                value=value,
                position=position,
                size=size,
            ),
            value=float(value),
            threshold=float(size) if value >= 0 and size is not None else 0.0,
            unit=say("token id"),
            key=position,
            whole_run=True,
            marks=frozenset(("negative_id" if value < 0 else "id_beyond",)),
        )


def detect_input_nonfinite(frame: LayerFrame, context: FrameContext) -> Iterator[Verdict]:
    """`input_nonfinite`: NaN or infinity enters the layer, so attention is not the origin."""
    live = frame.stats.get("input_nonfinite")
    if live is None:
        yield Gap(
            signal="input_nonfinite",
            reason=say("not recorded: the live statistic input_nonfinite is absent"),
            advice=say("record with attn_debugger.record, which counts it"),
        )
        return
    bad = np.nan_to_num(live) > 0
    if bad.any():
        context.nonfinite_below = True
        yield Finding(
            signal="input_nonfinite",
            severity=Severity.CRITICAL,
            evidence=say("the layer's input already holds NaN or infinite values"),
            heads=indices(bad) if len(bad) == len(frame.heads) else tuple(range(len(frame.heads))),
            value=float(np.nanmax(live)),
            threshold=0.0,
            unit=say("values"),
        )


def detect_eval_with_dropout(frame: LayerFrame, context: FrameContext) -> Iterator[Verdict]:
    """`eval_with_dropout`: training mode with dropout in a `val` or `probe` stream."""
    facts = frame.info.facts
    signal = "eval_with_dropout"
    if context.stream not in ("val", "probe"):
        if not {"val", "probe"} & set(context.run.streams):
            yield Gap(signal=signal, reason=say("the run has no val or probe stream"))
        return
    training, rate = _mode_of_frame(context), declared_dropout(frame)
    if training is not None:
        # Told of this very frame; what a layer says is of the stream it was first seen in.
        active = _scalar(context, "active_dropout")
        rate = rate if active is None else active
        if training and rate > 0:
            yield _drops_in_evaluation(context, rate)
        return
    if facts.training is None:
        yield Gap(
            signal=signal,
            reason=say("whether the model was in training mode is not recorded"),
            advice=say("record(model, path, attributes={'training': False})"),
        )
        return
    if facts.training and rate > 0:
        if (
            "train" in context.run.streams
            and frame.info.facts.training == context.run.facts.training
        ):
            yield Gap(
                signal=signal,
                reason=say("`training` is declared for the whole run, train stream included"),
            )
            return
        yield _drops_in_evaluation(context, rate)


def _drops_in_evaluation(context: FrameContext, rate: float) -> Finding:
    return Finding(
        signal="eval_with_dropout",
        severity=Severity.WARNING,
        evidence=say(
            "the {stream} stream runs in training mode with dropout {rate:g}",
            stream=context.stream,
            rate=rate,
        ),
        value=rate,
        threshold=0.0,
        unit=say("dropout"),
    )


def _mode_of_frame(context: FrameContext) -> bool | None:
    """Whether the model was in training mode in this frame, where the recorder logged it."""
    value = _scalar(context, "training")
    return None if value is None else value > 0


def _scalar(context: FrameContext, name: str) -> float | None:
    values = context.run.scalars.get(name)
    if values is None or context.frame_index >= len(values):
        return None
    value = float(values[context.frame_index])
    return value if np.isfinite(value) else None


def declared_dropout(frame: LayerFrame) -> float:
    """The largest dropout rate the archive mentions for this layer's attention."""
    facts = frame.info.facts
    rates = [facts.dropout]
    for name in ("dropout_p", "attention_dropout", "model_dropout"):
        value = facts.extra.get(name)
        if isinstance(value, (int, float, np.integer, np.floating)):
            rates.append(float(value))
    return max(rates)


def detect_dropout_on_scores(
    measures: Measures, scores: ScoreMeasures, context: FrameContext
) -> Iterator[Verdict]:
    """`dropout_on_scores`: dropout sits between the scores and the softmax.

    A dropped score is 0, not -inf: its key keeps the weight exp(0)/Z. So scattered cells of a row
    share one exact value, at places that differ between rows and heads.
    """
    del context
    signal = "dropout_on_scores"
    values = scores.scores
    if values is not None:
        keep = scores.considered
        share = _scattered(values == 0, keep)
        unit_text = say("of the scores are exactly zero at scattered places")
    elif measures.precision == "float32":
        keep, tied = _tied_cells(measures)
        share = _scattered(tied, keep)
        unit_text = say("of the weights in a row are exactly equal at scattered places")
    else:
        yield Gap(
            signal=signal,
            reason=say("scores not recorded and the weights are too coarse to tell"),
            advice=say("record(model, path, scores=True)"),
        )
        return
    dropped = measures.alive & (share > measures.thresholds.dropout_zeros) & (share < 0.9)
    if dropped.sum() >= max(1.0, 0.75 * measures.n_heads):
        level = float(np.median(share[dropped]))
        yield Finding(
            signal=signal,
            severity=Severity.NOTICE,
            evidence=say(
                "{level:.0%} {unit_text}: dropout sits before the softmax",
                level=level,
                unit_text=unit_text,
            ),
            heads=indices(dropped),
            value=level,
            threshold=measures.thresholds.dropout_zeros,
            unit=say("share of cells"),
        )


def _scattered(cells: Bools, keep: Bools) -> Floats:
    """(head,): share of `keep` that is in `cells`, whole rows and columns left out."""
    cells = cells & keep
    if not cells.any():
        return np.zeros(len(cells))
    rows, columns = keep.sum(-1), keep.sum(-2)
    whole_row = cells.sum(-1) > 0.8 * np.maximum(rows, 1)
    whole_column = cells.sum(-2) > 0.8 * np.maximum(columns, 1)
    cells = cells & ~whole_row[..., None] & ~whole_column[:, None, :]
    share: Floats = cells.sum((-1, -2)) / np.maximum(keep.sum((-1, -2)), 1)
    # The same places in every head are a property of the input, not of chance.
    if len(cells) > 1 and bool((cells == cells[:1]).all()):
        return np.zeros(len(cells))
    return share


def _tied_cells(measures: Measures) -> tuple[Bools, Bools]:
    """(head, row, key) of up to 8 rows: allowed cells, and those equal to the commonest."""
    layout = measures.layout
    rows = np.flatnonzero(measures.valid.all(0) & (layout.n_allowed >= 32).all(0))
    rows = (
        rows[np.unique(np.linspace(0, max(0, len(rows) - 1), 8).astype(int))] if len(rows) else rows
    )
    maps = measures.weights[:, rows]
    keep = maps > 0
    if layout.allowed is not None:
        keep = keep & layout.allowed[:, rows]
    tied = np.zeros_like(keep)
    if maps.shape[1] < 2:
        return keep, tied
    ordered = np.sort(maps, axis=-1)
    if not bool(((ordered[..., 1:] == ordered[..., :-1]) & (ordered[..., 1:] > 0)).any()):
        return keep, tied
    for head in range(maps.shape[0]):
        for row in range(maps.shape[1]):
            cells = maps[head, row]
            values, counts = np.unique(cells[keep[head, row]], return_counts=True)
            # Repeated tokens tie in many groups, dropped scores in one: all of them are 0.
            if (counts >= 2).sum() == 1 and counts.max() >= 3:
                tied[head, row] = keep[head, row] & (cells == values[counts.argmax()])
    return keep, tied
