"""Takes this machine's secrets out of what is written down, shown or sent: by value, in each spelling that text has."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property, wraps
from urllib.parse import quote, quote_plus

from bot.codec import decode, encode
from bot.model import WITHHELD, Refused, Skipped


class Redaction:
    """Knows secrets by value and never shows one; what is too short to be told from any other text is left alone.

    `secrets` is asked when the first text is looked at; threads that look at once may both ask.
    """

    def __init__(self, secrets: Callable[[], Iterable[str]] = tuple) -> None:
        self._secrets = secrets

    @cached_property
    def _spelt(self) -> list[str]:
        from guards.secrets import SHORTEST  # late: a firing that comes too soon needs no guard

        fit = {secret for secret in self._secrets() if len(secret) >= SHORTEST}
        return sorted({form for secret in fit for form in _forms(secret)}, key=len, reverse=True)

    def text(self, text: str) -> str:
        """The text with a mark in place of each secret."""
        for spelt in self._spelt:
            text = text.replace(spelt, WITHHELD)
        return text

    def content(self, content: bytes) -> bytes:
        """The same for bytes."""
        for spelt in self._spelt:
            content = content.replace(spelt.encode("utf-8", "surrogatepass"), WITHHELD.encode())
        return content

    def value(self, value: object) -> object:
        """The same for a value of `bot.model`, all its texts; one without secrets is returned itself."""
        written = json.loads(encode(value))
        clean = self.plain(written)
        return value if clean == written else decode(type(value).__name__, json.dumps(clean))

    def plain(self, found: object) -> object:
        """The same for what JSON is made of: each text in it by itself, so that it stays what it is."""
        match found:
            case str():
                return self.text(found)
            case list():
                return [self.plain(one) for one in found]
            case dict():
                return {self.text(str(name)): self.plain(one) for name, one in found.items()}
        return found

    def clear(self, error: BaseException) -> None:
        """The same for the words of an exception and of those that it came from."""
        seen: set[int] = set()
        one: BaseException | None = error
        while one is not None and id(one) not in seen:
            seen.add(id(one))
            one.args = tuple(self.text(part) if isinstance(part, str) else part for part in one.args)
            one = one.__cause__ or one.__context__

    def around(self, body: Callable[..., object]) -> Callable[..., object]:
        """A node's body whose answer or complaint holds no secret; why a cycle is to wait is said in our own words."""

        @wraps(body)
        def clean(**arguments: object) -> object:
            try:
                value = body(**arguments)
                waits = isinstance(value, Refused | Skipped) and value.kind == "wait"
                return value if waits else self.value(value)
            except Exception as error:
                self.clear(error)
                raise

        return clean


def _forms(secret: str) -> Iterator[str]:
    """As it is, and as JSON (also inside JSON), an address, a page and Python's own messages write it."""
    import html  # late: where there is no secret, it is not needed

    plain, narrow = (json.dumps(secret, ensure_ascii=ascii_only)[1:-1] for ascii_only in (False, True))
    yield from (secret, plain, narrow, json.dumps(plain)[1:-1], json.dumps(narrow)[1:-1])
    content = secret.encode("utf-8", "surrogateescape")  # a variable may hold any bytes
    yield from (quote(content, safe=""), quote(content), quote_plus(content), html.escape(secret), repr(secret)[1:-1])
