"""The head grid: every head of a frame as one mosaic, with its labels, outlines and legend."""
