"""Every text below the window that can be translated, collected from the source.

`python tests/translations/analysis_templates.py` brings `analysis_zh_CN.ts` up to date: new
templates come in unfinished, vanished ones go; with `--compile` it makes the .qm too.
"""

from __future__ import annotations

import ast
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from pathlib import Path
from xml.sax.saxutils import escape

from attn_debugger.core.words import ITEMS

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "attn_debugger"
CATALOG = ROOT / "resources" / "translations" / "analysis_zh_CN.ts"
CONTEXT = "Analysis"

_HOME = "attn_debugger.core.words"
_MAKERS = ("say", "join")
_TEXT_FIELDS = {
    "SignalText": ("title", "looks", "means", "confirm", "remedies", "limits", "source"),
    "CauseText": ("text", "otherwise"),
    "Demo": ("title", "line"),
}
_CAUSE_ORDER = ("text", "evidence", "otherwise")


def templates() -> dict[str, list[str]]:
    """Return template -> the places (`file:line`) where it is written, in order of the source."""
    found: dict[str, list[str]] = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        name = path.relative_to(ROOT).as_posix()
        for text, line in _of(tree):
            if text:
                found.setdefault(text, []).append(f"{name}:{line}")
    found.setdefault(ITEMS, []).append("attn_debugger/core/words.py")
    return found


def not_literal() -> list[str]:
    """Return the places where `say` or `join` is given something else than a literal."""
    places = []
    for path in sorted(PACKAGE.rglob("*.py")):
        for call in _messages(ast.parse(path.read_text(encoding="utf-8"))):
            if not call.args or _literal(call.args[0]) is None:
                places.append(f"{path.relative_to(ROOT)}:{call.lineno}")
    return places


def _of(tree: ast.Module) -> Iterator[tuple[str, int]]:
    for call in _messages(tree):
        text = _literal(call.args[0]) if call.args else None
        if text is not None:
            yield text, call.lineno
    for node in ast.walk(tree):
        name = (
            node.func.id if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) else ""
        )
        if isinstance(node, ast.Call) and name in _TEXT_FIELDS:
            yield from _of_text(node, _TEXT_FIELDS[name])


def _of_text(call: ast.Call, fields: tuple[str, ...]) -> Iterator[tuple[str, int]]:
    """The sentences of a `SignalText` or `CauseText`."""
    given: dict[str, ast.expr] = dict(zip(_CAUSE_ORDER, call.args, strict=False))
    given |= {word.arg: word.value for word in call.keywords if word.arg}
    for field in fields:
        node = given.get(field)
        for item in node.elts if isinstance(node, ast.Tuple) else [node]:
            text = _literal(item)
            if text is not None and item is not None:
                yield text, item.lineno


def _messages(tree: ast.Module) -> Iterator[ast.Call]:
    """Calls of `say` and `join` as imported from `core.words`, or as `words.say`."""
    names = {
        alias.asname or alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module == _HOME
        for alias in node.names
        if alias.name in _MAKERS
    }
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        called = node.func
        if (isinstance(called, ast.Name) and called.id in names) or (
            isinstance(called, ast.Attribute)
            and called.attr in _MAKERS
            and isinstance(called.value, ast.Name)
            and called.value.id == "words"
        ):
            yield node


def _literal(node: ast.AST | None) -> str | None:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    return None


def catalog(path: Path = CATALOG) -> dict[str, str]:
    """Return template -> finished translation of a .ts file."""
    known: dict[str, str] = {}
    if not path.exists():
        return known
    for message in ElementTree.parse(path).getroot().iter("message"):
        source, translation = message.find("source"), message.find("translation")
        if source is None or translation is None or translation.get("type") is not None:
            continue
        known[source.text or ""] = translation.text or ""
    return known


def write(known: dict[str, str], path: Path = CATALOG) -> int:
    """Write the .ts of all templates; return how many have no translation yet."""
    missing = 0
    lines = [
        '<?xml version="1.0" encoding="utf-8"?>',
        "<!DOCTYPE TS>",
        '<TS version="2.1" language="zh_CN" sourcelanguage="en">',
        "<context>",
        f"    <name>{CONTEXT}</name>",
    ]
    for template in templates():
        text = known.get(template, "")
        unfinished = "" if template in known else ' type="unfinished"'
        missing += template not in known
        lines += [
            "    <message>",
            f"        <source>{escape(template)}</source>",
            f"        <translation{unfinished}>{escape(text)}</translation>",
            "    </message>",
        ]
    lines += ["</context>", "</TS>", ""]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(lines), encoding="utf-8")
    return missing


def compile_catalog(path: Path = CATALOG) -> None:
    """Make the .qm the window loads."""
    command = [str(Path(sys.executable).parent / "pyside6-lrelease"), "-silent", str(path)]
    subprocess.run([*command, "-qm", str(path.with_suffix(".qm"))], check=True)


if __name__ == "__main__":
    print(write(catalog()), "templates have no translation")
    if "--compile" in sys.argv:
        compile_catalog()
