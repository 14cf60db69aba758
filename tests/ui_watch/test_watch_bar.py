"""The row in which watched tokens are typed."""

from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from attn_debugger.ui.watch.watch_bar import WatchBar


def test_enter_says_what_is_wanted_and_from_where(qtbot: QtBot) -> None:
    bar = WatchBar()
    qtbot.addWidget(bar)
    bar.show()
    bar.choose_queries("all")
    bar.field.setText("the page header")
    with qtbot.waitSignal(bar.watch_wanted) as wanted:
        qtbot.keyClick(bar.field, Qt.Key.Key_Return)
    assert wanted.args == ["the page header", "all"]


def test_another_query_asks_anew_but_not_for_nothing(qtbot: QtBot) -> None:
    bar = WatchBar()
    qtbot.addWidget(bar)
    with qtbot.assertNotEmitted(bar.watch_wanted):
        bar.queries.activated.emit(1)
    bar.field.setText("x")
    bar.choose_queries("last")
    with qtbot.waitSignal(bar.watch_wanted) as wanted:
        bar.queries.activated.emit(1)
    assert wanted.args == ["x", "last"]


def test_escape_and_the_cross_end_it(qtbot: QtBot) -> None:
    bar = WatchBar()
    qtbot.addWidget(bar)
    bar.show()
    with qtbot.waitSignal(bar.ended):
        qtbot.keyClick(bar.field, Qt.Key.Key_Escape)
    with qtbot.waitSignal(bar.ended):
        bar.close_button.click()


def test_everything_has_a_name_for_screen_readers(qtbot: QtBot) -> None:
    bar = WatchBar()
    qtbot.addWidget(bar)
    for widget in (bar.field, bar.queries, bar.close_button):
        assert widget.accessibleName()
