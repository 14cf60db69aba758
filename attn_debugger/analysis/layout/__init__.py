"""Which keys each query may see: masks, padding, documents and windows brought into one form."""

from attn_debugger.analysis.layout.layout import Layout, LayoutCache, make_layout

__all__ = ["Layout", "LayoutCache", "make_layout"]
