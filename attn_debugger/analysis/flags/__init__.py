"""From findings of single frames to flags in the making: onset, blame, corroboration, folding."""
