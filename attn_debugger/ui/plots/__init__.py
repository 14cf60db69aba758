"""Curves over the steps of a run: a head against its layer, and the training's own scalars."""
