"""Pure parts of the window: read-out, overlays, titles, settings, keys, palette search."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QComboBox, QLineEdit, QListView, QPlainTextEdit, QPushButton, QSpinBox

from attn_debugger.core.flags import Diagnosis, Flag, Severity
from attn_debugger.core.frame import LayerFrame
from attn_debugger.core.heads import HeadRef
from attn_debugger.core.history import SUMMARY_NAMES, History
from attn_debugger.core.run import LayerFacts, LayerInfo, Run
from attn_debugger.core.view_state import ViewState
from attn_debugger.ui.grid.hover import Hover
from attn_debugger.ui.window.command_palette import fits
from attn_debugger.ui.window.keys import belongs_to_widget
from attn_debugger.ui.window.overlays import (
    command_line,
    findings_of_heads,
    flags_at,
    tile_numbers,
    window_title,
    worst_heads,
)
from attn_debugger.ui.window.readout import cell_words, number, place_words, sentence_case
from attn_debugger.ui.window.settings import RecentRun, Settings

LAYER = LayerInfo(
    index=0,
    facts=LayerFacts(),
    n_samples=2,
    n_heads=3,
    n_queries=2,
    n_keys=2,
    storage="float32",
    maps=frozenset({"weights"}),
    stats=frozenset(),
)
RUN = Run(
    path="/runs/my run.h5",
    version=1,
    steps=np.array([0, 100, 200]),
    streams=("train", "probe", "train"),
    times=None,
    scalars={},
    curves={},
    layers=(LAYER, replace(LAYER, index=1)),
    facts=LayerFacts(),
    attributes={"model": "bert-tiny"},
)


def make_flag(severity: Severity, layer: int, *heads: int, first: int = 0, **other: object) -> Flag:
    flag = Flag(
        signal="x",
        severity=severity,
        layer=layer,
        heads=heads,
        first_step=first * 100,
        last_step=200,
        first_frame=first,
        last_frame=2,
        message="",
    )
    return replace(flag, **other)


def head_frame() -> LayerFrame:
    weights = np.array([[[1.0, 0.0], [0.13742, 0.86258]]], np.float32)
    return LayerFrame(
        frame_index=0,
        step=0,
        stream="train",
        sample=0,
        info=LAYER,
        heads=(1,),
        weights=weights,
        tokens=("Ġpre\nvious", "to"),
    )


def test_the_place_in_words():
    state = ViewState(frame=1, head=HeadRef(1, 2), sample=1)
    words = place_words(RUN, state)
    assert words == "step 100 (frame 2/3)  ·  probe  ·  sample 1  ·  layer 1 head 2"


def test_a_cell_of_the_read_head_is_exact_with_tokens_and_row():
    words = cell_words(Hover(HeadRef(0, 1), 1, 0, 0.14), head_frame())
    assert "query 1 “to” → key 0 “ pre\\nvious”" in words
    assert "weight 0.1374" in words
    assert "row sum 1" in words
    assert "row entropy 0.4003 nats" in words


def test_a_cell_of_another_head_is_marked_as_approximate():
    assert "weight ≈ 0.14" in cell_words(Hover(HeadRef(0, 2), 1, 0, 0.14), head_frame())
    pooled = Hover(HeadRef(0, 2), 1, 0, 0.14, n_cells=4)
    assert "largest of 4 cells ≈ 0.14" in cell_words(pooled, head_frame())


def test_unknown_masked_and_broken_cells_are_never_zero():
    assert "not known" in cell_words(Hover(HeadRef(1, 0), 0, 0, None), None)
    assert "masked on purpose" in cell_words(Hover(HeadRef(1, 0), 0, 1, 0.0, masked=True), None)
    assert "not finite" in cell_words(Hover(HeadRef(1, 0), 0, 0, float("nan")), None)
    broken = replace(head_frame(), weights=np.full((1, 2, 2), np.nan, np.float32))
    words = cell_words(Hover(HeadRef(0, 1), 1, 0, None), broken)
    assert "weight NaN" in words
    assert "row entropy" not in words


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.123456, "0.1235"), (float("nan"), "NaN"), (float("inf"), "+Inf"), (-float("inf"), "-Inf")],
)
def test_numbers(value, text):
    assert number(value) == text


def test_outlines_show_roots_that_hold_now():
    diagnosis = Diagnosis(
        flags=(
            make_flag(Severity.WARNING, 0, 1),
            make_flag(Severity.CRITICAL, 0, 1, first=2),
            make_flag(Severity.CRITICAL, 1, 0, caused_by=1),
            make_flag(Severity.NOTICE, 1),
        )
    )
    assert flags_at(diagnosis, RUN, 0)[HeadRef(0, 1)] == Severity.WARNING
    assert flags_at(diagnosis, RUN, 2)[HeadRef(0, 1)] == Severity.CRITICAL
    layer = {head for head in flags_at(diagnosis, RUN, 0) if head.layer == 1}
    assert layer == {HeadRef(1, 0), HeadRef(1, 1), HeadRef(1, 2)}  # a whole layer's finding


def test_what_was_found_in_each_head_at_any_step():
    diagnosis = Diagnosis(
        flags=(
            make_flag(Severity.WARNING, 0, 1, first=2),
            make_flag(Severity.NOTICE, 0, 1, first=0),
            make_flag(Severity.NOTICE, 1),
        )
    )
    found = findings_of_heads(diagnosis, RUN)
    assert set(found) == {(0, 1), (1, 0), (1, 1), (1, 2)}  # a whole layer's finding is each head's
    assert found[HeadRef(0, 1)] == (diagnosis.flags[0].signal,)  # each signal once


def test_worst_heads_are_the_loudest_then_the_earliest():
    diagnosis = Diagnosis(
        flags=(
            make_flag(Severity.NOTICE, 0, 0),
            make_flag(Severity.WARNING, 0, 2, first=1),
            make_flag(Severity.WARNING, 1, 1, first=0),
            make_flag(Severity.CRITICAL, 1, 2, first=2),
            make_flag(Severity.LABEL, 0, 1),
        )
    )
    assert worst_heads(diagnosis, RUN) == [(1, 2), (1, 1), (0, 2), (0, 0)]


def test_numbers_on_tiles_are_known_or_absent():
    values = {name: np.zeros((3, 2, 3), np.float32) for name in SUMMARY_NAMES}
    history = History(values=values, scanned=np.array([True, False, True]))
    assert tile_numbers(history, "peak", 0).shape == (2, 3)
    assert tile_numbers(history, "peak", 1) is None  # not scanned yet
    assert tile_numbers(history, "", 0) is None
    assert tile_numbers(None, "peak", 0) is None
    assert tile_numbers(history, "peak", 7) is None


def test_the_title_marks_problems():
    assert window_title(None, Diagnosis()) == "Attention Debugger"
    assert window_title(RUN, Diagnosis()) == "my run.h5 – bert-tiny – Attention Debugger"
    loud = Diagnosis(flags=(make_flag(Severity.WARNING, 0, 1),))
    assert window_title(RUN, loud).startswith("(!) my run.h5")
    quiet = Diagnosis(flags=(make_flag(Severity.NOTICE, 0, 1),))
    assert not window_title(RUN, quiet).startswith("(!)")


def test_the_command_line_of_a_view():
    state = ViewState(frame=2, head=HeadRef(1, 2), sample=1, stream="train")
    assert command_line(RUN, state) == (
        "attn-debugger '/runs/my run.h5' --step 200 --layer 1 --head 2 --stream train --sample 1"
    )


def test_recent_runs_are_kept_newest_first_and_at_most_ten(qapp):
    settings = Settings()
    for n in range(12):
        settings.remember(RecentRun(path=f"/{n}.h5", n_frames=n))
    settings.remember(RecentRun(path="/5.h5", n_frames=99, step=7))
    settings.sync()
    again = Settings()
    assert [run.path for run in again.recent][:3] == ["/5.h5", "/11.h5", "/10.h5"]
    assert len(again.recent) == 10
    assert again.find("/5.h5").step == 7
    again.forget("/5.h5")
    assert Settings().find("/5.h5") is None


@pytest.mark.parametrize("damaged", ["not json", '[{"surprise": 1}]', "[3]"])
def test_damaged_settings_count_as_absent(qapp, damaged):
    from PySide6.QtCore import QSettings

    store = QSettings()
    store.setValue("recent", damaged)
    store.setValue("theme", "pink")
    store.sync()
    assert Settings().recent == []
    assert Settings().theme == "auto"


def test_fresh_settings_keep_nothing(qapp):
    fresh = Settings(fresh=True)
    fresh.remember(RecentRun(path="/a.h5"))
    fresh.theme = "dark"
    fresh.sync()
    assert Settings().recent == []
    assert Settings().theme == "auto"


NONE, CTRL, SHIFT = (
    Qt.KeyboardModifier.NoModifier,
    Qt.KeyboardModifier.ControlModifier,
    Qt.KeyboardModifier.ShiftModifier,
)


@pytest.mark.parametrize(
    ("make", "key", "held", "kept"),
    [
        (QLineEdit, Qt.Key.Key_L, NONE, True),
        (QLineEdit, Qt.Key.Key_Left, NONE, True),
        (QLineEdit, Qt.Key.Key_Space, NONE, True),
        (QLineEdit, Qt.Key.Key_Escape, NONE, False),
        (QLineEdit, Qt.Key.Key_F8, NONE, False),
        (QLineEdit, Qt.Key.Key_G, CTRL, False),
        (QSpinBox, Qt.Key.Key_1, NONE, True),
        (QPlainTextEdit, Qt.Key.Key_J, NONE, True),
        (QListView, Qt.Key.Key_Down, NONE, True),
        (QListView, Qt.Key.Key_Return, NONE, True),
        (QListView, Qt.Key.Key_Down, SHIFT, False),
        (QListView, Qt.Key.Key_Right, NONE, False),
        (QListView, Qt.Key.Key_L, NONE, False),
        (QComboBox, Qt.Key.Key_Up, NONE, True),
        (QComboBox, Qt.Key.Key_Z, NONE, False),
        (QPushButton, Qt.Key.Key_Return, NONE, True),
        (QPushButton, Qt.Key.Key_Space, NONE, False),
    ],
)
def test_which_keys_a_focused_widget_keeps(qtbot, make, key, held, kept):
    widget = make()
    qtbot.addWidget(widget)
    event = QKeyEvent(QEvent.Type.ShortcutOverride, key, held)
    assert belongs_to_widget(widget, event) is kept


def test_a_read_only_field_keeps_nothing(qtbot):
    field = QLineEdit()
    field.setReadOnly(True)
    qtbot.addWidget(field)
    assert not belongs_to_widget(field, QKeyEvent(QEvent.Type.ShortcutOverride, Qt.Key.Key_L, NONE))


def test_palette_search_finds_words_in_any_order():
    assert fits("flag next", "Next flag of this head")
    assert fits("", "anything")
    assert not fits("flag xyz", "Next flag of this head")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("step 3 is new", "Step 3 is new"),
        ("run.h5: not found", "run.h5: not found"),
        ("L4H7 is gone", "L4H7 is gone"),
        ("", ""),
    ],
)
def test_sentences_begin_with_a_capital_but_file_names_stay(text, shown):
    assert sentence_case(text) == shown
