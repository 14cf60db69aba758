"""A Hugging Face folder as a live model: its configuration says which of their classes it is.

No code from the folder is run: `auto_map` and `trust_remote_code` are never followed.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from torch import nn

from attn_debugger.core.words import say
from attn_debugger.errors import ModelError


def make_from_folder(folder: Path) -> tuple[nn.Module, dict[str, Any]]:
    """Return the untrained model that `config.json` describes, and what is known of it.

    The facts hold `encode` and `decode` when the folder has a tokenizer. Raises `ModelError` when
    `transformers` is not installed or does not know the architecture.
    """
    try:
        from transformers import (
            AutoConfig,
            AutoModel,
            AutoModelForCausalLM,
            AutoModelForSeq2SeqLM,
        )
    except ImportError as error:
        raise ModelError(
            say(
                "{folder}: running a Hugging Face folder needs the package "
                "transformers; install it, or name a factory as "
                "package.module:function",
                folder=folder,
            )
        ) from error
    try:
        config = AutoConfig.from_pretrained(folder, trust_remote_code=False)
        kinds = " ".join(config.architectures or ())
        causal = "CausalLM" in kinds or "LMHead" in kinds
        maker: Any = AutoModelForCausalLM if causal else AutoModel
        if config.is_encoder_decoder and "ForConditionalGeneration" in kinds:
            maker = AutoModelForSeq2SeqLM
        model: nn.Module = maker.from_config(config, trust_remote_code=False)
    except (OSError, ValueError, KeyError, TypeError, ImportError) as error:
        line = str(error).strip().splitlines()
        raise ModelError(
            say(
                "{folder}: transformers cannot make this model ({error!r})",
                folder=folder,
                error=line[0] if line else error,
            )
        ) from error
    tokenizer = _tokenizer(folder)
    facts: dict[str, Any] = {}
    if tokenizer is not None:
        facts["encode"] = lambda text: tokenizer(text, return_tensors="pt")
        facts["decode"] = lambda ids: tokenizer.convert_ids_to_tokens(list(ids))
    if causal:
        facts["causal"] = True
    return model, facts


def configured_scale(model: nn.Module) -> float | None:
    """Return the multiplier on q.k that a model's configuration means, where it is an unusual one.

    T5 folds it into its initialisation, Gemma 2 and Granite state a number of their own.
    """
    # The user may have wrapped the model.
    config = next((c for m in model.modules() if (c := getattr(m, "config", None))), None)
    if getattr(config, "model_type", None) in ("t5", "mt5", "umt5", "longt5"):
        return 1.0
    scalar = getattr(config, "query_pre_attn_scalar", None)
    if isinstance(scalar, int | float) and scalar > 0:
        return float(scalar**-0.5)
    multiplier = getattr(config, "attention_multiplier", None)
    return float(multiplier) if isinstance(multiplier, int | float) else None


def _tokenizer(folder: Path) -> Any:
    from transformers import AutoTokenizer

    try:
        return AutoTokenizer.from_pretrained(folder, trust_remote_code=False)
    except (OSError, ValueError, KeyError, TypeError, ImportError):
        return None
