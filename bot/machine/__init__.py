"""The gateways to the machine, one for each side effect, and how what we leave on it is cleared away."""
