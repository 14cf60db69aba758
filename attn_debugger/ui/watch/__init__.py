"""Watching tokens: the row in which they are typed, and what is said of them."""
