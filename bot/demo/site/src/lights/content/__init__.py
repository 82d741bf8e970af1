"""What the site is about, kept as plain Python."""
