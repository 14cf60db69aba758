"""What if the softmax of one recorded head had been another, and what can be known of that."""

from attn_debugger.analysis.what_if.answer import (
    NO_CHANGE,
    Answer,
    Basis,
    Change,
    basis_of,
    what_if,
    why_not,
)

__all__ = ["NO_CHANGE", "Answer", "Basis", "Change", "basis_of", "what_if", "why_not"]
