"""A second run beside the first: the bar over the grid, and the panel of what is different."""
