"""The version of this release, apart from the package so that any room may name it."""

__version__ = "0.1.0"
