"""Every signal has its words, every cause its test, and the help page is made of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from attn_debugger.analysis.causes.rulings import evidence_kinds
from attn_debugger.analysis.signals.detectors import all_signals
from attn_debugger.analysis.texts import FAMILIES, SIGNALS
from attn_debugger.analysis.texts.page import signals_page

PAGE = Path(__file__).parents[2] / "resources" / "help" / "signals.md"


def test_every_signal_is_explained_and_nothing_else() -> None:
    assert set(SIGNALS) == set(all_signals())
    assert [n for names in FAMILIES.values() for n in names] == list(SIGNALS)


@pytest.mark.parametrize("name", SIGNALS)
def test_a_signal_says_all_it_must(name: str) -> None:
    text = SIGNALS[name]

    assert text.title
    assert text.looks
    assert text.means
    assert text.confirm
    assert text.causes
    assert text.remedies
    assert text.limits
    assert text.source


def test_every_kind_of_evidence_has_a_test() -> None:
    asked = {cause.evidence for text in SIGNALS.values() for cause in text.causes} - {""}

    assert asked <= set(evidence_kinds())
    assert set(evidence_kinds()) <= asked, "a test no cause asks for"


def test_the_help_page_is_what_the_words_give() -> None:
    assert PAGE.read_text(encoding="utf-8") == signals_page(), (
        'run: python -c "from attn_debugger.analysis.texts.page import signals_page as p; '
        "open('resources/help/signals.md', 'w').write(p())\""
    )
