"""What model calls cost."""

from __future__ import annotations

from bot.frozen import frozen


@frozen
class Tokens:
    """Tokens as the Messages API counts them: `input` excludes what the cache read or wrote."""

    input: int = 0
    output: int = 0
    cache_read: int = 0
    cache_write: int = 0

    def __add__(self, other: Tokens) -> Tokens:
        return Tokens(
            self.input + other.input,
            self.output + other.output,
            self.cache_read + other.cache_read,
            self.cache_write + other.cache_write,
        )

    @property
    def total(self) -> int:
        """All tokens, whatever they cost."""
        return self.input + self.output + self.cache_read + self.cache_write


@frozen
class Spent:
    """Model calls, tokens and US dollars; `usd` is None where a price is unknown."""

    calls: int = 0
    tokens: Tokens = Tokens()
    usd: float | None = 0.0
