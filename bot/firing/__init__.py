"""One firing of the timer from the lock to the last note, and the replay of one; above `compose`."""
