"""How to call a model with other tokens: what every experiment on it needs.

inputs = read_inputs(model, {"input_ids": ids, "attention_mask": mask})
logits = inputs.run(model, ids.flip(1))
"""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import torch
from torch import Tensor, nn

from attn_debugger.core.words import say
from attn_debugger.errors import ModelError

_ID_NAMES = ("input_ids", "ids", "tokens", "token_ids", "idx", "src", "inputs", "input", "x")
_REAL_NAMES = ("attention_mask", "input_mask")  # True or 1 = a real token
_PADDING_NAMES = (
    "src_key_padding_mask", "key_padding_mask", "padding_mask", "pad_mask", "pad",
)  # True = padding  # fmt: skip
# What an encoder-decoder model continues, beside what it reads.
_DECODER_NAMES = ("decoder_input_ids", "tgt", "decoder_ids")
_IGNORED = -100  # PyTorch's `ignore_index`: a label that is no target


@dataclass(frozen=True, slots=True, kw_only=True)
class Inputs:
    """A batch of token ids and the way a model takes it.

    `ids` is (sample, position); `real` the same, True where a token is no padding, or None when
    the batch has none. `mask_name` is the argument for it, None when the model takes none. Of an
    encoder-decoder model `ids` is what the encoder reads, `decoder` (sample, position) what the
    decoder continues. `labels` are the batch's own, (sample,) or (sample, position).
    """

    ids: Tensor
    real: Tensor | None
    ids_name: str
    mask_name: str | None
    mask_marks_padding: bool = False
    rest: Mapping[str, Any] = field(default_factory=dict)
    decoder: Tensor | None = None
    decoder_name: str = ""
    labels: Tensor | None = None

    @property
    def answered(self) -> Tensor:
        """The tokens that the outputs stand at, (sample, position)."""
        return self.ids if self.decoder is None else self.decoder

    def of_samples(self, first: int, end: int) -> Inputs:
        """Return the samples from `first` up to `end`, not included."""
        rows = slice(first, end)
        return replace(
            self,
            ids=self.ids[rows],
            real=None if self.real is None else self.real[rows],
            decoder=None if self.decoder is None else self.decoder[rows],
            labels=None if self.labels is None else self.labels[rows],
        )

    def run(self, model: nn.Module, ids: Tensor, real: Tensor | None = None) -> Tensor:
        """Return the model's output for these tokens, (sample, ...), without gradients.

        The decoder, if there is one, goes on with its own tokens, a row for each of `ids`. Raises
        `ModelError` when the output holds no floating-point tensor.
        """
        with torch.no_grad():
            return self.call(model, ids, real)

    def call(self, model: nn.Module, ids: Tensor, real: Tensor | None = None) -> Tensor:
        """Do what `run` does, with gradients where they are on."""
        arguments = {self.ids_name: ids, **self.rest}
        if self.mask_name is not None and real is not None:
            arguments[self.mask_name] = ~real if self.mask_marks_padding else real
        if self.decoder is not None:
            rows = torch.arange(len(ids), device=self.decoder.device) % len(self.decoder)
            arguments[self.decoder_name] = self.decoder[rows]
        output = _first_tensor(model(**arguments))
        if output is None:
            raise ModelError(say("the model returned nothing that holds floating-point numbers"))
        return output


def read_inputs(model: nn.Module, batch: Any) -> Inputs:
    """Return how `model` takes `batch`: ids, or a mapping of its keyword arguments.

    Raises `ModelError` when no token ids can be found in it.
    """
    names = _parameter_names(model)
    if isinstance(batch, Tensor):
        batch = {_ids_argument(names): batch}
    if not isinstance(batch, Mapping):
        raise ModelError(
            say(
                "the batch is a {kind}; give token ids (sample, position) or a "
                "mapping of the model's keyword arguments",
                kind=type(batch).__name__,
            )
        )
    ids_name = next((n for n in (*_ID_NAMES, *batch) if _is_ids(batch.get(n))), None)
    if ids_name is None:
        raise ModelError(say("the batch holds no token ids: an integer tensor (sample, position)"))
    mask_name = next((n for n in (*_REAL_NAMES, *_PADDING_NAMES) if n in names), None)
    marks_padding = mask_name in _PADDING_NAMES
    mask = None if mask_name is None else batch.get(mask_name)
    real = mask.bool() if isinstance(mask, Tensor) and mask.ndim == 2 else None
    if real is not None and marks_padding:
        real = ~real
    decoder_name = next((n for n in _DECODER_NAMES if n in names), "")
    return Inputs(
        ids=batch[ids_name],
        real=None if real is None or bool(real.all()) else real,
        ids_name=ids_name,
        mask_name=mask_name,
        mask_marks_padding=marks_padding,
        # Labels make a model return a loss, and what has the batch's shape would not fit others.
        rest={
            name: value
            for name, value in batch.items()
            if name not in (ids_name, mask_name) and not isinstance(value, Tensor)
        },
        decoder=_decoder_ids(model, batch, ids_name, decoder_name) if decoder_name else None,
        decoder_name=decoder_name,
        labels=batch["labels"] if isinstance(batch.get("labels"), Tensor) else None,
    )


def _decoder_ids(
    model: nn.Module, batch: Mapping[str, Any], ids_name: str, decoder_name: str
) -> Tensor:
    """Return what the decoder continues: the batch's, or its labels or inputs behind a start.

    One token shorter than what the encoder reads where both would be equally long: by their
    lengths the maps of encoder, decoder and cross-attention can be told apart.
    """
    ids: Tensor = batch[ids_name]
    given, labels = batch.get(decoder_name), batch.get("labels")
    if isinstance(given, Tensor) and _is_ids(given):
        decoder = given
    else:
        source = labels if isinstance(labels, Tensor) and _is_ids(labels) else ids
        config = getattr(model, "config", None)
        start = getattr(config, "decoder_start_token_id", None)
        pad = getattr(config, "pad_token_id", None)
        first = source[:, :1] if start is None else torch.full_like(source[:, :1], int(start))
        decoder = torch.cat([first, source[:, :-1]], 1)
        decoder = decoder.masked_fill(decoder == _IGNORED, 0 if pad is None else int(pad))
    is_as_long = decoder.shape[1] == ids.shape[1] and ids.shape[1] > 2
    return decoder[:, :-1] if is_as_long else decoder


def _parameter_names(model: nn.Module) -> list[str]:
    try:
        return list(inspect.signature(model.forward).parameters)
    except (TypeError, ValueError):
        return []


def _ids_argument(names: list[str]) -> str:
    known = next((name for name in _ID_NAMES if name in names), None)
    if known is not None:
        return known
    if names:
        return names[0]
    raise ModelError(say("the model's forward takes no arguments"))


def _is_ids(value: Any) -> bool:
    return (
        isinstance(value, Tensor)
        and value.ndim == 2
        and not value.is_floating_point()
        and value.dtype != torch.bool
    )


def _first_tensor(output: Any) -> Tensor | None:
    if isinstance(output, Tensor):
        return output if output.is_floating_point() else None
    if isinstance(output, Mapping):
        named = [output.get("logits"), output.get("last_hidden_state"), *output.values()]
        return next((t for value in named if (t := _first_tensor(value)) is not None), None)
    if isinstance(output, tuple | list):
        return next((t for value in output if (t := _first_tensor(value)) is not None), None)
    logits = getattr(output, "logits", None)
    return None if logits is None else _first_tensor(logits)
