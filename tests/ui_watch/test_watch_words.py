"""What is said of a watch: found or not, how far, and that the unknown stays unknown."""

import numpy as np

from attn_debugger.analysis.watch import parse_watch
from attn_debugger.session.watching import WatchReport
from attn_debugger.ui.watch.words import status_words, watched_history, watched_numbers


def report(done: list[bool], value: float = 0.25, n_matched: int = 2) -> WatchReport:
    values = np.full((len(done), 1, 2), np.nan, np.float32)
    values[np.array(done)] = value
    return WatchReport(
        watch=parse_watch("[PAD]"),
        sample=0,
        values=values,
        done=np.array(done),
        matched="[PAD] [PAD]",
        n_matched=n_matched,
    )


def test_progress_and_stopping_are_told_apart() -> None:
    half = report([True, False])
    assert "1 of 2 steps" in status_words(half, running=True)
    assert "stopped after 1 of 2 steps" in status_words(half, running=False)
    assert status_words(report([True, True]), running=False) == "keys found: 2  ·  [PAD] [PAD]"


def test_nothing_found_is_said_only_when_all_was_looked_at() -> None:
    nothing = report([True, False], value=np.nan, n_matched=0)
    assert "so far" in status_words(nothing, running=True)
    nothing = report([True, True], value=np.nan, n_matched=0)
    assert "not in this sample" in status_words(nothing, running=False)
    assert status_words(None, running=True) == "looking…"


def test_frames_not_looked_at_have_no_numbers() -> None:
    half = report([True, False])
    numbers = watched_numbers(half, 0)
    assert numbers is not None
    assert numbers.tolist() == [[0.25, 0.25]]
    assert watched_numbers(half, 1) is None
    assert watched_numbers(half, 7) is None
    assert watched_numbers(None, 0) is None
    assert watched_history(half).scanned.tolist() == [True, False]
