"""What the demo models learn: endless batches, drawn from a generator with a fixed seed.

    task = RepeatedSequences(length=40)
    batch = task.batch(32, torch.Generator().manual_seed(0))

Targets of -100 are left out of the loss (PyTorch's `ignore_index`).
"""

from __future__ import annotations

import random
import string
import sysconfig
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Protocol

import torch
from torch import Generator, Tensor

IGNORED = -100
_LETTERS = string.ascii_letters + string.digits
_CORPUS_CHARACTERS = 600_000
VISIBLE = {" ": "␣", "\n": "⏎", "\t": "⇥"}


@dataclass(frozen=True, slots=True)
class Batch:
    """Inputs and targets: (sample, position), or targets (sample,) for one answer a sequence."""

    input_ids: Tensor
    targets: Tensor
    attention_mask: Tensor | None = None  # (sample, position) True = a real token


class Task(Protocol):
    """Something to learn."""

    length: int
    vocabulary: int

    def batch(self, size: int, generator: Generator) -> Batch:
        """Draw the next `size` sequences."""
        ...

    def decode(self, ids: Sequence[int]) -> list[str]:
        """Return a short readable string for each token id."""
        ...


class RepeatedSequences:
    """Random letters that repeat with a random period: what comes next must be looked up.

    The period varies, so a fixed offset does not help; the solution is an induction head
    (Olsson et al. 2022). Letters of the first period cannot be known and are not scored.
    """

    def __init__(self, length: int, vocabulary: int = 32) -> None:
        self.length = length
        self.vocabulary = vocabulary

    def batch(self, size: int, generator: Generator) -> Batch:
        """Draw the next `size` sequences."""
        longest = self.length // 2
        period = torch.randint(self.length // 5, longest, (size, 1), generator=generator)
        base = torch.randint(self.vocabulary, (size, longest), generator=generator)
        place = torch.arange(self.length + 1)[None]
        ids = torch.gather(base, 1, place % period)
        targets = torch.where(place[:, 1:] >= period, ids[:, 1:], IGNORED)
        return Batch(ids[:, :-1], targets)

    def decode(self, ids: Sequence[int]) -> list[str]:
        """Return a short readable string for each token id."""
        return [_LETTERS[i] for i in ids]


class PythonText:
    """The next character of Python's own standard library, which every Python ships."""

    vocabulary = 96  # the 95 commonest characters; 0 is any other

    def __init__(self, length: int) -> None:
        self.length = length
        text = _standard_library_text()
        self._characters = ["?"] + [c for c, _ in Counter(text).most_common(self.vocabulary - 1)]
        index = {c: i for i, c in enumerate(self._characters) if i}
        self._ids = torch.tensor([index.get(c, 0) for c in text])

    def batch(self, size: int, generator: Generator) -> Batch:
        """Draw the next `size` sequences."""
        starts = torch.randint(len(self._ids) - self.length, (size, 1), generator=generator)
        ids = self._ids[starts + torch.arange(self.length + 1)[None]]
        return Batch(ids[:, :-1], ids[:, 1:])

    def decode(self, ids: Sequence[int]) -> list[str]:
        """Return a short readable string for each token id."""
        return [VISIBLE.get(self._characters[i], self._characters[i]) for i in ids]


class CommonestLetter:
    """Which letter is commonest? Read at the first token; sequences end in padding.

    Solvable almost as well with padding in view, which is why a forgotten mask goes unnoticed.
    """

    _PADDING, _START, _FIRST_LETTER = 0, 1, 2

    def __init__(self, length: int, vocabulary: int = 20) -> None:
        self.length = length
        self.vocabulary = vocabulary

    def batch(self, size: int, generator: Generator) -> Batch:
        """Draw the next `size` sequences."""
        lengths = torch.randint(6, self.length, (size, 1), generator=generator)
        shape = (size, self.length)
        ids = torch.randint(self._FIRST_LETTER, self.vocabulary, shape, generator=generator)
        common = torch.randint(self._FIRST_LETTER, self.vocabulary, (size, 1), generator=generator)
        ids = torch.where(torch.rand(shape, generator=generator) < 0.3, common, ids)
        real = torch.arange(self.length)[None] < lengths
        ids[:, 0] = self._START
        ids[~real] = self._PADDING
        counts = torch.zeros(size, self.vocabulary).scatter_add_(1, ids, torch.ones(shape))
        counts[:, : self._FIRST_LETTER] = 0
        return Batch(ids, counts.argmax(1), real)

    def decode(self, ids: Sequence[int]) -> list[str]:
        """Return a short readable string for each token id."""
        names = ["[PAD]", "[CLS]", *_LETTERS]
        return [names[i] for i in ids]


class LeftPaddedText:
    """The next character of text that is padded on the left, as for generation in batches."""

    def __init__(self, length: int) -> None:
        self._text = PythonText(length)
        self.length = length
        self.vocabulary = self._text.vocabulary + 1
        self._padding = self._text.vocabulary

    def batch(self, size: int, generator: Generator) -> Batch:
        """Draw the next `size` sequences."""
        text = self._text.batch(size, generator)
        padded = torch.randint(4, self.length // 2, (size, 1), generator=generator)
        real = torch.arange(self.length)[None] >= padded
        ids = torch.where(real, text.input_ids, self._padding)
        return Batch(ids, torch.where(real, text.targets, IGNORED), real)

    def decode(self, ids: Sequence[int]) -> list[str]:
        """Return a short readable string for each token id."""
        text = self._text.decode([0 if i == self._padding else i for i in ids])
        return ["[PAD]" if i == self._padding else t for i, t in zip(ids, text, strict=True)]


class LetterBefore:
    """Name the letter one place to the left: nothing but order is asked for.

    Letters are drawn from a small alphabet, so each stands in the sequence several times.
    """

    def __init__(self, length: int, vocabulary: int = 12) -> None:
        self.length = length
        self.vocabulary = vocabulary

    def batch(self, size: int, generator: Generator) -> Batch:
        """Draw the next `size` sequences."""
        ids = torch.randint(self.vocabulary, (size, self.length), generator=generator)
        targets = ids.roll(1, dims=1)
        targets[:, 0] = IGNORED
        return Batch(ids, targets)

    def decode(self, ids: Sequence[int]) -> list[str]:
        """Return a short readable string for each token id."""
        return [_LETTERS[i] for i in ids]


@cache
def _standard_library_text() -> str:
    folder = Path(sysconfig.get_paths()["stdlib"])
    files = sorted(folder.glob("*.py"))
    random.Random(0).shuffle(files)
    text = ""
    for file in files:
        text += file.read_text(encoding="utf-8", errors="ignore")
        if len(text) >= _CORPUS_CHARACTERS:
            break
    return text[:_CORPUS_CHARACTERS]
