"""Why: every possible cause of a flag, held against the evidence that can confirm or exclude it."""
