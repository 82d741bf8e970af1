"""From a tree to plain files and back: the agent's folder, exports for checks, and what may become a snapshot."""
