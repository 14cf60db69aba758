"""What to run a model on: a saved batch, token ids, or a text that the model can encode."""

from __future__ import annotations

import json
import pickle
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from attn_debugger.core.words import say
from attn_debugger.errors import ModelError

Encode = Callable[[str], Any]


def load_batch(path: Path) -> Any:
    """Return the batch kept in a file: `.pt` (tensor or mapping), `.npy`, `.npz`, `.json`.

    JSON holds ids: one list, or a list of equally long lists. Raises `ModelError`.
    """
    try:
        if path.suffix == ".json":
            return _ids(json.loads(path.read_text(encoding="utf-8")))
        if path.suffix == ".npy":
            return torch.from_numpy(np.load(path, allow_pickle=False))
        if path.suffix == ".npz":
            with np.load(path, allow_pickle=False) as arrays:
                return {name: torch.from_numpy(arrays[name]) for name in arrays.files}
        return torch.load(path, map_location="cpu", weights_only=True)
    except pickle.UnpicklingError as error:
        raise ModelError(
            say(
                "{path}: refused: this batch is a pickle of more than tensors; save "
                "a mapping of names to tensors",
                path=path,
            )
        ) from error
    except (OSError, ValueError, TypeError, RuntimeError, EOFError) as error:
        line = str(error).strip().splitlines()
        raise ModelError(
            say(
                "{path}: no batch can be read from it ({error!r})",
                path=path,
                error=line[0] if line else error,
            )
        ) from error


def encode_text(text: str, encode: Encode | None) -> Any:
    """Return the batch for a text. Raises `ModelError` when the model came without an encoder."""
    if encode is None:
        raise ModelError(
            say(
                "this model came without an encoder for text: let its factory return "
                "facts with 'encode', a function from a text to token ids, or give "
                "--batch"
            )
        )
    try:
        batch = encode(text)
    except Exception as error:
        raise ModelError(
            say(
                "the text could not be encoded: {kind}: {error}",
                kind=type(error).__name__,
                error=error,
            )
        ) from (error)
    if isinstance(batch, Mapping):
        return dict(batch)
    return batch if isinstance(batch, Tensor) and batch.ndim == 2 else _ids(batch)


def check_ids(model: nn.Module, ids: Tensor) -> None:
    """Raise `ModelError` for ids (sample, position) that the model's tables do not hold."""
    vocabulary = _token_embedding(model)
    largest = int(ids.max()) if ids.numel() else 0
    if vocabulary is not None and largest >= vocabulary.num_embeddings:
        raise ModelError(
            say(
                "token id {id} is outside the model's vocabulary of {n} (ids 0 to {last}): are "
                "these the tokens of this model?",
                id=largest,
                n=vocabulary.num_embeddings,
                last=vocabulary.num_embeddings - 1,
            )
        )
    for name, module in model.named_modules():
        is_table = isinstance(module, nn.Embedding) and re.search(r"pos|wpe", name.lower())
        # Tables of distances are as long as distances are told apart, however long the text.
        if is_table and "rel" not in name.lower():
            length = int(getattr(module, "num_embeddings", 0))
            if ids.shape[1] > length:
                raise ModelError(
                    say(
                        "the input has {n} tokens, and the position table {name} holds {length}: "
                        "give a shorter one",
                        n=ids.shape[1],
                        name=name,
                        length=length,
                    )
                )


def invented_batch(model: nn.Module, samples: int = 4, length: int = 16) -> Tensor | None:
    """Return random ids within the model's vocabulary; None when it embeds no tokens."""
    embedding = _token_embedding(model)
    if embedding is None:
        return None
    generator = torch.Generator().manual_seed(0)
    ids = torch.randint(embedding.num_embeddings, (samples, length), generator=generator)
    return ids.to(embedding.weight.device)


def _token_embedding(model: nn.Module) -> nn.Embedding | None:
    find = getattr(model, "get_input_embeddings", None)  # Hugging Face
    if callable(find) and isinstance(found := find(), nn.Embedding):
        return found
    tables = {n: m for n, m in model.named_modules() if isinstance(m, nn.Embedding)}
    tokens = [m for n, m in tables.items() if re.search(r"tok|word|wte|vocab", n.lower())]
    others = [m for n, m in tables.items() if not re.search(r"pos|wpe|type|seg", n.lower())]
    return next(iter([*tokens, *others, *tables.values()]), None)


def _ids(value: Any) -> Tensor:
    try:
        ids = torch.as_tensor(value)
    except (ValueError, TypeError, RuntimeError) as error:
        raise ValueError(say("token ids must be whole numbers, in rows of equal length")) from error
    if ids.is_floating_point() or ids.ndim not in (1, 2) or ids.numel() == 0:
        raise ValueError(say("token ids must be whole numbers: a list, or a list of equal lists"))
    return ids[None] if ids.ndim == 1 else ids
