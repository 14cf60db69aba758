"""A model that can be run: made by a factory of the user's, filled from a checkpoint.

    live = load_live("mypackage.models:make", checkpoint=Path("last.pt"), trust_code=True)

A model is named by its factory, by a Hugging Face folder, or by a file with a pickled module. A
factory takes no arguments and returns the model, `(model, batch)` or `(model, batch, facts)`:
`batch` is token ids or a mapping of keyword arguments; `facts` is what only its author knows,
under the names of the archive's attributes (`causal`, `scale`), `encode`, a function from a text
to ids, `decode`, one from ids to strings, and `loss`, one of the output and the ids.

Factories and pickles run code, so they are refused until the user has agreed.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from attn_debugger.core.frame import LayerFrame
from attn_debugger.core.run import Run
from attn_debugger.core.words import listing, say
from attn_debugger.errors import ModelError
from attn_debugger.model.batches import check_ids, encode_text, invented_batch
from attn_debugger.model.hugging_face import make_from_folder
from attn_debugger.model.inputs import Inputs, read_inputs
from attn_debugger.model.loading import RefusedError, load_weights
from attn_debugger.model.recorded_batch import RecordedBatch


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveModel:
    """A model in eval mode, a batch for it, and what is known of its intentions."""

    model: nn.Module
    inputs: Inputs
    facts: Mapping[str, Any] = field(default_factory=dict)
    notes: tuple[str, ...] = ()  # sentences: what of the checkpoint did not fit


def load_live(
    name: str,
    *,
    checkpoint: Path | None = None,
    archive: tuple[Run, LayerFrame | None] | None = None,
    recorded: RecordedBatch | None = None,
    batch: Any = None,
    text: str | None = None,
    trust_code: bool = False,
    invent: bool = False,
) -> LiveModel:
    """Return the model called `package.module:function` or lying at a path, ready to run.

    `archive` is a run and one frame of it: its attributes are the model's intentions, and its
    tokens the batch when neither `batch`, `text` nor the factory gives one; `recorded` is run in
    place of all of these; `invent` draws random ids where nobody gives any. Raises `ModelError`
    with a sentence: code not agreed to, no such factory, one that fails, a checkpoint of another
    model, no batch.
    """
    made_batch = None
    if (folder := Path(name)).is_dir():
        model, facts = make_from_folder(folder)
        checkpoint = folder if checkpoint is None else checkpoint
    elif Path(name).is_file():
        model, facts = _unpickle(Path(name), trust_code=trust_code), {}
    else:
        model, made_batch, facts = _make(name, trust_code=trust_code)
    notes = () if checkpoint is None else fill(model, checkpoint)
    model.eval()
    if archive is not None:
        facts = {**facts, **_facts_of(archive[0])}
    if recorded is not None:
        batch = recorded.ids
        facts.setdefault("decode", recorded.decode)
    elif text is not None:
        batch = encode_text(text, facts.get("encode"))
    chosen = next((b for b in (batch, made_batch) if b is not None), None)
    if chosen is None and archive is not None and archive[1] is not None:
        chosen = _batch_of(archive[1])
    if chosen is None and invent:
        chosen = invented_batch(model)
        notes += (say("no batch was given: random token ids are used"),)
    if chosen is None:
        raise ModelError(
            say(
                "there is no batch to run: let the factory return (model, batch), "
                "give token ids, or attach an archive that holds token ids"
            )
        )
    inputs = read_inputs(model, chosen)
    if recorded is not None:
        inputs = replace(inputs, real=recorded.real)
    check_ids(model, inputs.ids)
    return LiveModel(model=model, inputs=inputs, facts=facts, notes=notes)


def _make(factory: str, *, trust_code: bool) -> tuple[nn.Module, Any, dict[str, Any]]:
    module_name, _, function_name = factory.partition(":")
    if not module_name or not function_name:
        raise ModelError(
            say("{factory!r}: name a factory as package.module:function", factory=factory)
        )
    if not trust_code and module_name.partition(".")[0] != "attn_debugger":
        raise ModelError(
            say(
                "{factory}: a factory is code that will be run; agree to it with --trust-code",
                factory=factory,
            )
        )
    # As `python -m` does it: scripts beside which we are started are found.
    if "" not in sys.path:
        sys.path.insert(0, "")
    try:
        made = getattr(importlib.import_module(module_name), function_name)()
    except Exception as error:
        raise ModelError(
            say(
                "{factory} failed: {kind}: {error}",
                factory=factory,
                kind=type(error).__name__,
                error=error,
            )
        ) from error
    parts = made if isinstance(made, tuple) else (made,)
    if not 1 <= len(parts) <= 3 or not isinstance(parts[0], nn.Module):
        raise ModelError(
            say(
                "{factory} returned {kinds}; it must return a torch.nn.Module, "
                "(model, batch) or (model, batch, facts)",
                factory=factory,
                kinds=_kinds(made),
            )
        )
    model, batch, facts = (*parts, None, None)[:3]
    return model, batch, dict(facts or {})


def _unpickle(path: Path, *, trust_code: bool) -> nn.Module:
    without_code = say(
        "{path}: holds weights without the code that runs them; name a "
        "factory as package.module:function and give this file as its "
        "checkpoint",
        path=path,
    )
    if not trust_code:
        try:
            load_weights(path)
        except RefusedError as error:
            raise ModelError(
                say("{error}; or agree to run its code with --trust-code", error=error)
            ) from error
        raise ModelError(without_code)
    try:
        model = torch.load(path, map_location="cpu", weights_only=False)
    except Exception as error:
        raise ModelError(
            say(
                "{path} cannot be unpickled: {kind}: {error}",
                path=path,
                kind=type(error).__name__,
                error=error,
            )
        ) from error
    if not isinstance(model, nn.Module):
        raise ModelError(without_code)
    return model


def _kinds(made: Any) -> str:
    if isinstance(made, tuple):
        return "(" + ", ".join(type(part).__name__ for part in made) + ")"
    return say("a {kind}", kind=type(made).__name__)


def fill(model: nn.Module, checkpoint: Path) -> tuple[str, ...]:
    """Load the weights of a checkpoint into `model`; return sentences on what did not fit.

    Raises `ModelError` when the checkpoint cannot be read safely or is of another model.
    """
    own = model.state_dict()
    tensors = _named_as(own, load_weights(checkpoint).tensors)
    wrong = [
        say(
            "{name} is {shape} in the checkpoint and {own} in the model",
            name=name,
            shape=tuple(tensors[name].shape),
            own=tuple(own[name].shape),
        )
        for name in own
        if name in tensors and tensors[name].shape != own[name].shape
    ]
    if wrong:
        raise ModelError(
            say(
                "{checkpoint}: the checkpoint is of another model: {wrong}",
                checkpoint=checkpoint,
                wrong=wrong[0],
            )
        )
    if not set(own) & set(tensors):
        raise ModelError(
            say(
                "{checkpoint}: the checkpoint is of another model: no parameter has "
                "the same name (it has {theirs}, the model {ours})",
                checkpoint=checkpoint,
                theirs=next(iter(tensors)),
                ours=next(iter(own), "none"),
            )
        )
    model.load_state_dict(tensors, strict=False)
    missing = sorted(set(own) - set(tensors))
    # Older checkpoints keep index tables (position_ids) that models have since stopped storing.
    extra = sorted(n for n in set(tensors) - set(own) if tensors[n].is_floating_point())
    notes = []
    if missing:
        notes.append(
            say(
                "{checkpoint} lacks {names}: they keep the factory's values",
                checkpoint=checkpoint,
                names=_few(missing),
            )
        )
    if extra:
        notes.append(
            say(
                "{checkpoint} also holds {names}, which the model does not have",
                checkpoint=checkpoint,
                names=_few(extra),
            )
        )
    return tuple(notes)


def _named_as(own: Mapping[str, Tensor], tensors: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Return the tensors under the model's own names.

    Checkpoints of a model with a head say `bert.encoder...` where the bare model says
    `encoder...`, and the other way round.
    """
    if set(own) & set(tensors):
        return dict(tensors)
    for prefix in {name.partition(".")[0] + "." for name in tensors}:
        shorter = {name.removeprefix(prefix): tensor for name, tensor in tensors.items()}
        if set(own) & set(shorter):
            return shorter
    for prefix in {name.partition(".")[0] + "." for name in own}:
        longer = {prefix + name: tensor for name, tensor in tensors.items()}
        if set(own) & set(longer):
            return longer
    return dict(tensors)


def _few(names: list[str]) -> str:
    shown = listing(names[:3])
    return (
        say("{shown} and {rest} more", shown=shown, rest=len(names) - 3)
        if len(names) > 3
        else shown
    )


def _facts_of(run: Run) -> dict[str, Any]:
    facts: dict[str, Any] = {}
    for name in ("causal", "scale", "compute_dtype"):
        values = {getattr(layer.facts, name) for layer in run.layers}
        # One answer for the model only where all its layers agree.
        if len(values) == 1 and (value := values.pop()) is not None:
            facts[name] = value
    return facts


def _batch_of(frame: LayerFrame) -> Mapping[str, Tensor] | None:
    if frame.token_ids is None:
        return None
    return {"input_ids": torch.tensor(frame.token_ids)[None]}
