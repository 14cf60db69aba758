"""Checkpoints read safely, and what their weights tell about each head."""
