"""The tree of flags obeys Qt's rules for models, whatever the flags claim about one another."""

from __future__ import annotations

from dataclasses import replace

import pytest
from panel_values import bad_flags, make_flag
from PySide6.QtCore import QModelIndex
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QApplication

from attn_debugger.core.flags import EMPTY_DIAGNOSIS, Diagnosis, Severity
from attn_debugger.ui.flags.model import FLAG_INDEX_ROLE, FOLLOWERS_ROLE, FlagModel
from attn_debugger.ui.flags.rows import FlagFilter, rows

CIRCLE = (
    make_flag("a", Severity.WARNING, 0, caused_by=1),
    make_flag("b", Severity.WARNING, 1, caused_by=0),
    make_flag("c", Severity.WARNING, 2, caused_by=99),
)


@pytest.mark.parametrize("flags", [(), bad_flags(), CIRCLE], ids=["none", "bad", "circle"])
def test_the_model_is_consistent(qapp: QApplication, flags: tuple) -> None:
    model = FlagModel()
    # Its complaints are Qt warnings, and a Qt warning fails the test.
    tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Warning)
    diagnosis = Diagnosis(flags=flags)
    wanted = FlagFilter(severities=frozenset(Severity))
    for shown in (diagnosis, EMPTY_DIAGNOSIS, diagnosis, replace(diagnosis, flags=flags[:2])):
        model.show_rows(shown, rows(shown, wanted), frozenset())
        for index in range(len(shown.flags)):
            place = model.index_of(index)
            assert place.isValid()
            assert place.data(FLAG_INDEX_ROLE) == index
    assert tester.model() is model


def test_only_roots_have_rows_below(qapp: QApplication) -> None:
    diagnosis = Diagnosis(flags=bad_flags())
    model = FlagModel()
    model.show_rows(diagnosis, rows(diagnosis, FlagFilter()), frozenset())
    root = model.index(2, 0)
    assert root.data(FOLLOWERS_ROLE) == 7
    child = model.index(0, 0, root)
    assert child.parent() == root
    assert model.rowCount(child) == 0
    assert not model.index(7, 0, root).isValid()
    assert not model.index(0, 1).isValid()
    assert model.flag_index(QModelIndex()) is None
    assert not model.index_of(2).isValid()
