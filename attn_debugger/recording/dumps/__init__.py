"""Attention that was dumped by hand (`.pt`, `.npy`, `.npz`), made into an archive."""

from attn_debugger.recording.dumps.importing import import_dumps as import_dumps
