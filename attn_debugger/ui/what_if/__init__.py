"""The what-if panel: one recorded head with another temperature, scale, mask, or a key less."""
