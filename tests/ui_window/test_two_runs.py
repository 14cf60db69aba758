"""A second run beside the first in the window: opened, kept in step, compared, closed."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import h5py
import numpy as np
import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent
from PySide6.QtWidgets import QApplication

from attn_debugger.core.heads import HeadRef
from attn_debugger.ui.compare.chooser import RunChooser
from attn_debugger.ui.window.comparing import Comparing
from attn_debugger.ui.window.dropping import take_files
from attn_debugger.ui.window.main_window import MainWindow

N, HEADS, LAYERS = 8, 3, 2
OpenWindow = Callable[..., MainWindow]


def weights_of(layer: int, frames: int) -> np.ndarray:
    """Causal maps, (frame, head, query, key); a frame has the same ones in every run."""
    noise = np.random.default_rng(layer)
    scores = noise.standard_normal((64, HEADS, N, N))[:frames]
    weights = np.exp(scores + np.triu(np.full((N, N), -np.inf), 1))
    return weights / weights.sum(-1, keepdims=True)


def write(
    path: Path,
    *,
    steps: tuple[int, ...] = (0, 100, 200, 300, 400),
    changed_from: int = 99,
    names: tuple[str, ...] = ("enc.0", "enc.1"),
    n: int = N,
    token: str = "word",
) -> Path:
    """Write a run; from frame `changed_from` on head L1.H2 looks at the first key only."""
    with h5py.File(path, "w") as file:
        file.attrs.update({"format": "attn-debugger", "version": 1, "causal": True})
        file["steps"] = steps
        losses = np.linspace(3, 1, len(steps))
        losses[changed_from:] *= 0.5
        file["scalars/loss"] = losses
        file["tokens"] = np.array([f"{token}{i}" for i in range(n)], h5py.string_dtype())
        for layer, name in enumerate(names):
            weights = weights_of(int(name[-1]), len(steps))[:, :, :n, :n]
            weights /= weights.sum(-1, keepdims=True)
            if name == "enc.1":
                weights[changed_from:, 2] = np.eye(n)[0]
            file[f"layers/{layer}/weights"] = weights.astype(np.float32)
            file[f"layers/{layer}"].attrs["name"] = name
    return path


def compare(window: MainWindow, path: Path, qtbot, *, searched: bool = False) -> Comparing:
    """Open run B and wait until it is examined; `searched` also for where the two part."""
    window.comparing.open(str(path))
    qtbot.waitUntil(lambda: window.second_run is not None, timeout=10_000)
    search = window.comparing.beside.divergence
    if searched:
        qtbot.waitUntil(lambda: not search.is_running, timeout=20_000)
    settle(window, qtbot)
    return window.comparing


def settle(window: MainWindow, qtbot) -> None:
    """Wait until A and B have read and examined everything."""
    assert window.session.wait_until_idle(30)
    beside = window.comparing.beside

    def is_known() -> bool:
        done, total = beside.progress
        return beside.is_open and done == total > 0

    qtbot.waitUntil(is_known, timeout=20_000)
    QApplication.processEvents()
    assert beside._b.wait_until_idle(30)


def test_the_difference_of_two_runs_at_the_same_step(
    open_window: OpenWindow, tmp_path: Path, qtbot
) -> None:
    a, b = write(tmp_path / "a.h5"), write(tmp_path / "b.h5", changed_from=2)
    window = open_window(a, layer=1, head=2)
    comparing = compare(window, b, qtbot, searched=True)
    grid, strip, panel = window.views.grid, window.views.head.strip, comparing.panel
    assert comparing.bar.isVisible()
    assert panel.isVisible()
    assert "part first at step 200" in panel.parting.text()
    assert "L1.H2" in panel.parting.text()
    assert "The loss parts first at step 200" in panel.scalar.text()
    assert window.views.timeline.content.second.parted == 2
    panel.go_button.click()
    settle(window, qtbot)
    assert (window.session.step, window.session.state.head) == (200, HeadRef(1, 2))
    qtbot.waitUntil(lambda: "step 200" in strip.panes[1].title)
    ours, theirs = weights_of(1, 5)[2, 2], np.tile(np.eye(N)[0], (N, 1))
    np.testing.assert_allclose(strip.panes[2].values, theirs - ours, atol=1e-6)
    assert strip.panes[2].title == "B − A"
    assert "B − A" in grid.legend.sentence()
    change = grid._tiles.difference.change
    assert change[1, 2] > 0.3
    assert np.nanmax(np.delete(change.ravel(), 5)) < 0.01
    window.actions_by_name["swap"].trigger()
    np.testing.assert_allclose(strip.panes[2].values, ours - theirs, atol=1e-6)
    assert strip.panes[2].title == "A − B"
    assert "A − B" in grid.legend.sentence()
    assert "From B to A" in panel.findings.text()


def test_c_toggles_what_differs(open_window: OpenWindow, tmp_path: Path, qtbot) -> None:
    window = open_window(write(tmp_path / "a.h5"))
    comparing = compare(window, write(tmp_path / "b.h5", changed_from=1), qtbot)
    assert window.views.head.page == "compare"
    window.actions_by_name["compare"].trigger()
    assert comparing.bar.buttons["a"].isChecked()
    assert window.views.head.page == "matrix"
    window.actions_by_name["pin_step"].trigger()
    assert window.session.state.pinned is None
    assert "compares two runs" in window.status.text
    assert not window.actions_by_name["pin_step"].isChecked()
    assert "A" not in window.views.grid.legend.sentence().split(",")[0]
    window.actions_by_name["compare"].trigger()
    assert comparing.bar.buttons["difference"].isChecked()
    assert window.views.head.page == "compare"


def test_the_grid_shows_run_b_in_as_places(open_window: OpenWindow, tmp_path: Path, qtbot) -> None:
    b = write(tmp_path / "b.h5", changed_from=0, names=("enc.1", "other.7"))
    window = open_window(write(tmp_path / "a.h5"))
    comparing = compare(window, b, qtbot)
    comparing.bar.buttons["b"].click()
    tiles = window.views.grid._tiles
    shown = tiles.shown_frame
    assert shown.known.tolist() == [[False] * HEADS, [True] * HEADS]  # enc.0 is A's alone
    assert shown.codes[1, 2, -1, 0] == 254  # all weight on the first key
    assert "Only A has layers 0." in comparing.panel.remarks.text()
    assert "Only B has layers 1." in comparing.panel.remarks.text()
    window.session.select_head(HeadRef(0, 0))
    settle(window, qtbot)
    strip = window.views.head.strip
    qtbot.waitUntil(lambda: "L0.H0" in strip.panes[0].title)
    assert strip.panes[1]._message == "B has no partner of L0.H0"


def test_different_steps_are_never_compared(open_window: OpenWindow, tmp_path: Path, qtbot) -> None:
    window = open_window(write(tmp_path / "a.h5"))
    comparing = compare(window, write(tmp_path / "b.h5", steps=(0, 90, 300)), qtbot)
    strip = window.views.head.strip
    window.session.go_to_step(100)
    settle(window, qtbot)
    sentence = "step 100 is not recorded in B; the nearest there is 90"
    assert comparing.bar.warning.text() == sentence
    qtbot.waitUntil(lambda: "step 100" in strip.panes[0].title)
    assert strip.panes[1]._message == sentence
    assert strip.panes[2].values.size == 0
    assert window.views.grid._tiles.difference is None
    assert sentence in window.views.grid.legend.sentence()
    window.session.go_to_step(300)
    settle(window, qtbot)
    qtbot.waitUntil(lambda: "step 300" in strip.panes[1].title)
    assert strip.panes[2].values.size == N * N
    assert comparing.bar.warning.text() == ""
    plot = next(p for p in window.sides.plots.plots if p.quantity.key == "loss")
    window.sides.plots.flush()
    assert plot._beside.steps.tolist() == [0, 90, 300]


def test_other_inputs_are_stated(open_window: OpenWindow, tmp_path: Path, qtbot) -> None:
    window = open_window(write(tmp_path / "a.h5"))
    b = write(tmp_path / "b.h5", token="other", changed_from=0)
    comparing = compare(window, b, qtbot, searched=True)
    qtbot.waitUntil(lambda: "different inputs" in comparing.bar.warning.text())
    assert "Steps passed over because the inputs differ: 5" in comparing.panel.parting.text()
    assert not comparing.panel.go_button.isVisible()


def test_maps_of_another_size_stand_side_by_side(
    open_window: OpenWindow, tmp_path: Path, qtbot
) -> None:
    window = open_window(write(tmp_path / "a.h5"))
    comparing = compare(window, write(tmp_path / "b.h5", n=6), qtbot)
    strip = window.views.head.strip
    qtbot.waitUntil(lambda: len(strip.panes) == 3)
    assert strip.panes[1].values.shape == (6, 6)
    assert "cannot be subtracted" in strip.panes[2]._message
    assert "8×8 in A, 6×6 in B" in comparing.panel.remarks.text()
    assert not window.views.grid._tiles.difference.frame.known.any()
    assert "no head has maps of the same size" in window.views.grid.legend.sentence()


def test_findings_lead_to_where_they_began(open_window: OpenWindow, tmp_path: Path, qtbot) -> None:
    steps = tuple(range(0, 2000, 100))
    bad = write(tmp_path / "bad.h5", steps=steps)
    with h5py.File(bad, "r+") as file:
        file["layers/0/weights"][7:, 1, 4] = np.nan
    window = open_window(bad)
    comparing = compare(window, write(tmp_path / "good.h5", steps=steps), qtbot)
    panel = comparing.panel
    qtbot.waitUntil(lambda: "Resolved 1" in panel.findings.text())
    row = next(
        panel.list.model.item(i)
        for i in range(panel.list.model.rowCount())
        if panel.list.model.item(i).text().startswith("Resolved")
    )
    panel.list.view.chosen.emit(row.child(0).index())
    assert window.session.step == 700
    assert window.session.state.head == HeadRef(0, 1)
    window.actions_by_name["swap"].trigger()
    qtbot.waitUntil(lambda: "New 1" in panel.findings.text())


def test_what_cannot_be_run_b_is_said_and_changes_nothing(
    open_window: OpenWindow, tmp_path: Path, qtbot
) -> None:
    a = write(tmp_path / "a.h5")
    window = open_window(a)
    junk = tmp_path / "junk.h5"
    junk.write_text("no HDF5")
    linked = tmp_path / "linked.h5"
    linked.symlink_to(a)
    for path, words in (
        (a, "Cannot compare a.h5 with itself"),
        (linked, "Cannot compare linked.h5 with itself"),
        (junk, "Cannot compare: "),
        (tmp_path / "gone.h5", "Cannot compare: "),
    ):
        window.comparing.open(str(path))
        qtbot.waitUntil(lambda words=words: words in window.notice.text, timeout=10_000)
        assert window.second_run is None
        window.notice.dismiss()
    compare(window, write(tmp_path / "b.h5"), qtbot)
    window.comparing.open(str(junk))
    qtbot.waitUntil(lambda: "Cannot compare: " in window.notice.text, timeout=10_000)
    assert window.second_run is not None  # the one that was open stays


def test_closing_b_brings_everything_back(open_window: OpenWindow, tmp_path: Path, qtbot) -> None:
    window = open_window(write(tmp_path / "a.h5"))
    comparing = compare(window, write(tmp_path / "b.h5"), qtbot)
    assert window.actions_by_name["close_compared"].isEnabled()
    window.actions_by_name["close_compared"].trigger()
    assert window.second_run is None
    assert not comparing.bar.isVisible()
    assert not comparing.dock.isVisible()
    assert window.views.head.page == "matrix"
    assert window.views.timeline.content.second is None
    assert "B" not in window.views.grid.legend.sentence()
    assert not window.actions_by_name["close_compared"].isEnabled()
    window.actions_by_name["compare"].trigger()  # pins a step again
    assert window.views.head.strip.pin_button.isEnabled()
    compare(window, tmp_path / "b.h5", qtbot)
    window.session.close_run()
    assert window.second_run is None


def test_another_run_a_meets_the_same_b(open_window: OpenWindow, tmp_path: Path, qtbot) -> None:
    window = open_window(write(tmp_path / "a.h5"))
    comparing = compare(window, write(tmp_path / "b.h5", steps=(0, 100)), qtbot)
    window.commands.open_path(str(write(tmp_path / "c.h5", steps=(100, 200, 300, 400))))
    qtbot.waitUntil(lambda: window.session.run.path.endswith("c.h5"), timeout=10_000)
    qtbot.waitUntil(lambda: "1 of 4 steps of A" in comparing.panel.remarks.text(), timeout=10_000)
    window.commands.open_path(str(tmp_path / "b.h5"))  # B itself: nothing is left to compare
    qtbot.waitUntil(lambda: window.second_run is None, timeout=10_000)


def test_a_growing_b_has_more_steps(open_window: OpenWindow, tmp_path: Path, qtbot) -> None:
    window = open_window(write(tmp_path / "a.h5"))
    short = write(tmp_path / "short.h5", steps=(0, 100))
    comparing = compare(window, short, qtbot)
    assert "2 of 5 steps of A" in comparing.panel.remarks.text()
    other = write(tmp_path / "other.h5", steps=(0, 100, 200))
    shutil.copyfile(other, short)
    comparing.beside._b.follow(True)
    qtbot.waitUntil(lambda: "3 of 5 steps of A" in comparing.panel.remarks.text(), timeout=10_000)
    window.session.go_to_step(200)
    settle(window, qtbot)
    assert comparing.bar.warning.text() == ""


def test_the_last_runs_are_offered(open_window: OpenWindow, tmp_path: Path, qtbot) -> None:
    a, b = write(tmp_path / "a.h5"), write(tmp_path / "b.h5")
    window = open_window(b)
    window.commands.open_path(str(a))
    qtbot.waitUntil(lambda: window.session.run.path == str(a), timeout=10_000)
    window.actions_by_name["compare_run"].trigger()
    chooser = window.findChild(RunChooser)
    assert [chooser.list.item(i).text().splitlines()[0] for i in range(chooser.list.count())] == [
        str(b)
    ]
    assert not chooser.open_button.isEnabled()
    chooser.list.setCurrentRow(0)
    chooser.open_button.click()
    qtbot.waitUntil(lambda: window.second_run is not None, timeout=10_000)
    assert window.second_run.beside.run.path == str(b)
    window.actions_by_name["copy_command"].trigger()
    assert QApplication.clipboard().text().endswith(f"--against {b}")


@pytest.mark.parametrize("shift", [True, False])
def test_shift_and_drop_compares(
    open_window: OpenWindow, tmp_path: Path, qtbot, shift: bool
) -> None:
    window = open_window(write(tmp_path / "a.h5"))
    b = write(tmp_path / "b.h5")
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(b))])
    keys = Qt.KeyboardModifier.ShiftModifier if shift else Qt.KeyboardModifier.NoModifier
    actions, button = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton
    window.dropEvent(QDropEvent(QPointF(9, 9), actions, data, button, keys))
    if shift:
        qtbot.waitUntil(lambda: window.second_run is not None, timeout=10_000)
        assert window.session.run.path.endswith("a.h5")
    else:
        qtbot.waitUntil(lambda: window.session.run.path.endswith("b.h5"), timeout=10_000)
        assert window.second_run is None


def test_without_a_run_shift_and_drop_opens(open_window: OpenWindow, tmp_path: Path, qtbot) -> None:
    window = open_window()
    take_files(window, [str(write(tmp_path / "a.h5"))], compares=True)
    qtbot.waitUntil(lambda: window.session.run is not None, timeout=10_000)


def test_against_opens_the_earlier_run_beside(
    open_window: OpenWindow, tmp_path: Path, qtbot
) -> None:
    old = write(tmp_path / "old.h5")
    window = open_window(write(tmp_path / "new.h5", changed_from=3), against=str(old))
    qtbot.waitUntil(lambda: window.second_run is not None, timeout=10_000)
    assert window.comparing.beside.swapped
    assert window.comparing.bar.buttons["difference"].text() == "A − B"
    assert "old.h5" in window.comparing.bar.buttons["b"].text()


def test_playing_shows_every_pair(open_window: OpenWindow, tmp_path: Path, qtbot) -> None:
    steps = tuple(range(0, 1200, 100))
    window = open_window(write(tmp_path / "a.h5", steps=steps))
    compare(window, write(tmp_path / "b.h5", steps=steps, changed_from=1), qtbot)
    session, tiles = window.session, window.views.grid._tiles
    pairs: set[int] = set()
    shown: set[int] = set()

    def note(_frame: object) -> None:
        if not tiles.is_waiting and tiles.difference is not None:
            pairs.add(tiles.frame.frame_index)

    # Either run's frame may be the one that was waited for.
    window.comparing.beside.companion.grid_ready.connect(note)
    session.reading.grid_ready.connect(note)
    session.reading.grid_ready.connect(lambda frame: shown.add(frame.frame_index))
    session.set_speed(4.0)
    session.play()
    qtbot.waitUntil(lambda: not session.state.playing, timeout=20_000)
    settle(window, qtbot)
    assert session.state.frame == 11
    # Frames may be passed over on a busy machine, but the difference keeps up with what is shown.
    assert len(pairs) >= 0.5 * len(shown) > 2
