"""The row of plots: one cursor, one stream, wishes for frames, nothing redrawn without need."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from panel_values import HEAD, cut_off, make_history, make_run, show
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from attn_debugger.ui.plots.chooser import PlotChooser
from attn_debugger.ui.plots.items import LineItem
from attn_debugger.ui.plots.trend_plot import TrendPlot
from attn_debugger.ui.plots.trend_plots import TrendPlots
from attn_debugger.ui.theme import LIGHT, Theme


@pytest.fixture
def plots(qtbot: QtBot, theme: Theme) -> Iterator[TrendPlots]:
    made = TrendPlots()
    qtbot.addWidget(made)
    made.set_theme(theme)
    made.resize(1600, 300)  # a value that has no room beside its title is left out
    made.show()
    yield made
    made.close()


def fill(plots: TrendPlots, n_frames: int = 50, **fields: object) -> None:
    plots.show_run(make_run(n_frames, **fields))
    plots.show_history(make_history(n_frames))
    plots.select_head(HEAD)
    plots.move_cursor(0)
    plots.flush()


def plot(plots: TrendPlots, key: str) -> TrendPlot:
    return next(one for one in plots.plots if one.quantity.key == key)


def test_the_values_at_the_cursor_stand_in_the_titles(plots: TrendPlots) -> None:
    fill(plots)
    assert plot(plots, "entropy").read_out() == "3.3 nats"
    assert plot(plots, "peak").read_out() == "0.25"
    assert plot(plots, "score").message() == "scores not recorded"


def test_a_nan_is_called_nan(plots: TrendPlots) -> None:
    history = make_history()
    history.values["entropy"][30:, 4, 7] = np.nan
    history.values["nonfinite"][30:, 4, 7] = 1
    fill(plots)
    plots.show_history(history)
    plots.flush()
    plots.move_cursor(30)
    assert plot(plots, "entropy").read_out() == "NaN"


def test_the_caption_tells_whose_curves_and_how_much_is_known(plots: TrendPlots) -> None:
    assert plots.caption() == "No run is open"
    plots.show_run(make_run())
    plots.show_history(make_history(scanned=31))
    plots.flush()
    assert "All heads" in plots.caption()
    plots.select_head(HEAD)
    assert "L4.H7 against layer 4" in plots.caption()
    assert "scanned 31/50" in plots.caption()


def test_histories_are_drawn_once_for_many(plots: TrendPlots, qtbot: QtBot) -> None:
    fill(plots)
    for scanned in range(40, 50):
        plots.show_history(make_history(scanned=scanned))
    assert "scanned" not in plots.caption()
    qtbot.waitUntil(lambda: "scanned 49/50" in plots.caption(), timeout=2000)


def test_a_click_asks_for_the_nearest_frame(plots: TrendPlots, qtbot: QtBot) -> None:
    fill(plots)
    show(plots, 1300, 190)
    entropy = plot(plots, "entropy")
    view = entropy.box.getViewWidget()
    where = view.mapFromScene(entropy.box.mapViewToScene(entropy.box.viewRect().center()))
    with qtbot.waitSignal(plots.frame_requested) as caught:
        QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(where))
    assert caught.args is not None
    assert abs(caught.args[0] - 24.5) <= 1.0


def test_pointing_at_the_current_frame_asks_for_nothing(plots: TrendPlots, qtbot: QtBot) -> None:
    fill(plots)
    with qtbot.assertNotEmitted(plots.frame_requested):
        plot(plots, "entropy").scrubbed.emit(12.0)
    with qtbot.waitSignal(plots.frame_requested) as caught:
        plot(plots, "entropy").scrubbed.emit(1240.0)
    assert caught.args == [12]


def test_a_brushed_part_is_told_in_frames(plots: TrendPlots, qtbot: QtBot) -> None:
    fill(plots)
    with qtbot.waitSignal(plots.range_brushed) as caught:
        plot(plots, "peak").brushed.emit(980.0, 2040.0)
    assert caught.args == [10, 20]


def test_the_stream_of_the_cursor_decides_which_frames_are_drawn(
    plots: TrendPlots, qtbot: QtBot
) -> None:
    fill(plots, 50, streams=("train", "probe") * 25)
    assert "stream train" in plots.caption()
    plots.move_cursor(1)
    assert "stream probe" in plots.caption()
    with qtbot.waitSignal(plots.frame_requested) as caught:
        plot(plots, "entropy").scrubbed.emit(1000.0)
    assert caught.args is not None
    assert caught.args[0] % 2 == 1


def test_moving_the_cursor_draws_no_curve_again(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    painted: list[int] = []
    paint = LineItem.paint

    def counted(self: LineItem, *args: object) -> None:
        painted.append(1)
        paint(self, *args)  # type: ignore[arg-type]

    monkeypatch.setattr(LineItem, "paint", counted)
    plots = TrendPlots()
    qtbot.addWidget(plots)
    plots.set_theme(LIGHT)
    fill(plots)
    show(plots, 1300, 190)
    assert painted, "the curves are drawn when the plots are first shown"
    painted.clear()
    for frame in range(1, 40):
        plots.move_cursor(frame)
        QApplication.processEvents()
    assert painted == []


def test_all_plots_show_the_same_steps(plots: TrendPlots) -> None:
    fill(plots, 50, scalars={"loss": np.ones(50)})
    show(plots, 1300, 190)
    plot(plots, "entropy").box.setXRange(1000, 2000, padding=0)
    QApplication.processEvents()
    for one in plots.plots:
        (left, right), _ = one.box.viewRange()
        assert left == pytest.approx(1000, abs=60)
        assert right == pytest.approx(2000, abs=60)


def test_the_choice_of_plots_is_kept_for_runs_that_have_them(
    plots: TrendPlots, qtbot: QtBot
) -> None:
    plots.set_shown(("peak", "my_metric"))
    assert [one.quantity.key for one in plots.plots] == ["peak"]
    plots.show_run(make_run(3, scalars={"my_metric": np.ones(3)}))
    assert [one.quantity.key for one in plots.plots] == ["peak", "my_metric"]


@pytest.mark.parametrize("n_frames", [1, 2])
def test_very_short_runs(plots: TrendPlots, n_frames: int) -> None:
    fill(plots, n_frames)
    show(plots, 1300, 190)
    assert plot(plots, "entropy").read_out() == "3.3 nats"


def test_a_single_frame_is_a_visible_dot(plots: TrendPlots) -> None:
    fill(plots, 1)
    show(plots, 1300, 190)
    plot(plots, "entropy")._cursor.setVisible(False)
    image = plot(plots, "entropy").grab().toImage()
    accent = QColor(plots._theme.accent)
    seen = sum(
        image.pixelColor(x, y) == accent
        for x in range(image.width())
        for y in range(image.height())
    )
    assert seen > 4


def test_a_log_axis_is_used_where_values_allow_it(plots: TrendPlots) -> None:
    loss = np.array([100.0, 10.0, 0.0, 0.1] + [1.0] * 46)
    fill(plots, 50, scalars={"loss": loss})
    plots.set_log(True)
    one = plot(plots, "loss")
    assert one.is_log
    low, high = one.box.viewRange()[1]
    assert low == pytest.approx(-1, abs=0.3)
    assert high == pytest.approx(2, abs=0.3)
    assert one.read_out() == "100"
    plots.move_cursor(2)
    assert one.read_out() == "0"
    plots.set_log(False)
    assert one.box.viewRange()[1][1] > 90


def test_negative_values_keep_a_linear_axis(plots: TrendPlots) -> None:
    history = make_history()
    history.values["score_max"][:] = 5.0
    history.values["score_min"][:] = -5.0
    fill(plots)
    plots.show_history(history)
    plots.set_log(True)
    plots.flush()
    assert not plot(plots, "score").is_log
    assert plot(plots, "entropy").is_log


def test_the_band_can_be_the_whole_model(plots: TrendPlots) -> None:
    history = make_history()
    history.values["entropy"][:, 0, :] = 40.0
    fill(plots)
    plots.show_history(history)
    plots.flush()
    assert plot(plots, "entropy").box.viewRange()[1][1] < 10
    plots.compare_with_whole_model(True)
    assert plot(plots, "entropy").box.viewRange()[1][1] > 35
    assert "all heads" in plots.caption()


def test_the_menu_chooses_the_plots(plots: TrendPlots, qtbot: QtBot) -> None:
    chooser = plots.findChild(PlotChooser)
    assert isinstance(chooser, PlotChooser)
    actions = {action.text(): action for action in chooser.menu().actions()}
    with qtbot.waitSignal(plots.shown_changed) as caught:
        actions["Diagonal mass"].trigger()
    assert caught.args == [("entropy", "mean", "peak", "diagonal", "score", "loss")]
    assert plot(plots, "diagonal").isVisibleTo(plots)
    actions = {action.text(): action for action in chooser.menu().actions()}
    actions["Logarithmic values"].trigger()
    fill(plots)
    assert plot(plots, "entropy").is_log


def test_ticks_stay_at_the_lower_edge_while_the_values_grow(plots: TrendPlots) -> None:
    fill(plots)
    show(plots, 1300, 190)
    for scale in (1.0, 7.0, 30.0):
        history = make_history()
        history.values["entropy"][:] *= scale
        history.values["nonfinite"][10:, 4, 7] = 1
        plots.show_history(history)
        plots.flush()
        QApplication.processEvents()
        one = plot(plots, "entropy")
        assert one._ticks.boundingRect().top() == pytest.approx(one.box.viewRange()[1][0])


def test_closing_a_run_empties_the_plots(plots: TrendPlots) -> None:
    fill(plots)
    plots.show_run(None)
    assert {one.message() for one in plots.plots} == {"nothing is open"}
    assert {one.read_out() for one in plots.plots} == {""}


@pytest.mark.parametrize("width", [320, 700, 1366])
def test_plots_wrap_to_the_width_and_nothing_is_cut_off(plots: TrendPlots, width: int) -> None:
    fill(plots)
    show(plots, width, 420)
    assert plots.width() == width
    assert cut_off(plots) == []
    columns = len({one.x() for one in plots.plots})
    assert columns == min(5, max(1, (width - 16) // 210))


def test_the_theme_can_change_at_any_time(plots: TrendPlots) -> None:
    fill(plots)
    plots.set_theme(LIGHT)
    assert plot(plots, "entropy").read_out() == "3.3 nats"
