"""What is known: keys and rejected ideas, and how they are written into commits and read back."""
