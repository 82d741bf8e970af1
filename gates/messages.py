"""The messages of a tree: which are new, which vanished, and whether the change itself took them away."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping

from bot.frozen import frozen
from bot.model import Objection
from gates.complaint import Unread
from gates.po import Key, parse

_PLACEHOLDER = re.compile(r"%\((\w+)\)[a-zA-Z]")
_WORD = re.compile(r"[^\W_]+")
_ESCAPE = re.compile(r"\\[nrt\"'\\]")
_FORMATS = ("python-format", "python-brace-format")


@frozen
class Message:
    """One message as the sources hold it. `places` are `path:line`."""

    context: str
    text: str
    plural: str = ""
    formats: tuple[str, ...] = ()
    places: tuple[str, ...] = ()

    @property
    def files(self) -> tuple[str, ...]:
        """The files that hold it."""
        return tuple(dict.fromkeys(place.rpartition(":")[0] for place in self.places))


Messages = Mapping[Key, Message]
Texts = Callable[[str], tuple[str | None, str | None]]


def messages(template: bytes) -> dict[Key, Message]:
    """Every message of an extracted template. Raises ValueError where it cannot be read."""
    found: dict[Key, Message] = {}
    for one in parse(template):
        if one.id:
            text, plural = (one.id, "") if isinstance(one.id, str) else (one.id[0], one.id[1])
            places = tuple(sorted(f"{file.removeprefix('./')}:{line}" for file, line in one.locations))
            formats = tuple(name for name in _FORMATS if name in one.flags)
            found[(one.context or "", text)] = Message(one.context or "", text, plural, formats, places)
    return found


def fresh(base: Messages, candidate: Messages) -> tuple[Message, ...]:
    """The messages that the change brings, in the order of the sources."""
    return tuple(message for key, message in candidate.items() if key not in base)


def vanished(base: Messages, candidate: Messages, texts: Texts) -> tuple[tuple[Message, ...], frozenset[Key]]:
    """The messages that are gone though the sources still hold their words, and those that the change took out.

    `texts` gives a file's text at base and now, None where it is not there. A message that a new one of the same file
    says in other words, or with more of them, was taken out.
    """
    lost, removed, new = [], set(), fresh(base, candidate)
    for key, message in base.items():
        if key not in candidate:
            taken_out = any(_taken_out(message, *texts(file)) for file in message.files)
            if taken_out or not message.files or any(_reworded(message, one) for one in new):
                removed.add(key)
            else:
                lost.append(message)
    return tuple(lost), frozenset(removed)


def objections(lost: Iterable[Message], new: Mapping[str, Unread]) -> Iterator[Objection]:
    """One for each template that can be read no longer, or is new and cannot be, and for each other that lost some."""
    grouped: dict[str, list[Message]] = {}
    for message in lost:
        grouped.setdefault(message.files[0], []).append(message)
    for file, one in new.items():
        yield Objection(
            code="template-unreadable",
            node="gate",
            where=f"{file}:{one.line}",
            subject=file,
            what=f"{file} cannot be read for its messages, so that all of them are passed over",
            seen=f"{one.why}{_gone(grouped.pop(file, []))}",
            accept="use tags of extensions that the mapping names",
        )
    for file, gone in grouped.items():
        yield Objection(
            code="messages-vanished",
            node="gate",
            where=file,
            subject=file,
            what=f"messages of {file} are no longer found, and the change did not remove them",
            seen=_gone(gone).removeprefix("; "),
            accept="write the file so that every message in it is still found",
        )


def _gone(messages: list[Message]) -> str:
    shown = ", ".join(repr(message.text[:60]) for message in messages[:5])
    return f"; {len(messages)} messages are gone: {shown}" if messages else ""


def _reworded(message: Message, new: Message) -> bool:
    """Whether the new message holds all words of the old one, in a file that held that."""
    shared = set(message.files) & set(new.files)
    return bool(shared) and _count(_spoken(message), _words(_PLACEHOLDER.sub(r" \1 ", f"{new.text} {new.plural}"))) > 0


def _taken_out(message: Message, before: str | None, now: str | None) -> bool:
    """Whether the file holds the message's words less often than before."""
    if before is None or now is None:
        return True
    words = _spoken(message)
    return not words.strip() or _count(words, _words(now)) < _count(words, _words(before))


def _spoken(message: Message) -> str:
    return _words(_PLACEHOLDER.sub(r" \1 ", message.text))


def _words(text: str) -> str:
    """The words alone, whatever quotes, blanks and markup stand between them."""
    return f" {' '.join(_WORD.findall(_ESCAPE.sub(' ', text)))} "


def _count(words: str, text: str) -> int:
    # Two neighbours share the blank between them, so that a plain count would miss every other one.
    return len(re.findall(f"(?={re.escape(words)})", text))
