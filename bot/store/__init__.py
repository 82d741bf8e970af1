"""The repository of our own, and everything that speaks git: fetched, read, written, committed, pushed."""
