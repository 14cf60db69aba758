"""Captures the attention of any torch model inside its own training loop, without harming it."""
