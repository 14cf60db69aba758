"""Pure numpy functions over one frame or over a head's history: no Qt, no h5py, no torch."""
