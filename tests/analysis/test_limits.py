"""The table of thresholds: whole, in the file format of `check`, and said where one was changed."""

from __future__ import annotations

from dataclasses import fields, replace
from pathlib import Path

from builders import diagnose, layer_frame, random_scores, softmax

from attn_debugger.analysis.limits import (
    LIMITS,
    as_toml,
    changed_for,
    changed_limits,
    known_thresholds,
)
from attn_debugger.analysis.signals.detectors import all_signals
from attn_debugger.analysis.thresholds import Thresholds
from attn_debugger.core.flags import ChangedLimit


def test_every_threshold_stands_in_the_table_once_with_signals_that_exist() -> None:
    assert sorted(limit.name for limit in LIMITS) == sorted(f.name for f in fields(Thresholds))
    named = {signal for limit in LIMITS for signal in limit.signals}
    assert named <= set(all_signals())


def test_what_is_saved_is_read_back(tmp_path: Path) -> None:
    own = replace(Thresholds(), score_notice=31.5, min_rows=6, negative_weight=2e-7)
    path = tmp_path / "own.toml"
    path.write_text(as_toml(own), encoding="utf-8")

    assert Thresholds.from_toml(path) == own
    path.write_text(as_toml(Thresholds()), encoding="utf-8")
    assert Thresholds.from_toml(path) == Thresholds()


def test_only_what_decides_on_a_signal_is_said_of_it() -> None:
    changed = changed_limits(replace(Thresholds(), score_notice=31.0, sink=0.5, min_rows=2))

    assert [limit.name for limit in changed] == ["min_rows", "score_notice", "sink"]
    assert [limit.name for limit in changed_for("sink", changed)] == ["min_rows", "sink"]


def test_a_flag_tells_the_limit_that_was_changed() -> None:
    scores = random_scores(1, 4, 24)
    scores[:, :, 5] += 2.0
    frame = layer_frame(softmax(scores))

    diagnosis = diagnose([frame], replace(Thresholds(), sink=0.2))

    limit = ChangedLimit("sink", 0.2, 0.3)
    assert diagnosis.changed_limits == (limit,)
    assert {flag.changed_limits for flag in diagnosis.flags if flag.signal == "sink"} == {(limit,)}
    assert str(limit) == "sink = 0.2 (0.3)"


def test_what_another_version_kept_is_left_out() -> None:
    kept = known_thresholds({"sink": 0.4, "no_such_limit": 1.0, "band": -1.0})

    assert kept == replace(Thresholds(), sink=0.4)
