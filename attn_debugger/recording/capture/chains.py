"""Hand-written attention: q k^T -> ... -> softmax -> ... -> times values, followed by marks.

A softmax is taken for attention when its input came from a product of two activations, or when its
result is multiplied with values over the softmax axis. Everything else (classifier heads, routers)
is listed as passed over.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from torch import Tensor
from torch.nn import functional

from attn_debugger.recording.capture import ops
from attn_debugger.recording.capture.contribution import projection_weight
from attn_debugger.recording.capture.memory import Memory
from attn_debugger.recording.capture.products import (
    Product,
    contracts,
    einsum_axes,
    einsum_factor_layout,
    einsum_value_layout,
    is_parameter,
    read_product,
)
from attn_debugger.recording.capture.score_terms import adds_something, with_terms
from attn_debugger.recording.capture.seen import PassedOver, SeenAttention
from attn_debugger.recording.capture.tags import (
    MergeTag,
    OutputTag,
    ScaledTag,
    ScoreTag,
    Tag,
    TagTable,
    WeightTag,
)
from attn_debugger.recording.capture.weight_steps import next_weight, weights_without_softmax


class AttentionChains:
    """Follows the marks of one recorded step and hands over each attention it can prove."""

    def __init__(
        self,
        here: Callable[[], str | None],
        found: Callable[[SeenAttention], OutputTag | None],
        projected: Callable[[OutputTag, Tensor], None],
        *,
        keep_unmasked: bool,
    ) -> None:
        self.tags = TagTable()
        self._here, self._found, self._projected = here, found, projected
        self._keep_unmasked = keep_unmasked
        self.dropout = 0.0  # of the dropout that is running
        self._unused: dict[int, tuple[WeightTag, str | None]] = {}

    def softmax(
        self, function: Any, args: Sequence[Any], kwargs: Mapping[str, Any], out: Any
    ) -> None:
        """A softmax ran: its result may be weights."""
        x = args[0] if args else kwargs.get("input", kwargs.get("self"))
        if not isinstance(x, Tensor) or not isinstance(out, Tensor) or x.ndim < 2:
            return
        dim = kwargs.get("dim", args[1] if len(args) > 1 and isinstance(args[1], int) else -1)
        source = self.tags.get(x)
        product = source if isinstance(source, ScoreTag) else None
        path = self._here()
        tag = WeightTag(
            scores=x.detach(),
            value=out.detach(),
            dim=-1 if not isinstance(dim, int) else dim,
            owner=path,
            product=product,
            compute_dtype=out.dtype,
        )
        self.tags.set(out, tag)
        self._unused[tag.serial] = (tag, path)

    def product(
        self, function: Any, args: Sequence[Any], kwargs: Mapping[str, Any], out: Any
    ) -> None:
        """A matrix product ran: it may make scores, or use weights on values."""
        product = read_product(function, args, kwargs)
        factors = product.operands
        if len(factors) != 2 or not all(isinstance(f, Tensor) for f in (*factors, out)):
            return
        tags = [self.tags.get(factor) for factor in factors]
        if any(isinstance(tag, (WeightTag, ScoreTag)) for tag in tags):
            self._use(product, tags, out)
            return
        if any(is_parameter(factor) or factor.ndim < 2 for factor in factors):
            return
        if out.ndim >= 2 and contracts(product):
            mark = self._score_tag(product, tags)
            if function in ops.BADDBMM and isinstance(args[0], Tensor) and kwargs.get("beta", 1):
                mark = replace(mark, added=adds_something(args[0]))
            self.tags.set(out, mark)

    def before_inplace(self, source: Tensor) -> None:
        """Dropout is about to overwrite `source`: keep what the weights were before it."""
        tag = self.tags.get(source)
        if isinstance(tag, WeightTag) and not tag.dropped:
            self._set_weight(
                source, replace(tag, value=tag.value.clone(), dropped=True, dropout=self.dropout)
            )

    def follow(
        self, function: Any, tag: Tag, source: Tensor, args: Sequence[Any], out: Any
    ) -> None:
        """Some other function took a marked tensor: decide what its result is."""
        if isinstance(out, (tuple, list)):
            if function in ops.SPLIT and isinstance(tag, (MergeTag, ScaledTag)):
                for part in out:
                    self._follow_activation(function, tag, part)
                return
            out = out[0] if out else None
        if isinstance(tag, ScoreTag):
            known, tag = tag, with_terms(function, tag, source, args)
            if self._adds_scores(function, args):
                # Scores that are a sum of several products are not q k^T of any one pair.
                tag = replace(tag, q=None, k=None)
            if out is source and tag is not known:
                self.tags.set(out, tag)
        if not isinstance(out, Tensor) or out is source or function in ops.CHAIN_ENDS:
            return
        if isinstance(tag, OutputTag):
            if (weight := projection_weight(function, args, source)) is not None:
                self.tags.discard(source)
                self._projected(tag, weight)
            elif function in ops.REARRANGE:
                self.tags.set(out, tag)
            return
        if isinstance(tag, (MergeTag, ScaledTag)):
            self._follow_activation(function, tag, out)
            return
        shrunk_to_prefix = out.ndim == source.ndim and out.shape[:-1] == source.shape[:-1]
        if out.numel() < source.numel() and not shrunk_to_prefix:
            return
        if function is functional.linear and out.shape != source.shape:
            return
        if isinstance(tag, ScoreTag):
            self.tags.set(out, self._next_score(function, tag, source, args, out))
        else:
            marked = next_weight(function, tag, source, out)
            if function in ops.DROPOUT:
                marked = replace(marked, dropout=self.dropout)
            self._set_weight(out, marked)

    def scaled(self, source: Tensor, factor: float, out: Tensor) -> None:
        """An activation was multiplied by a number: a query may be scaled before its product."""
        tag = self.tags.get(source)
        if tag is None:
            self.tags.set(out, ScaledTag(factor))
        elif isinstance(tag, MergeTag):
            self.tags.set(out, ScaledTag(factor, tag.sizes))
        elif isinstance(tag, ScaledTag):
            self.tags.set(out, ScaledTag(factor * tag.factor, tag.merge))

    def merged(self, source: Tensor, sizes: tuple[int, int], out: Tensor) -> None:
        """Two leading axes became one: remember their sizes, to part them again."""
        tag = self.tags.get(source)
        if isinstance(tag, ScaledTag):
            self.tags.set(out, ScaledTag(tag.factor, sizes))
        elif tag is None:
            self.tags.set(out, MergeTag(sizes))

    def finish(self) -> list[PassedOver]:
        """Hand over scores' softmaxes that no product used; return the ones passed over."""
        passed = []
        for tag, path in self._unused.values():
            if tag.product is not None:
                self._found(
                    SeenAttention(
                        path=path,
                        tag=tag,
                        confirmed=False,
                        notes=("the weights were not seen multiplying any values",),
                    )
                )
            else:
                shape = tuple(tag.value.shape)
                passed.append(PassedOver(path, shape, "a softmax that multiplies no values"))
        self._unused.clear()
        self.tags.clear()
        return passed

    def _set_weight(self, tensor: Tensor, tag: WeightTag) -> None:
        self.tags.set(tensor, tag)
        if tag.serial in self._unused:
            self._unused[tag.serial] = (tag, self._unused[tag.serial][1])

    def _score_tag(self, product: Product, tags: list[Tag | None]) -> ScoreTag:
        merges = [tag.sizes for tag in tags if isinstance(tag, MergeTag)]
        merges += [tag.merge for tag in tags if isinstance(tag, ScaledTag) and tag.merge]
        factors: list[Tensor | None] = []
        places: list[Memory | None] = []
        for position, (factor, tag) in enumerate(zip(product.operands, tags, strict=True)):
            rows: Tensor | None
            if product.equation is not None:
                rows = einsum_factor_layout(product.equation, position, factor)
            else:
                rows = factor if position == 0 else factor.transpose(-1, -2)
            if rows is not None:
                rows = rows.detach()
            places.append(Memory.of(rows))
            if rows is not None and isinstance(tag, ScaledTag) and tag.factor:
                # The scale belongs to the score, not to q: undo it so that q k^T / sqrt(d) and
                # the declared scale can be held against what was computed.
                rows = rows / tag.factor
            factors.append(rows)
        return ScoreTag(
            owner=self._here(),
            q=factors[0],
            k=factors[1],
            queries_in=places[0],
            keys_in=places[1],
            merge=merges[0] if merges else None,
        )

    def _use(self, product: Product, tags: list[Tag | None], out: Tensor) -> None:
        for position, tag in enumerate(tags):
            other = product.operands[1 - position]
            if isinstance(tag, ScoreTag):
                tag = weights_without_softmax(tag, product, position)
            if not isinstance(tag, WeightTag):
                continue
            if is_parameter(other):
                if out.shape == product.operands[position].shape and not tag.dropped:
                    talked = replace(tag, value=out.detach(), is_softmax=False)  # talking heads
                    self._set_weight(out, talked)
                continue
            self._confirm(product, position, tag, out)

    def _confirm(self, product: Product, position: int, tag: WeightTag, out: Tensor) -> None:
        factor, other = product.operands[position], product.operands[1 - position]
        weights = tag.value
        last = tag.dim % weights.ndim == weights.ndim - 1
        order: tuple[int, ...] | None = None
        values: Tensor | None = other.detach()
        output: Tensor | None = out.detach()
        notes: tuple[str, ...] = ()
        if product.equation is not None:
            axes = einsum_axes(product.equation, position, weights.ndim)
            values = None
            output = einsum_value_layout(product.equation, position, out.detach())
            if axes is not None and axes.key_axis == tag.dim % weights.ndim:
                order = axes.order
            elif axes is not None or tag.product is None or "." not in product.equation:
                return  # a mixture of experts, say: no queries that look at keys
        elif position == 0:
            if factor.shape[-1] != weights.shape[-1]:
                return
            if not last:
                if tag.product is None:
                    return
                # F.softmax(scores, dim=-2) @ v: shown as the model uses it, so that it can be told.
                tag = replace(tag, dim=-1, is_softmax=False)
                notes = ("the softmax axis is not the axis summed over with the values",)
        else:  # values^T @ weights^T
            if tag.dim % weights.ndim not in (weights.ndim - 1, weights.ndim - 2):
                return
            values, output = other.detach().transpose(-1, -2), out.detach().transpose(-1, -2)
        self._unused.pop(tag.serial, None)
        seen = SeenAttention(
            path=self._here(), tag=tag, order=order, values=values, output=output, notes=notes
        )
        if (mark := self._found(seen)) is not None:
            self.tags.set(out, mark)

    def _next_score(
        self, function: Any, tag: ScoreTag, source: Tensor, args: Sequence[Any], out: Tensor
    ) -> ScoreTag:
        if function in ops.DROPOUT:
            return replace(tag, dropped=True, dropout=self.dropout)
        changes: dict[str, Any] = {}
        if function in ops.NONLINEAR and tag.before_nonlinearity is None:
            changes["before_nonlinearity"] = source.detach()
        if function in ops.NONLINEAR or tag.before_nonlinearity is not None:
            changes["value"] = out.detach()
        masks = function in ops.MASK_FILL or (
            function in ops.ADD and len(args) > 1 and isinstance(args[1], Tensor)
        )
        if self._keep_unmasked and masks and tag.unmasked is None and out.shape == source.shape:
            changes["unmasked"] = source.detach()
        return replace(tag, **changes) if changes else tag

    def _adds_scores(self, function: Any, args: Sequence[Any]) -> bool:
        adds = function in ops.ADD or function in ops.ADD_INPLACE
        return adds and sum(isinstance(self.tags.get(value), ScoreTag) for value in args) > 1

    def _follow_activation(self, function: Any, tag: MergeTag | ScaledTag, out: Tensor) -> None:
        passes = function in ops.REARRANGE or function in ops.MULTIPLY or function in ops.DIVIDE
        passes = passes or function in ops.SPLIT
        if isinstance(tag, ScaledTag):
            passes = passes or function in ops.ROTARY_STEPS or function is Tensor.__getitem__
        if passes and self.tags.get(out) is None:
            self.tags.set(out, tag)
