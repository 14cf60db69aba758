"""The model panel: what a checkpoint's weights tell, beside the run they belong to."""
