"""What a cycle may spend: calls, tokens, money, steps and time."""
