"""The Chinese catalog of the window: brought up to date here, checked by the tests beside.

    python tests/ui_translation/catalog.py

takes new texts from the source into the .ts (translate them there, or with Qt Linguist), drops
those that are gone, and makes the .qm of what is translated. The terms to use stand in
resources/translations/GLOSSARY.md.
"""

from __future__ import annotations

import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import PySide6
from marked_texts import ROOT, Marked, sources

TS = ROOT / "resources/translations/attn_debugger_zh_CN.ts"
QM = TS.with_suffix(".qm")
_TOOLS = Path(PySide6.__file__).parent
# Our own marks, said to lupdate as what they are like.
_ALIASES = "QT_TRANSLATE_NOOP+=_N,QT_TRANSLATE_NOOP+=marked"


def update(ts: Path) -> str:
    """Bring a .ts up to date with the source; return what lupdate said."""
    languages = ["-source-language", "en", "-target-language", "zh_CN"]
    style = ["-locations", "none", "-no-obsolete", "-no-ui-lines"]
    files = [str(path.relative_to(ROOT)) for path in sources()]
    return _run(
        "lupdate", *files, *languages, *style, "-tr-function-alias", _ALIASES, "-ts", str(ts)
    )


def release(ts: Path, qm: Path) -> str:
    """Make the .qm of a .ts; return what lrelease said."""
    return _run("lrelease", str(ts), "-qm", str(qm))


def translations(ts: Path) -> dict[Marked, str]:
    """Return every text of a .ts and its translation, empty where it is unfinished."""
    found = {}
    for context in ET.parse(ts).getroot().iter("context"):
        for message in context.iter("message"):
            text = message.findtext("source") or ""
            translation = message.find("translation")
            assert translation is not None, text
            finished = translation.get("type") is None
            key = Marked(context.findtext("name") or "", text)
            found[key] = (translation.text or "") if finished else ""
    return found


def _run(tool: str, *arguments: str) -> str:
    run = subprocess.run(
        [str(_TOOLS / tool), *arguments],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    said = run.stdout + run.stderr
    assert run.returncode == 0, said
    return said


if __name__ == "__main__":
    sys.stdout.write(update(TS) + release(TS, QM))
