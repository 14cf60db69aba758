"""Watched tokens: the keys that a text, a span or an expression names, and the weight on them."""

from attn_debugger.analysis.watch.watch import (
    Queries,
    Watch,
    parse_watch,
    watched_keys,
    watched_mass,
)

__all__ = ["Queries", "Watch", "parse_watch", "watched_keys", "watched_mass"]
