"""One blueprint a file."""
