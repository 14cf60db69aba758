"""What the user may ask of a model: how it is made, what it is run on, what is tried out."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from attn_debugger.core.heads import HeadRef

OWN_FACTORIES = "attn_debugger."


@dataclass(frozen=True, slots=True, kw_only=True)
class RunnableModel:
    """How the user's model is made: a factory, a Hugging Face folder or a pickled module.

    `checkpoint` "" = as the factory leaves it. `folder` is where the factory's module is found and
    where the child starts. `trusted`: the user has agreed to run the code of `name`.
    """

    name: str
    checkpoint: str = ""
    folder: str = ""
    python: str = ""  # "" = the one the window runs on
    trusted: bool = False

    @property
    def runs_code(self) -> bool:
        """Whether making it executes code that is not ours: folders hold weights and numbers."""
        return not Path(self.name).is_dir() and not self.name.startswith(OWN_FACTORIES)


@dataclass(frozen=True, slots=True, kw_only=True)
class ProbeInput:
    """What the model is run on; at most one of the three. None of them = the function's own batch.

    `recorded`: the batch that the archive recorded at the step in view.
    """

    text: str = ""
    batch: str = ""  # a file
    recorded: bool = False

    def arguments(self) -> list[str]:
        """Return the arguments of the command line."""
        if self.text:
            return ["--text", self.text]
        if self.batch:
            return ["--batch", self.batch]
        return ["--recorded"] if self.recorded else []


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """What is done to the model or to its input. Each kind of run takes of it what concerns it.

    `factor` scales heads, all in turn or one `head`. `spans` of tokens, the ends not included, are
    replaced together, by `token` or by others of the batch, or hidden from attention; without
    spans each token is in turn.
    """

    overfit: bool = False
    factor: float = 0.0
    head: HeadRef | None = None
    spans: tuple[tuple[int, int], ...] = ()
    token: int | None = None
    hide: bool = False

    def scale_arguments(self) -> list[str]:
        """Return the arguments of `ablate`."""
        head = [] if self.head is None else ["--head", f"{self.head.layer}:{self.head.head}"]
        return ["--factor", f"{self.factor:g}", *head]

    def token_arguments(self) -> list[str]:
        """Return the arguments of `occlude`."""
        arguments = [part for a, b in self.spans for part in ("--span", f"{a}:{b}")]
        if self.hide:
            arguments.append("--hide")
        elif self.token is not None:
            arguments += ["--token", str(self.token)]
        return arguments
