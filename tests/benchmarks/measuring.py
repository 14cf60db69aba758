"""Comparing contenders in one process, so that a busy machine slows all of them alike."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from pytest_benchmark.fixture import BenchmarkFixture

Clock = Callable[[], float]  # seconds

TABLE: list[str] = []  # every row that was held against its reach, for the end of the session


def medians(
    benchmark: BenchmarkFixture,
    contenders: Mapping[str, Callable[[], object]],
    *,
    rounds: int,
    clock: Clock = time.perf_counter,
    prepare: Callable[[str], object] | None = None,
    warm: bool = True,
) -> dict[str, float]:
    """Return the median milliseconds of each contender; the first is the benchmark's own.

    Rounds are interleaved; before each turn come, untimed, `prepare` and if `warm` the contender
    itself. With benchmarks disabled there is one round, which proves that all run.
    """
    names = list(contenders)
    times: dict[str, list[float]] = {name: [] for name in names}

    def ready(name: str) -> None:
        if prepare is not None:
            prepare(name)
        if warm and benchmark.enabled:
            contenders[name]()  # fill caches

    def timed(name: str) -> None:
        start = clock()
        contenders[name]()
        times[name].append(1000 * (clock() - start))

    def others() -> None:
        for name in names[1:]:
            ready(name)
            timed(name)
        ready(names[0])

    benchmark.pedantic(timed, args=(names[0],), setup=others, rounds=rounds)
    return {name: statistics.median(values) for name, values in times.items()}


def percentile(values: Sequence[float], share: float) -> float:
    return float(np.percentile(values, share)) if len(values) else float("nan")


@dataclass
class Reach:
    """Holds measured values against what issue and design promise.

    Values are printed always and judged only when benchmarks are enabled: a run of the whole test
    suite on a busy machine proves nothing about speed.
    """

    benchmark: BenchmarkFixture
    rows: list[str] = field(default_factory=list)

    @property
    def judges(self) -> bool:
        return bool(self.benchmark.enabled)

    def at_most(
        self, what: str, value: float, limit: float, unit: str = "x", note: str = ""
    ) -> None:
        self._say(what, value, f"at most {limit:g}", unit, note, value <= limit)

    def at_least(
        self, what: str, value: float, limit: float, unit: str = "x", note: str = ""
    ) -> None:
        self._say(what, value, f"at least {limit:g}", unit, note, value >= limit)

    def tell(self, what: str, value: float, unit: str = "ms", note: str = "") -> None:
        """Print a value that nothing was promised of."""
        self._say(what, value, "", unit, note, True)

    def _say(
        self, what: str, value: float, limit: str, unit: str, note: str, is_within: bool
    ) -> None:
        verdict = f"  ({limit}{'' if is_within else ': MISSED'})" if limit else ""
        row = f"{what}: {value:.3g} {unit}{verdict}{'  ' + note if note else ''}"
        self.benchmark.extra_info[what] = value
        print(f"\n{row}", end="")
        if self.judges:
            TABLE.append(row)
            if not is_within:
                self.rows.append(row)
