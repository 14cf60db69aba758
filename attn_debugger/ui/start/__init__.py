"""The start page: open, come back to, or record a run."""
