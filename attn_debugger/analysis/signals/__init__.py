"""One module a family of signals, each judging one layer of one frame; `detectors` lists them."""
