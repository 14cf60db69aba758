"""The flags panel: what is wrong, where it began, why, and what to do."""
