"""The film: one head at the steps around the current one."""

from head_fakes import make_layer_frame, softmax_map
from pytestqt.qtbot import QtBot

from attn_debugger.ui.head.head_view import HeadView


def test_the_film_is_asked_for_shown_and_left(qtbot: QtBot) -> None:
    view = HeadView()
    qtbot.addWidget(view)
    view.resize(900, 700)
    view.show()
    frames = [make_layer_frame(softmax_map(6, 6, seed=n), frame_index=n) for n in range(4)]
    view.show_head(frames[1])
    with qtbot.waitSignal(view.film_wanted) as wanted:
        view.header.film_button.click()
    assert wanted.args == [True]
    assert view.film.isVisible()
    view.show_film(frames, 1)
    titles = [pane.title for pane in view.film.panes]
    assert titles == ["step 0", "▸ step 100", "step 200", "step 300"]
    with qtbot.waitSignal(view.frame_wanted) as chosen:
        view.film.panes[3].activated.emit()
    assert chosen.args == [3]
    with qtbot.waitSignal(view.cell_selected) as cell:
        view.film.panes[0].cell_clicked.emit(2, 1)
    assert cell.args == [2, 1]
    with qtbot.waitSignal(view.film_wanted) as wanted:
        view.header.lines_button.click()
    assert wanted.args == [False]
    assert view.links.isVisible()
    assert not view.header.film_button.isChecked()


def test_comparing_ends_the_film(qtbot: QtBot) -> None:
    view = HeadView()
    qtbot.addWidget(view)
    view.show()
    view.show_head(make_layer_frame(softmax_map(6, 6)))
    view.header.film_button.click()
    with qtbot.waitSignal(view.film_wanted) as wanted:
        view.header.compare_button.click()
    assert wanted.args == [False]
    assert view.strip.is_comparing
    view.header.film_button.click()
    assert not view.strip.is_comparing
    assert view.page == "film"
