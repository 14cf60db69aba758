"""Two runs beside each other: what of them can be compared, and where they part."""
