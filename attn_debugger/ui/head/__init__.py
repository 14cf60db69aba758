"""The head view: one attention map at full resolution, with tokens, values and profiles."""
