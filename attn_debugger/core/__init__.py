"""The nouns every other room speaks: runs, frames, heads, flags and the state of the view.

Standard library and numpy only. Everything here is frozen; arrays handed out are read-only.
"""
