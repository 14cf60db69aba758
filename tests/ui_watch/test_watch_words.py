"""What is said of a watch: found or not, how far, and that the unknown stays unknown."""

import numpy as np

from attn_debugger.analysis.watch import parse_watch
from attn_debugger.session.watching import WatchReport
from attn_debugger.ui.watch.words import status_words, watch_name, watched_history, watched_numbers


def report(done: list[bool], value: float = 0.25, n_matched: int = 2) -> WatchReport:
    values = np.full((len(done), 1, 2), np.nan, np.float32)
    values[np.array(done)] = value
    return WatchReport(
        watch=parse_watch("[PAD]"),
        sample=0,
        values=values,
        done=np.array(done),
        matched=dict.fromkeys(np.flatnonzero(done), "[PAD] ×2"),
        n_matched=dict.fromkeys(np.flatnonzero(done), n_matched),
    )


def test_progress_and_stopping_are_told_apart() -> None:
    half = report([True, False])
    assert "1 of 2 steps" in status_words(half, 0, running=True)
    assert "stopped after 1 of 2 steps" in status_words(half, 0, running=False)
    assert status_words(half, 1, running=True) == "1 of 2 steps"  # nothing is known of that frame
    whole = report([True, True])
    assert status_words(whole, 0, running=False) == "keys found: 2  ·  [PAD] ×2"


def test_why_there_are_no_numbers_is_said() -> None:
    absent = report([True, True], value=np.nan, n_matched=0)
    assert "not in this sample" in status_words(absent, 0, running=False)
    unseen = report([True, True], value=np.nan, n_matched=2)
    assert "no query that is asked may see them" in status_words(unseen, 0, running=False)
    assert status_words(None, 0, running=True) == "looking…"


def test_frames_not_looked_at_have_no_numbers() -> None:
    half = report([True, False])
    numbers = watched_numbers(half, 0)
    assert numbers is not None
    assert numbers.tolist() == [[0.25, 0.25]]
    assert watched_numbers(half, 1) is None
    assert watched_numbers(half, 7) is None
    assert watched_numbers(None, 0) is None
    assert watched_history(half).scanned.tolist() == [True, False]


def test_a_named_region_is_called_by_its_name() -> None:
    assert watch_name(parse_watch("page header = #4-9")) == "weight on “page header”"
    assert watch_name(parse_watch("#4-9")) == "weight on “#4-9”"
