"""A site between its cycles, as the journal tells it: held back, waiting for a person, tried, and how it fares."""
