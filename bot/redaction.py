"""Takes this machine's secrets out of what is written down, shown or sent: by value, in each spelling that text has."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import cached_property, wraps
from urllib.parse import quote, quote_plus

from bot.codec import decode, encode
from bot.model import WITHHELD, Refused, Skipped

# Where Python's own exceptions keep words beside their arguments, and their dictionary does not show it.
_WORDS = ("filename", "filename2", "strerror", "object", "reason", "text", "msg", "name", "path", "value")


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

    def clear(self, error: BaseException) -> BaseException:
        """The same for all that an exception says, its notes and those that it came from: the exception itself.

        One that keeps its words out of reach is left as it is where it caused another, which forgets it; in place of
        `error` itself there is then another one, that names its type.
        """
        seen: set[int] = set()
        waiting = [error]
        while waiting:
            one = waiting.pop()
            if id(one) in seen:
                continue
            seen.add(id(one))
            self._clear(one)
            for name in ("__cause__", "__context__"):
                below = getattr(one, name)
                if below is not None and not self._cleared(below):
                    setattr(one, name, None)
            waiting += (below for below in (one.__cause__, one.__context__) if below is not None)
            waiting += one.exceptions if isinstance(one, BaseExceptionGroup) else ()
        return error if self._cleared(error) else RuntimeError(self.text(f"{type(error).__name__}: {error}"))

    def _cleared(self, error: BaseException) -> bool:
        """Whether nothing is left in what it says, once all of it that can be changed was."""
        self._clear(error)
        with suppress(Exception):  # what cannot say anything says no secret
            said = str(error)
            return self.text(said) == said
        return True

    def _clear(self, error: BaseException) -> None:
        for name in ("args", "__notes__", *_WORDS, *vars(error)):
            with suppress(Exception):  # it may not be read or changed; then what it says is looked at
                found = getattr(error, name, None)
                if (clean := self._part(found)) != found:
                    setattr(error, name, clean)

    def _part(self, found: object) -> object:
        """A text, bytes, or what holds them; all else as it is."""
        match found:
            case bytes():
                return self.content(found)
            case tuple() if type(found) is tuple:
                return tuple(map(self._part, found))
            case list():
                return list(map(self._part, found))
            case dict():
                return {self._part(name): self._part(one) for name, one in found.items()}
        return self.text(found) if isinstance(found, str) else found

    def around(self, body: Callable[..., object]) -> Callable[..., object]:
        """A node's body whose answer or complaint holds no secret; why a cycle is to wait is said in our own words."""

        @wraps(body)
        def clean(**arguments: object) -> object:
            try:
                value = body(**arguments)
                waits = isinstance(value, Refused | Skipped) and value.kind == "wait"
                return value if waits else self.value(value)
            except Exception as error:
                if (safe := self.clear(error)) is not error:
                    raise safe from None
                raise

        return clean


def _forms(secret: str) -> Iterator[str]:
    """As it is, and as JSON (also inside JSON), an address, a page and Python's own messages write it."""
    import html  # late: where there is no secret, it is not needed

    plain, narrow = (json.dumps(secret, ensure_ascii=ascii_only)[1:-1] for ascii_only in (False, True))
    yield from (secret, plain, narrow, json.dumps(plain)[1:-1], json.dumps(narrow)[1:-1])
    content = secret.encode("utf-8", "surrogateescape")  # a variable may hold any bytes
    yield from (quote(content, safe=""), quote(content), quote_plus(content), html.escape(secret), repr(secret)[1:-1])
