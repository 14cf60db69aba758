"""Seeing the attention inside a running torch model, without touching its code."""
