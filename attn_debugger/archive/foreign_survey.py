"""What a foreign HDF5 file offers: how it would be imported, or else what there is to choose."""

from __future__ import annotations

import os
from dataclasses import asdict, dataclass

from attn_debugger.archive.foreign import candidate_of, dataset_paths, known_steps, understand
from attn_debugger.archive.foreign_layout import guess_source
from attn_debugger.archive.opening import open_hdf5
from attn_debugger.archive.store import Store
from attn_debugger.errors import ArchiveError

_MOST_CANDIDATES = 40


@dataclass(frozen=True, slots=True)
class Offer:
    """A dataset that may hold attention. `axes` is the guess, empty where it must be asked."""

    path: str
    shape: tuple[int, ...]
    axes: str


@dataclass(frozen=True, slots=True)
class Survey:
    """`problem` says why the file as a whole is not understood, empty when it is.

    `axes` are then those of its datasets, and `sentences` say how it is read.
    """

    offers: tuple[Offer, ...]
    sentences: tuple[str, ...] = ()
    axes: str = ""
    problem: str = ""

    def to_json(self) -> dict[str, object]:
        """As plain values."""
        return asdict(self)


def survey(path: str | os.PathLike[str]) -> Survey:
    """Look into a foreign file. Raises `ArchiveError` when it is no HDF5 file."""
    name = os.fspath(path)
    opened = open_hdf5(name)
    try:
        store = Store(opened.file, name)
        offers = _offers(store)
        try:
            run = understand(store)
        except ArchiveError as error:
            return Survey(offers, problem=str(error))
        return Survey(offers, run.sentences, " ".join(run.sources[0].axes))
    finally:
        opened.file.close()


def _offers(store: Store) -> tuple[Offer, ...]:
    """The datasets whose rows sum to 1, those with the most axes first."""
    paths = list(dataset_paths(store, ""))
    found = [c for path in paths if (c := candidate_of(store, path, given=None)) is not None]
    found.sort(key=lambda candidate: -len(candidate.shape))
    steps = known_steps(store, paths)
    n_steps = None if steps is None else len(steps)
    siblings = [candidate.path for candidate in found]
    offers = []
    for candidate in found[:_MOST_CANDIDATES]:
        try:
            source = guess_source(candidate, siblings, n_steps, None)
            axes = " ".join(source.axes)
        except ArchiveError:
            axes = ""
        offers.append(Offer(candidate.path, candidate.shape, axes))
    return tuple(offers)
