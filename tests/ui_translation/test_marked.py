"""No text that a user reads is written into the window unmarked."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from marked_texts import ROOT, WITH_CONTEXT, called, literal, sources

# Calls whose texts a user sees or hears.
SHOWING = frozenset(
    """setText setToolTip setWindowTitle setPlaceholderText setAccessibleName setTitle setLabelText
    setAccessibleDescription setStatusTip setWhatsThis setInformativeText setSpecialValueText
    setSuffix setPrefix setTabText setHeaderLabels setHorizontalHeaderLabels setHtml setFormat
    addAction addTab addItem addItems addMenu addRow addButton setLabel
    QLabel QPushButton QToolButton QCheckBox QRadioButton QGroupBox QAction ElidedLabel
    say show_error show_hint show_busy show_place show_cell show_message
    UsageError ModelError ArchiveError AttnDebuggerError RecordError Job Task ThreadTask
    getOpenFileName getOpenFileNames getSaveFileName getExistingDirectory""".split()
)
# Tags, entities, and what is code in every language: names of files and functions.
CODE = re.compile(r"<[^>]*>|&\w+;|\w+://\S+|\w+(?:[.:]\w+)+")
# Said by one process to another, in no language.
NOT_SHOWN = frozenset({"{}: there are no pictures in here", "attn_l{layer}_s{step}.pt"})
# What is said on the terminal, before there is a window, is English.
WINDOW = [path for path in sources() if path.name != "app.py"]


def unmarked_in(path: Path) -> Iterator[str]:
    """Yield `line: text` for every text that is shown as it is written down."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        # `say("...")` of core.words is a mark; `window.say("...")` shows.
        is_mark = isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
        is_mark = is_mark and called(node) == "say"
        if isinstance(node, ast.Call) and called(node) in SHOWING and not is_mark:
            for argument in [*node.args, *(word.value for word in node.keywords)]:
                for text in _texts(argument):
                    if re.search(r"[A-Za-z]{3}", CODE.sub(" ", text)) and text not in NOT_SHOWN:
                        yield f"{path.relative_to(ROOT)}:{node.lineno}: {text!r}"


def _texts(node: ast.expr) -> Iterator[str]:
    """Yield the texts an expression is made of; what another call makes of a text is its own."""
    text = literal(node)
    if text is not None:
        yield text
    elif isinstance(node, ast.JoinedStr):
        yield "".join(literal(part) or "{}" for part in node.values)
    elif isinstance(node, ast.Call):
        # `"{0} failed".format(x)` is a text of its own, `self.tr("{0} failed").format(x)` is not.
        if isinstance(node.func, ast.Attribute) and literal(node.func.value) is not None:
            yield from _texts(node.func.value)
    elif not isinstance(node, ast.List):
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.expr):
                yield from _texts(child)


def test_what_is_shown_is_marked():
    assert not [place for path in WINDOW for place in unmarked_in(path)]


def test_the_search_for_unmarked_texts_finds_them():
    code = """
label.setText("some words")
label.setToolTip(f"<b>{name}</b>: words")
raise UsageError("there is no {0}".format(name))
label.setText(self.tr("marked") + " words")
label.setText(self.tr("marked"))
label.setText(words_of(run, "entropy_of"))
"""
    calls = [node for node in ast.walk(ast.parse(code)) if isinstance(node, ast.Call)]
    shown = [text for call in calls if called(call) in SHOWING for text in _texts(call.args[0])]
    assert sorted(shown) == [" words", "<b>{}</b>: words", "some words", "there is no {0}"]


def test_marks_are_used_as_lupdate_reads_them():
    """`tr` takes one text and no f-string; the others take a context and a text."""
    wrong = []
    for path in sources():
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call):
                continue
            name, texts = called(node), [literal(argument) for argument in node.args]
            is_wrong = (name == "tr" and (len(texts) != 1 or texts[0] is None)) or (
                name in WITH_CONTEXT and any(isinstance(a, ast.JoinedStr) for a in node.args)
            )
            if is_wrong:
                wrong.append(f"{path.relative_to(ROOT)}:{node.lineno}")
    assert not wrong
