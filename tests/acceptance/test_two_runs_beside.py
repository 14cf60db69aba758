"""A second run beside the first, as a user does it: keys, the exact difference, where they part."""

import h5py
import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from attn_debugger.core.heads import HeadRef


def test_a_healthy_run_beside_the_broken_one(run_file, open_window, qtbot):
    bad, ok = run_file("bad"), run_file("ok")
    with h5py.File(bad) as ours, h5py.File(ok) as theirs:
        place = ("layers/9/weights", 20, 3)  # diagonal collapse begins here
        a, b = (file[place[0]][place[1], place[2]].astype(np.float32) for file in (ours, theirs))
    window = open_window(bad, against=str(ok), layer=9, head=3, step=2000)
    qtbot.waitUntil(lambda: window.second_run is not None, timeout=20_000)
    panel, strip = window.comparing.panel, window.views.head.strip
    # A uniform head that only the broken run has differs from the very first step on.
    qtbot.waitUntil(lambda: "part first at step 0" in panel.parting.text(), timeout=30_000)
    assert "most of all in L2.H10" in panel.parting.text()
    assert "50 of 50 steps of A are recorded in B too" in panel.remarks.text()
    qtbot.waitUntil(
        lambda: len(strip.panes) == 3 and "step 2000" in strip.panes[1].title, timeout=10_000
    )
    # --against names the earlier run: what is shown is what changed from it to the open one.
    np.testing.assert_allclose(strip.panes[2].values, a - b, atol=1e-6)
    grid = window.views.grid
    qtbot.waitUntil(lambda: grid._tiles.shown_difference is not None, timeout=10_000)
    change = grid._tiles.difference.change
    changed = {HeadRef(*where) for where in np.argwhere(change > 0.1).tolist()}
    assert changed == {HeadRef(2, 10), *(HeadRef(9, head) for head in range(8))}
    QTest.keyClick(window, Qt.Key.Key_X)
    np.testing.assert_allclose(strip.panes[2].values, b - a, atol=1e-6)
    assert "B − A" in grid.legend.sentence()
    QTest.keyClick(window, Qt.Key.Key_C)
    assert grid._tiles.shown_difference is None
    assert window.views.head.page == "matrix"
    panel.go_button.click()
    assert window.session.step == 0
    assert window.session.state.head == HeadRef(2, 10)
