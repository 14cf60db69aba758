"""What is followed over the frames: trackers a layer, stream and sample, judged at the end."""
