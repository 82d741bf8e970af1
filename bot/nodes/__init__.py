"""The eleven nodes of the cycle, one a file."""
