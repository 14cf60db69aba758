"""Findings in plain words, written as ACCEPTANCE writes them."""

from __future__ import annotations

import pytest
from panel_values import NAN_INDEX, bad_flags, make_flag

from attn_debugger.analysis.texts import SIGNALS
from attn_debugger.core.flags import Severity
from attn_debugger.ui.flags.words import (
    number_ranges,
    one_line,
    place,
    signal_rank,
    signal_title,
    signal_words,
    steps,
)


def test_the_origin_of_the_nan_reads_as_the_user_expects() -> None:
    assert one_line(bad_flags()[NAN_INDEX]) == "NaN L4.H7 3000-4900 (20)"


def test_heads_that_follow_one_another_are_joined() -> None:
    assert one_line(bad_flags()[1]) == "Diagonal collapse L9.H0-7 2000-4900 (30)"


@pytest.mark.parametrize(
    ("numbers", "text"),
    [
        ([], ""),
        ([3], "3"),
        ([3, 4], "3,4"),
        ([5, 3, 4], "3-5"),
        ([0, 1, 2, 9], "0-2,9"),
        ([0, 2, 4, 6, 8], "0,2,4,6,..."),
    ],
)
def test_ranges_of_numbers(numbers: list[int], text: str) -> None:
    assert number_ranges(numbers) == text


def test_what_concerns_the_whole_run_or_layer_says_so() -> None:
    assert place(make_flag("loss_anomaly", Severity.LABEL, None, heads=())) == "whole run"
    assert place(make_flag("entropy_collapse", Severity.NOTICE, 3, heads=())) == "L3"


def test_a_finding_at_one_step_or_none_has_no_range() -> None:
    single = make_flag("nan_weights", Severity.CRITICAL, 0, first_step=70, last_step=70, n_frames=1)
    assert steps(single) == "70"
    timeless = make_flag("shape_mismatch", Severity.CRITICAL, 0, first_step=None, last_step=None)
    assert steps(timeless) == ""


@pytest.mark.parametrize("signal", sorted(SIGNALS))
def test_every_signal_has_words_of_its_own(signal: str) -> None:
    assert signal_rank(signal) < signal_rank("a_signal_that_nobody_knows")
    assert "_" not in signal_words(signal)
    assert len(signal_words(signal)) <= 28, "must fit a narrow dock beside the head"


def test_no_two_signals_share_their_words() -> None:
    words = [signal_words(signal) for signal in SIGNALS]
    assert len(words) == len(set(words))


def test_a_signal_of_a_later_version_is_still_readable() -> None:
    assert signal_words("brand_new_signal") == "brand new signal"
    assert signal_title("brand_new_signal") == "Brand new signal"
    assert signal_title("nan_weights") == "NaN"
