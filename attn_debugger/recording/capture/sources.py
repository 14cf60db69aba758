"""Where scores and weights come from: seen as they are, or recomputed beside a kernel."""

from __future__ import annotations

import math
from collections.abc import Iterator

import torch
from torch import Tensor

from attn_debugger.recording.capture.call import RowBlock
from attn_debugger.recording.statistics import accumulate_dtype

# Additive masks use finfo.min, -1e9 or -1e4: what is at or below this is meant as "masked".
MASKED_BELOW = -1e4


class SeenScores:
    """Scores and weights the model itself materialised, (S, H, Q, K), already sampled."""

    def __init__(
        self,
        scores: Tensor,
        weights: Tensor,
        keep: Tensor | None = None,
        unmasked: Tensor | None = None,
        *,
        is_softmax: bool = False,
    ) -> None:
        self._is_softmax = is_softmax
        self._scores, self._weights, self._keep = scores, weights, keep
        self._unmasked = unmasked  # the scores before the mask was filled in, where seen
        self.shape = _four(weights)
        self.device = weights.device

    def blocks(self, rows: int) -> Iterator[RowBlock]:
        """Yield blocks of at most `rows` query rows."""
        for start in range(0, self.shape[2], rows):
            at = slice(start, min(start + rows, self.shape[2]))
            scores = accumulate_dtype(self._scores[:, :, at])
            if self._keep is None:
                # A NaN or +inf is not a mask: it must stay visible.
                masked = scores <= MASKED_BELOW
                keep = ~masked if scores.device.type != "cpu" or bool(masked.any()) else None
            else:
                keep = self._keep[..., at, :].expand_as(scores)
            if keep is not None:
                hidden = math.nan if self._unmasked is None else self._unmasked[:, :, at]
                scores = torch.where(keep, scores, accumulate_dtype_or_number(hidden))
            yield RowBlock(at, scores, keep, self._weights[:, :, at], self._is_softmax)


class RecomputedScores:
    """softmax(q k^T scale + mask) in float32, from the inputs of a fused kernel.

    q (S, H, Q, d), k (S, H or Hk, K, d); `mask` bool (True = allowed) or additive, broadcastable
    to (S, H, Q, K). A causal call is aligned to the top left, as PyTorch's kernels are.
    """

    def __init__(
        self,
        q: Tensor,
        k: Tensor,
        mask: Tensor | None = None,
        *,
        is_causal: bool = False,
        scale: float | None = None,
    ) -> None:
        if k.shape[1] != q.shape[1]:  # grouped queries: each key head serves a run of query heads
            k = k.repeat_interleave(q.shape[1] // k.shape[1], 1)
        self._q, self._k = accumulate_dtype(q), accumulate_dtype(k)
        self._mask, self._is_causal = mask, is_causal
        self._scale = 1 / math.sqrt(max(1, q.shape[-1])) if scale is None else scale
        batch = max(q.shape[0], k.shape[0])
        self.shape = (batch, q.shape[1], q.shape[2], k.shape[2])
        self.device = q.device

    def blocks(self, rows: int) -> Iterator[RowBlock]:
        """Yield blocks of at most `rows` query rows."""
        for start in range(0, self.shape[2], rows):
            at = slice(start, min(start + rows, self.shape[2]))
            # Keys after the last of these queries are barred from all of them: half the work.
            keys = min(at.stop, self.shape[3]) if self._is_causal else self.shape[3]
            keyed = self._k[:, :, :keys].transpose(-1, -2)
            scores = torch.matmul(self._q[:, :, at], keyed) * self._scale
            yield self._masked(at, scores)

    # PyTorch's kernels return zeros, not NaN, for a row that may see nothing; so does this.
    def _masked(self, at: slice, scores: Tensor) -> RowBlock:
        keep, bias = self._mask_rows(at, scores.shape[3], scores.device)
        if keep is None:
            return RowBlock(at, scores, None, torch.softmax(scores, -1), True, True)
        if bias is None:
            barred = scores.masked_fill(~keep, -math.inf)
            weights = torch.softmax(barred, -1)
            if self._mask is not None:  # a causal row always sees its own key
                weights = weights.masked_fill(~keep.any(-1, keepdim=True), 0.0)
            return RowBlock(at, scores, keep, weights, True, True, barred)
        biased = scores + bias
        dead = torch.isneginf(bias).all(-1, keepdim=True)
        scores = torch.where(keep, biased, scores)
        biased = biased.masked_fill(~keep, -math.inf) if self._is_causal else biased
        weights = torch.softmax(biased, -1)
        return RowBlock(at, scores, keep, weights.masked_fill(dead, 0.0), True)

    def _mask_rows(
        self, at: slice, keys: int, device: torch.device
    ) -> tuple[Tensor | None, Tensor | None]:
        """Return (keep, bias) of these rows and the first `keys` keys, broadcastable."""
        keep = None
        if self._is_causal:
            queries = torch.arange(at.start, at.stop, device=device)
            keep = queries[:, None] >= torch.arange(keys, device=device)  # (q, K)
        if self._mask is None:
            return keep, None
        mask = self._mask if self._mask.shape[-2] == 1 else self._mask[..., at, :]
        mask = mask if mask.shape[-1] == 1 else mask[..., :keys]
        if mask.dtype == torch.bool:
            return (mask if keep is None else keep & mask), None
        bias = accumulate_dtype(mask)
        visible = bias > MASKED_BELOW
        return (visible if keep is None else keep & visible), bias


def accumulate_dtype_or_number(value: Tensor | float) -> Tensor | float:
    """Return `value` ready to stand beside float32 scores."""
    return accumulate_dtype(value) if isinstance(value, Tensor) else value


def _four(tensor: Tensor) -> tuple[int, int, int, int]:
    s, h, q, k = tensor.shape
    return s, h, q, k
