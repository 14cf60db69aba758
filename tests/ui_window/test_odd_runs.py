"""Every odd but valid run opens, is walked through with keys, and is never called a defect."""

from __future__ import annotations

import h5py
import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest


def softmax(scores):
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    return (weights / weights.sum(-1, keepdims=True)).astype(np.float32)


def maps(*shape):
    return softmax(np.random.default_rng(1).standard_normal(shape))


def one_frame(file):
    file["steps"] = [700]
    file["layers/0/weights"] = maps(1, 2, 6, 6)


def one_head_one_key(file):
    file["steps"] = [0, 10]
    file["layers/0/weights"] = np.ones((2, 1, 4, 1), np.float32)


def not_square(file):
    file["steps"] = [0, 10, 20]
    file["layers/0/weights"] = maps(3, 2, 5, 9)
    file["layers/0"].attrs["kind"] = "cross"
    file["layers/1/weights"] = maps(3, 4, 5, 5)


def all_nan(file):
    file["steps"] = [0, 10]
    file["layers/0/weights"] = np.full((2, 2, 4, 4), np.nan, np.float32)


def a_gap(file):
    file["steps"] = [0, 10, 20]
    file["layers/0/weights"] = maps(3, 2, 4, 4)
    file["layers/0/present"] = [True, False, True]
    file["layers/1/weights"] = maps(3, 2, 4, 4)
    file["layers/1/present"] = [False, False, False]


def sparse_full_maps(file):
    file["steps"] = np.arange(6) * 10
    file["layers/0/weights"] = maps(2, 2, 4, 4)
    file["layers/0/full_frames"] = [0, 5]


def two_streams_and_samples(file):
    file["steps"] = [0, 0, 100, 100]
    file["stream"] = np.array(["train", "probe"] * 2, dtype=h5py.string_dtype())
    file["time"] = [10.0, 11.0, 3600.0, 3601.0]
    file["layers/0/weights"] = maps(4, 3, 2, 4, 4)
    file["curves/loss"] = [[0, 3.0], [50, np.nan], [100, np.inf]]


def thousand_heads(file):
    file["steps"] = [0, 10]
    for layer in range(32):
        file[f"layers/{layer}/weights"] = maps(2, 32, 4, 4)


def strange_tokens(file):
    file["steps"] = [0, 10]
    file["layers/0/weights"] = maps(2, 2, 4, 4)
    words = ["\x00\n\t", "注意力", "a" * 300, ""]
    file["tokens"] = np.array([w.replace("\x00", "\x01") for w in words], h5py.string_dtype())
    file["layers/0"].attrs["name"] = "module." * 60


RUNS = (
    one_frame,
    one_head_one_key,
    not_square,
    all_nan,
    a_gap,
    sparse_full_maps,
    two_streams_and_samples,
    thousand_heads,
    strange_tokens,
)


@pytest.mark.parametrize("write", RUNS, ids=lambda write: write.__name__)
def test_an_odd_run_is_walked_through(write, open_window, tmp_path):
    path = tmp_path / f"{write.__name__}.h5"
    with h5py.File(path, "w") as file:
        file.attrs["format"], file.attrs["version"] = "attn-debugger", 1
        write(file)
    window = open_window(path)
    keys = (
        [Qt.Key.Key_Right, Qt.Key.Key_Down, Qt.Key.Key_F, Qt.Key.Key_End, Qt.Key.Key_Escape]
        + [Qt.Key.Key_Z] * 3
        + [Qt.Key.Key_BracketRight, Qt.Key.Key_1, Qt.Key.Key_Escape, Qt.Key.Key_V, Qt.Key.Key_V]
        + [Qt.Key.Key_J, Qt.Key.Key_Home, Qt.Key.Key_Space, Qt.Key.Key_Space]
    )
    for key in keys:
        QTest.keyClick(window, key)
        assert window.session.wait_until_idle(20)
    for box in (window.look_bar.range, window.look_bar.number, window.look_bar.scale):
        for index in range(box.count()):
            box.setCurrentIndex(index)
            box.activated.emit(index)
            window.grab()
    for box in (window.views.timeline.controls.strip, window.views.timeline.controls.axis):
        for index in range(box.count()):
            box.setCurrentIndex(index)
            box.activated.emit(index)
            QTest.qWait(1)
            window.grab()
    assert "defect" not in window.notice.text, window.notice.text
    assert window.shows_run


def test_choices_with_one_answer_are_not_shown(open_window, tmp_path):
    path = tmp_path / "run.h5"
    with h5py.File(path, "w") as file:
        file.attrs["format"], file.attrs["version"] = "attn-debugger", 1
        one_frame(file)
    window = open_window(path)
    assert not window.look_bar.stream.isVisible()
    assert not window.look_bar.sample.isVisible()


def test_streams_and_samples_are_chosen_in_the_toolbar(open_window, tmp_path):
    path = tmp_path / "run.h5"
    with h5py.File(path, "w") as file:
        file.attrs["format"], file.attrs["version"] = "attn-debugger", 1
        two_streams_and_samples(file)
    window = open_window(path)
    bar = window.look_bar
    assert bar.stream.isVisible()
    bar.stream.setCurrentIndex(bar.stream.findData("probe"))
    bar.stream.activated.emit(bar.stream.currentIndex())
    assert window.session.frames.tolist() == [1, 3]
    assert window.session.state.frame == 1
    assert window.views.timeline.controls.position.text() == "1/2"
    bar.sample.setCurrentIndex(2)
    bar.sample.activated.emit(2)
    assert window.session.wait_until_idle()
    assert window.session.state.sample == 2
    assert window.views.head_frame.sample == 2
    assert "sample 2" in window.status.text
