"""Per-head statistics of one attention call, computed in float32 on the device.

Definitions (rows = valid query rows: not padding, at least one key allowed, finite weights;
all logarithms natural):

score_max, score_min, score_abs_max, score_std   over the allowed, finite cells of a head
score_nan, score_posinf, score_neginf            counts over the allowed cells
row_sum_min, row_sum_max, peak_mean              of the weights, over valid rows
entropy_mean, entropy_min                        -sum p ln p of a row, over valid rows
masked_mass                                      mean over valid rows of the weight on masked keys
tie_fraction                                     share of valid rows with >= 8 allowed keys whose
                                                 largest score is attained twice while the compute
                                                 dtype is spaced >= 0.25 there (Qiu & Yao,
                                                 arXiv 2510.04212)
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import torch
from torch import Tensor

STAT_NAMES = (
    "score_max",
    "score_min",
    "score_abs_max",
    "score_std",
    "score_nan",
    "score_posinf",
    "score_neginf",
    "row_sum_min",
    "row_sum_max",
    "entropy_mean",
    "entropy_min",
    "peak_mean",
    "tie_fraction",
    "masked_mass",
)
_TIE_SPACING = 0.25
_TIE_MIN_KEYS = 8
_LEAST_TOKENS = 8  # of which it can be said that they are alike
# Spacing of a dtype at |x| in [2^e, 2^(e+1)) is 2^(e - mantissa bits).
_MANTISSA_BITS = {torch.float16: 10, torch.bfloat16: 7, torch.float32: 23, torch.float64: 52}


def accumulate_dtype(tensor: Tensor) -> Tensor:
    """Return `tensor` in the precision statistics are computed in: float64 stays, else float32."""
    return tensor if tensor.dtype in (torch.float32, torch.float64) else tensor.float()


class HeadStatistics:
    """Statistics of one attention call, fed block by block of query rows.

    statistics = HeadStatistics(compute_dtype=torch.bfloat16)
    for block in source.blocks(rows):
        statistics.add(block.scores, block.keep, block.weights, real_rows)
    statistics.result()["entropy_mean"]   # (S, H)
    """

    def __init__(self, compute_dtype: torch.dtype) -> None:
        self._tie_threshold = _TIE_SPACING * 2.0 ** _MANTISSA_BITS.get(compute_dtype, 23)
        self._sums: dict[str, Tensor] = {}
        self._highest: dict[str, Tensor] = {}
        self._lowest: dict[str, Tensor] = {}

    def add(
        self,
        scores: Tensor,
        keep: Tensor | None,
        weights: Tensor,
        real_rows: Tensor | None = None,
        *,
        is_softmax: bool = False,
        masked_is_zero: bool = False,
        barred: Tensor | None = None,
    ) -> None:
        """Take in some query rows: scores and weights (S, H, q, K), keep broadcastable, bool.

        `real_rows` (S or 1, 1, q) is False where the query is padding. `is_softmax` says that the
        weights are the softmax of the kept scores (their entropy is then had without a logarithm
        a cell), `masked_is_zero` that masked cells weigh nothing by construction. `barred` is the
        scores with -inf in the masked cells, if that is at hand.
        """
        scores, weights = accumulate_dtype(scores), accumulate_dtype(weights)
        if keep is not None:
            keep = keep.expand_as(scores)
        cleaned = scores if keep is None else torch.where(keep, scores, 0.0)
        row_totals = cleaned.sum(-1)
        # On the CPU looking at a value is free, so the passes that count what is not finite are
        # saved when nothing is. On a GPU looking would wait for the device.
        finite = scores.device.type == "cpu" and bool(torch.isfinite(row_totals.sum()))
        if not finite:
            cleaned, row_totals = self._count_nonfinite(scores, keep, cleaned)
        else:
            nothing = torch.zeros(scores.shape[:2], dtype=_wide(scores), device=scores.device)
            for name in ("nan", "posinf", "neginf"):
                self._sum(name, nothing)
        usable = keep if finite else _and(torch.isfinite(scores), keep)
        row_max = self._add_scores(scores, usable, cleaned, row_totals, barred if finite else None)
        row_sum, peak = weights.sum(-1), weights.amax(-1)
        if is_softmax and finite:
            # entropy = log sum exp(s) - sum p s, and log sum exp(s) = max s - log max p.
            products = torch.einsum("shqk,shqk->shq", weights, cleaned)
            entropy = (row_max - peak.clamp(min=1e-45).log() - products).clamp(min=0)
        else:
            entropy = _row_entropy(weights)
        if keep is None or masked_is_zero:
            outside = torch.zeros_like(row_sum)
        else:
            outside = weights.masked_fill(keep, 0.0).sum(-1)
        n_keys = None if keep is None else keep.sum(-1)
        valid = torch.isfinite(row_sum)
        if n_keys is not None:
            valid = valid & (n_keys > 0)
        if real_rows is not None:
            valid = valid & real_rows
        self._add_rows(valid, row_sum, peak, entropy, outside)
        wide = valid & (scores.shape[-1] >= _TIE_MIN_KEYS)
        if n_keys is not None:
            wide = valid & (n_keys >= _TIE_MIN_KEYS)
        self._sum("wide", wide.sum(-1))
        ties = self._ties(scores, keep, row_max, finite)
        self._sum("ties", (ties & wide).sum(-1))

    @classmethod
    def joined(cls, parts: Sequence[HeadStatistics]) -> HeadStatistics:
        """Return the statistics of all rows that `parts`, of one call each, were fed."""
        whole = cls(torch.float32)
        whole._tie_threshold = parts[0]._tie_threshold
        for part in parts:
            for name, value in part._sums.items():
                whole._sum(name, value)
            for name, high in part._highest.items():
                whole._extreme(name, high, part._lowest[name])
        return whole

    def over_samples(self) -> HeadStatistics:
        """Return the statistics of all samples together, with one sample: (1, H)."""
        whole = HeadStatistics(torch.float32)
        whole._sums = {name: value.sum(0, keepdim=True) for name, value in self._sums.items()}
        for name, high in self._highest.items():
            whole._highest[name] = high.amax(0, keepdim=True)
            whole._lowest[name] = self._lowest[name].amin(0, keepdim=True)
        return whole

    def result(self) -> dict[str, Tensor]:
        """Return name -> (S, H) float32; NaN where a head has no valid row or allowed cell."""
        total, n, rows = self._sums, self._sums["cells"], self._sums["rows"]
        cells = torch.where(n > 0, n, math.nan)
        valid = torch.where(rows > 0, rows, math.nan)
        variance = total["square"] / cells - (total["score"] / cells) ** 2
        found = {
            "score_max": torch.where(n > 0, self._highest["score"], math.nan),
            "score_min": torch.where(n > 0, self._lowest["score"], math.nan),
            "score_std": variance.clamp(min=0).sqrt(),
            "score_nan": total["nan"],
            "score_posinf": total["posinf"],
            "score_neginf": total["neginf"],
            "row_sum_min": torch.where(rows > 0, self._lowest["row_sum"], math.nan),
            "row_sum_max": torch.where(rows > 0, self._highest["row_sum"], math.nan),
            "entropy_mean": total["entropy"] / valid,
            "entropy_min": torch.where(rows > 0, self._lowest["entropy"], math.nan),
            "peak_mean": total["peak"] / valid,
            "tie_fraction": total["ties"] / torch.where(total["wide"] > 0, total["wide"], math.nan),
            "masked_mass": total["masked"] / valid,
        }
        found["score_abs_max"] = torch.maximum(found["score_max"].abs(), found["score_min"].abs())
        return {name: found[name].float() for name in STAT_NAMES}

    def _count_nonfinite(
        self, scores: Tensor, keep: Tensor | None, cleaned: Tensor
    ) -> tuple[Tensor, Tensor]:
        """Count what is not finite in the allowed cells; return the scores and sums without it."""
        counted = (("nan", scores.isnan()), ("posinf", scores.isposinf()))
        for name, cells in (*counted, ("neginf", scores.isneginf())):
            self._sum(name, _and(cells, keep).sum((-2, -1)))
        cleaned = torch.where(torch.isfinite(cleaned), cleaned, 0.0)
        return cleaned, cleaned.sum(-1)

    def _add_scores(
        self,
        scores: Tensor,
        usable: Tensor | None,
        cleaned: Tensor,
        row_totals: Tensor,
        barred: Tensor | None,
    ) -> Tensor:
        """Return the row maxima (S, H, q) over the usable cells; -inf where a row has none."""
        hidden = None if usable is None else ~usable
        if barred is None:
            barred = scores if hidden is None else scores.masked_fill(hidden, -math.inf)
        high = barred.amax(-1)
        low = (scores if hidden is None else scores.masked_fill(hidden, math.inf)).amin(-1)
        zero = torch.zeros(scores.shape[:2], dtype=_wide(scores), device=scores.device)
        n = usable.sum((-2, -1)) if usable is not None else scores.shape[-1] * scores.shape[-2]
        self._sum("cells", zero + n)
        self._sum("score", row_totals.sum(-1, dtype=_wide(scores)))
        # Squares are summed in float32 along a row, in float64 over rows: exact, half the time.
        norms = torch.linalg.vector_norm(cleaned, dim=-1).to(_wide(scores))
        self._sum("square", norms.square().sum(-1))
        self._extreme("score", high.amax(-1), low.amin(-1))
        return high

    def _add_rows(
        self, valid: Tensor, row_sum: Tensor, peak: Tensor, entropy: Tensor, outside: Tensor
    ) -> None:
        self._sum("rows", valid.sum(-1))
        for name, value in (("entropy", entropy), ("peak", peak), ("masked", outside)):
            self._sum(name, torch.where(valid, value, 0.0).sum(-1, dtype=_wide(value)))
        high, low = row_sum.masked_fill(~valid, -math.inf), row_sum.masked_fill(~valid, math.inf)
        self._extreme("row_sum", high.amax(-1), low.amin(-1))
        self._extreme("entropy", entropy.amax(-1), entropy.masked_fill(~valid, math.inf).amin(-1))

    def _ties(self, scores: Tensor, keep: Tensor | None, row_max: Tensor, finite: bool) -> Tensor:
        """Return where (S, H, q) the top score is attained twice and rounding is coarse."""
        coarse = (row_max.abs() >= self._tie_threshold) & torch.isfinite(row_max)
        if finite and not bool(coarse.any()):
            return coarse
        at_top = scores == row_max[..., None]
        if keep is not None:
            at_top = at_top & keep
        return coarse & (at_top.sum(-1) > 1)

    def _sum(self, name: str, value: Tensor) -> None:
        self._sums[name] = self._sums[name] + value if name in self._sums else value

    def _extreme(self, name: str, high: Tensor, low: Tensor) -> None:
        first = name not in self._highest
        self._highest[name] = high if first else torch.maximum(self._highest[name], high)
        self._lowest[name] = low if first else torch.minimum(self._lowest[name], low)


def _wide(tensor: Tensor) -> torch.dtype:
    """Return what sums are kept in: float64, but for devices that have none (Apple's)."""
    return torch.float32 if tensor.device.type == "mps" else torch.float64


def _and(cells: Tensor, keep: Tensor | None) -> Tensor:
    return cells if keep is None else cells & keep


def _row_entropy(weights: Tensor) -> Tensor:
    """Return -sum p ln p in nats, (S, H, q); negative cells count as zero."""
    entropy: Tensor = torch.special.entr(weights.clamp(min=0)).sum(-1)
    return entropy


def rms(tensor: Tensor) -> Tensor:
    """Return the root mean square over the last two axes: (S, H, rows, d) -> (S, H)."""
    size = max(1, tensor.shape[-1] * tensor.shape[-2])
    norm: Tensor = torch.linalg.vector_norm(accumulate_dtype(tensor), dim=(-2, -1))
    return norm.float() / math.sqrt(size)


def count_nonfinite(tensor: Tensor) -> Tensor:
    """Return how many values over the last two axes are NaN or infinite, float32."""
    if tensor.device.type == "cpu":
        norms = torch.linalg.vector_norm(accumulate_dtype(tensor), dim=(-2, -1))
        if bool(torch.isfinite(norms).all()):
            return torch.zeros_like(norms, dtype=torch.float32)
    return (~torch.isfinite(tensor)).sum((-2, -1)).float()


def token_spread(tokens: Tensor, real: Tensor | None = None) -> Tensor:
    """Return how far the tokens of a sample are from all being the same: (S, N, D) -> (S,).

    r(X) = ||X - 1 x^T||_F / ||X||_F with x the mean token (Dong et al., arXiv 2103.03404): 0 = all
    alike, about 1 = no common part. `real` (S or 1, N) is False where a token is padding. NaN with
    fewer than 8 tokens.
    """
    values = accumulate_dtype(tokens)
    weight = torch.ones_like(values[..., :1]) if real is None else real[..., None].to(values.dtype)
    weight = weight.expand(*values.shape[:2], 1)
    count = weight.sum(1)
    mean = (values * weight).sum(1) / count.clamp(min=1)
    total = (values.square() * weight).sum((1, 2))
    apart = ((values - mean[:, None]).square() * weight).sum((1, 2))
    spread = (apart / total.clamp(min=1e-30)).sqrt().float()
    return torch.where((count[:, 0] >= _LEAST_TOKENS) & (total > 0), spread, math.nan)
