"""Plusone: one verified addition per cycle, or nothing."""

__version__ = "0.1.0"
