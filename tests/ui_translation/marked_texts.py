"""The texts of the window that are marked for translation, read from the source itself.

What lupdate finds is checked against this: it reads C++ first and Python second.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "attn_debugger"
# Functions that take (context, text); `tr` takes a text, its context is the class.
WITH_CONTEXT = frozenset({"translate", "marked", "_N", "QT_TRANSLATE_NOOP"})


@dataclass(frozen=True, slots=True)
class Marked:
    """A text and the context it is looked up in."""

    context: str
    text: str


def sources() -> list[Path]:
    """Return the modules whose texts a user of the window reads."""
    return [
        *sorted((PACKAGE / "ui").rglob("*.py")),
        *sorted((PACKAGE / "session").rglob("*.py")),
        PACKAGE / "app.py",
    ]


def called(call: ast.Call) -> str:
    """Return the last name of what is called: `tr` of `self.tr(...)`."""
    if isinstance(call.func, ast.Attribute):
        return call.func.attr
    return call.func.id if isinstance(call.func, ast.Name) else ""


def literal(node: ast.expr) -> str | None:
    """Return a text that is written down, None for anything else."""
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def marked_in(path: Path) -> Iterator[Marked]:
    """Yield every marked text of a module."""
    yield from _marked(ast.parse(path.read_text(encoding="utf-8")), "")


def marked_texts() -> set[Marked]:
    """Return every marked text of the window."""
    return {text for path in sources() for text in marked_in(path)}


def _marked(node: ast.AST, class_name: str) -> Iterator[Marked]:
    if isinstance(node, ast.ClassDef):
        class_name = node.name
    if isinstance(node, ast.Call):
        name, texts = called(node), [literal(argument) for argument in node.args]
        if name == "tr" and len(texts) >= 1 and texts[0] is not None:
            yield Marked(class_name, texts[0])
        elif name in WITH_CONTEXT and len(texts) >= 2 and None not in texts[:2]:
            yield Marked(str(texts[0]), str(texts[1]))
    for child in ast.iter_child_nodes(node):
        yield from _marked(child, class_name)
