"""How a Python source spells a registry: parsed, never run, and followed through the tree's own imports.

Of two equal keys a living mapping keeps only the last, and what the source spells is not always what the site holds:
both are seen by reading the source beside the site's own answer.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from bot.frozen import frozen
from bot.model import Entry, Source
from bot.sources.each import constant, takes_all, told
from bot.sources.module import Home, Homes, assignments, is_name
from bot.sources.tree import Tree
from guards.plain import NoKey, entry

_DEPTH = 8
_MOST = 200_000  # statements and pieces looked at: names that unpack one another twice each double them
_WRAPPERS = ("list", "tuple", "dict", "set", "frozenset", "MappingProxyType", "OrderedDict", "deque")


@frozen
class Spelling:
    """The entries that the source writes, as often as it writes them; `whole` where those are all, for certain.

    An entry whose content is no plain literal has an empty one.
    """

    entries: tuple[Entry, ...]
    whole: bool


def spelling(tree: Tree, folders: Sequence[str], source: Source) -> Spelling:
    """What the source of `source.object` spells; nothing, and not whole, where it cannot be told."""
    target, _, name = source.object.partition(":")
    reading = _Reading(Homes(tree, folders), source.key)
    try:
        entries = tuple(reading.entries(target, name))
    except (RecursionError, _TooMany):
        return Spelling((), False)
    return Spelling(entries, reading.whole)


@frozen
class _Piece:
    """An expression that is one entry, the mapping's own key for it, and where it stands."""

    own: object
    node: ast.expr
    home: Home


class _TooMany(Exception):
    """The source writes more than is looked at."""


class _Reading:
    def __init__(self, homes: Homes, key: str) -> None:
        self._homes, self._key = homes, key
        self._begun: dict[tuple[str, str], list[_Piece]] = {}
        self.whole = True
        self._left = _MOST

    def entries(self, module: str, name: str) -> Iterator[Entry]:
        """Of the name in that module."""
        home = self._homes.find(module)
        pieces = self._named(home, name, 0) if home and name.isidentifier() else self._unsure()
        for piece in pieces:
            yield from self._entry(piece, piece.node, 0)

    def _unsure(self) -> list[_Piece]:
        self.whole = False
        return []

    def _named(self, home: Home, name: str, depth: int) -> list[_Piece]:
        """All that the top level of the module, or of the one that it imports from, puts under the name."""
        if (home.name, name) in self._begun:
            return list(self._begun[home.name, name])
        if origin := home.origin(name):
            other = self._homes.find(origin[0])
            return self._named(other, origin[1], depth + 1) if other and depth < _DEPTH else self._unsure()
        found = self._begun[home.name, name] = []
        is_set = False
        for node in home.body:
            is_set |= any(is_name(target, name) for target, _ in assignments(node))
            self._statement(node, name, home, found)
        del self._begun[home.name, name]
        self._left -= len(home.body) + len(found)
        if self._left < 0:
            raise _TooMany
        return found if is_set else self._unsure()

    def _statement(self, node: ast.stmt, name: str, home: Home, found: list[_Piece]) -> None:
        """Carry out on the pieces what one statement does to the name."""
        for target, value in assignments(node):
            if is_name(target, name):
                found[:] = list(self._pieces(value, home, 0))
            elif isinstance(target, ast.Subscript) and is_name(target.value, name):
                found += self._set(target, value, home)
        if isinstance(node, ast.AugAssign) and is_name(node.target, name):
            found += self._pieces(node.value, home, 0)
        elif isinstance(node, ast.Expr | ast.Delete | ast.For | ast.While | ast.If | ast.With | ast.Try):
            found += self._called(node, name, home)

    def _set(self, target: ast.Subscript, value: ast.expr, home: Home) -> list[_Piece]:
        if isinstance(target.slice, ast.Constant) and isinstance(target.slice.value, str):
            return [_Piece(target.slice.value, value, home)]
        return self._unsure()

    def _called(self, node: ast.stmt, name: str, home: Home) -> list[_Piece]:
        """What `append`, `update` and their like add; any other use at the top level may do anything."""
        call = node.value if isinstance(node, ast.Expr) else None
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and is_name(call.func.value, name):
            if call.func.attr in ("extend", "update"):
                keywords = [_Piece(one.arg, one.value, home) for one in call.keywords if one.arg]
                return [piece for one in call.args for piece in self._pieces(one, home, 0)] + keywords
            if call.func.attr in ("append", "insert", "add") and call.args:
                return [_Piece(None, call.args[-1], home)]
            if call.func.attr in ("sort", "reverse"):
                return []
        return self._unsure() if any(is_name(one, name) for one in ast.walk(node)) else []

    def _pieces(self, node: ast.expr, home: Home, depth: int) -> Iterator[_Piece]:
        """The entries of a display, of what it unpacks, of sums and unions, and of names for such."""
        match node:
            case ast.List() | ast.Tuple() | ast.Set():
                for one in node.elts:
                    if isinstance(one, ast.Starred):
                        yield from self._pieces(one.value, home, depth)
                    else:
                        yield _Piece(None, one, home)
            case ast.Dict():
                yield from self._items(node, home, depth)
            case ast.BinOp(op=ast.Add() | ast.BitOr()):
                yield from self._pieces(node.left, home, depth)
                yield from self._pieces(node.right, home, depth)
            case ast.Call(func=ast.Name(id=name), args=[one], keywords=[]) if name in _WRAPPERS:
                yield from self._pieces(one, home, depth)
            case ast.DictComp(key=key, value=ast.Name(id=each), generators=[one]) if takes_all(one, each):
                for piece in self._pieces(one.iter, home, depth):
                    yield _Piece(told(piece.node, key, each), piece.node, piece.home)
            case ast.ListComp(elt=ast.Name(id=each), generators=[one]) if takes_all(one, each):
                yield from self._pieces(one.iter, home, depth)
            case ast.Name() if depth < _DEPTH:
                yield from self._named(home, node.id, depth + 1)
            case _:
                self._unsure()
                yield from self._before(node, home)

    def _before(self, node: ast.expr, home: Home) -> list[_Piece]:
        """What stood under a name that is made from itself; which of it is left, nobody can tell from the source."""
        names = dict.fromkeys(one.id for one in ast.walk(node) if isinstance(one, ast.Name))
        return [piece for name in names for piece in self._begun.get((home.name, name), ())]

    def _items(self, node: ast.Dict, home: Home, depth: int) -> Iterator[_Piece]:
        for key, value in zip(node.keys, node.values, strict=True):
            if isinstance(key, ast.Constant):
                yield _Piece(key.value, value, home)
            elif key is None:
                yield from self._pieces(value, home, depth)
            else:
                self._unsure()

    def _entry(self, piece: _Piece, node: ast.expr, depth: int) -> Iterator[Entry]:
        if isinstance(node, ast.Name) and depth < _DEPTH and (value := piece.home.value(node.id)):
            yield from self._entry(piece, value, depth + 1)
            return
        try:
            yield Entry(*entry(ast.literal_eval(node), self._key, piece.own))
        except NoKey:
            self._unsure()
        except (ValueError, TypeError, SyntaxError, MemoryError):
            yield from self._outlined(piece, node)

    def _outlined(self, piece: _Piece, node: ast.expr) -> Iterator[Entry]:
        """Of an entry that only running would make: its key, where that is written out."""
        written = constant(node, self._key)
        if written is not None:
            yield Entry(str(written.value), "")
            return
        self._unsure()
        if piece.own is not None:
            yield Entry(str(piece.own), "")
