"""Pure numpy functions over one frame or over a head's history: no Qt, no h5py, no torch.

The way of a frame: layout -> measures -> signals -> histories -> flags -> causes -> diagnosis;
`examination` walks it. `texts` says what each signal means; `watch` and `what_if` answer questions
about one head.
"""
