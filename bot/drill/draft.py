"""What one more entry says, field by field: told by its siblings, so that it is like them and none of them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from urllib.parse import urlsplit

from bot.drill.drill import NotHere
from bot.drill.scene import Scene
from bot.drill.wording import TOPICS, is_prose, prose, title
from bot.frozen import frozen
from bot.model import Entry, Source
from guards.duplicates import TITLES

Path = tuple[str, ...]
ITEM = "[]"
BODY = "<body>"
NAMES = ("slug", "id", "key", "code", "stem", "anchor")
_DATED = re.compile(r"\d{4}-\d\d-\d\d[-_]?")
_COUNTED = re.compile(r"(.*?)(\d+)")


@frozen
class Wish:
    """How an entry is to be: of which topic, behind which sibling, in one sentence, its fields turned round.

    `values` are texts for fields by their dotted names; `key` is its key, where the siblings' pattern is not wanted.
    """

    number: int = 0
    at: int = -1
    short: bool = False
    turned: bool = False
    key: str = ""
    values: Mapping[str, str] = field(default_factory=dict)


@dataclass
class Draft:
    """`like` is the sibling that it is written after; `source_key` the field that holds the key, if one does."""

    wish: Wish
    entries: Sequence[Entry]
    like: Entry
    source_key: str
    taken: frozenset[str] = frozenset()

    @cached_property
    def number(self) -> int:
        """The number of a topic that nobody speaks of yet."""
        said = " ".join(one.content for one in self.entries).casefold()
        free = [at for at, (english, chinese) in enumerate(TOPICS) if english not in said and chinese not in said]
        free = [at for at in free if _joined(self.keys, self.like.key, at).casefold() not in self.taken]
        return free[self.wish.number % len(free)] if free else len(TOPICS) + self.wish.number

    @cached_property
    def keys(self) -> tuple[str, ...]:
        """The siblings' keys."""
        return tuple(one.key for one in self.entries)

    @cached_property
    def key(self) -> str:
        """A key of its own, in the siblings' manner."""
        return self.wish.key or _counted(self.keys, self.wish.number) or _joined(self.keys, self.like.key, self.number)

    @cached_property
    def leaves(self) -> Mapping[Path, object]:
        """The plain values of the sibling, by path."""
        return dict(leaves(_content(self.like)))

    @cached_property
    def columns(self) -> Mapping[Path, list[object]]:
        """What all siblings say in a field."""
        found: dict[Path, list[object]] = {}
        for one in self.entries:
            for path, value in leaves(_content(one)):
                found.setdefault(path, []).append(value)
        return found

    def path_of(self, value: object) -> Path | None:
        """The only field of the sibling with that value."""
        found = [path for path, one in self.leaves.items() if one == value and type(one) is type(value)]
        return found[0] if len(found) == 1 else None

    def stem(self, like: str) -> str:
        """The name of a file, without its ending, for an entry whose key is not that."""
        return _joined((like,), like, self.number)

    def value(self, path: Path, old: object) -> object:
        """What the new entry says where the sibling says `old`; the same, where siblings may be alike."""
        told = self.wish.values.get(".".join(path))
        if told is not None:
            return told
        if path == (self.source_key,) or (str(old) == self.like.key and path[-1:] and path[-1] in NAMES):
            return type(old)(self.key) if isinstance(old, int | str) else old
        if isinstance(old, str):
            return self._text(path, old)
        return self._next(path, old) if isinstance(old, int) and not isinstance(old, bool) else old

    def _text(self, path: Path, old: str) -> str:
        column = self.columns.get(path, [old])
        alone = len(set(map(str, column))) == len(column)
        name = next((part for part in reversed(path) if part != ITEM), "")
        if re.match(r"https?://", old):
            return f"{urlsplit(old).scheme}://{urlsplit(old).netloc}/{_slug(self.key)}" if alone else old
        if "@" in old and " " not in old and alone:
            return f"{_slug(self.key)}@{old.rpartition('@')[2]}"
        if path == (BODY,) or is_prose(old):
            if any(name.casefold().startswith(one) for one in TITLES):
                return title(old, self.number)
            return prose(old, self.number + len(".".join(path)) + len(old), self.wish.short)
        if any(part.casefold().startswith(one) for part in path for one in TITLES) and (alone or len(column) < 2):
            return title(old, self.number)
        return _joined([str(one) for one in column], old, self.number) if name in NAMES and alone else old

    def _next(self, path: Path, old: int) -> int:
        """Numbers that count the entries go on; all others stay."""
        column = [one for one in self.columns.get(path, []) if isinstance(one, int)]
        counts = len(column) > 1 and len(set(column)) == len(column) == max(column) - min(column) + 1
        return max(column) + 1 + self.wish.number if counts else old


def sketched(scene: Scene, source: Source, wish: Wish, at: str) -> Draft:
    """What an entry like the one with the key `at` says. Raises NotHere."""
    entries = scene.holdings.registry(source.name).entries
    like = next((one for one in entries if one.key == at), None)
    if like is None or not isinstance(json.loads(like.content), dict):
        raise NotHere(f"{source.name} has no entry {at!r} with fields")
    known = [one.removeprefix(f"{source.name}/") for one in scene.settings.ledger.known]
    taken = frozenset(one.casefold() for one in (*known, *(one.key for one in entries)))
    return Draft(wish, entries, like, source.key, taken)


def leaves(value: object, path: Path = ()) -> Iterator[tuple[Path, object]]:
    """Every plain value with its path; the items of a list share one."""
    if isinstance(value, dict):
        for name, one in value.items():
            yield from leaves(one, (*path, str(name)))
    elif isinstance(value, list):
        for one in value:
            yield from leaves(one, (*path, ITEM))
    else:
        yield path, value


def _content(entry: Entry) -> object:
    return json.loads(entry.content)


def _slug(key: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", key.lower()).strip("-") or "one-more"


def _counted(keys: Sequence[str], number: int) -> str:
    """The next of keys that only count, such as `7` or `L-007`; empty for any others."""
    found = [_COUNTED.fullmatch(key) for key in keys]
    if not keys or not all(found) or len({one[1] for one in found if one}) > 1:
        return ""
    last = max(int(one[2]) for one in found if one) + 1 + number
    width = max(len(one[2]) for one in found if one) if any(one and one[2][0] == "0" for one in found) else 0
    return f"{found[0][1] if found[0] else ''}{last:0{width}d}"


def _joined(keys: Sequence[str], like: str, number: int) -> str:
    """The topic's words, joined and capitalised as the keys' are, behind the folder and the date of the one like it."""
    words = title("x", number).split()
    gap = next((one for one in "-_ " if any(one in _DATED.sub("", key) for key in keys)), "")
    if any(key != key.lower() for key in keys):
        words = [word.capitalize() for word in words]
    dated = _DATED.match(like.rpartition("/")[2])
    folder = like[: like.rfind("/") + 1]
    return f"{folder}{dated[0] if dated else ''}{gap.join(words)}"
