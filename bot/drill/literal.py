"""One more entry in Python's own spelling: the source of a sibling, its literals exchanged, put behind it."""

from __future__ import annotations

import ast
import json
import re
import textwrap
from collections.abc import Iterator

from bot.drill.draft import ITEM, Draft, Path
from bot.drill.drill import NotHere
from bot.drill.pieces import Piece, home, pieces
from guards.python import parse

__all__ = ["Piece", "Source", "home", "pieces"]

_QUOTE = re.compile(r"[rRuU]?(\"\"\"|'''|\"|')")
Cut = tuple[int, int, str]


class Source:
    """A module's text, cut by the positions of its syntax tree."""

    def __init__(self, text: str, name: str) -> None:
        self.tree = parse(text)
        self._bytes = text.encode()
        self._starts = [0]
        for line in self._bytes.splitlines(keepends=True):
            self._starts.append(self._starts[-1] + len(line))
        self.pieces = tuple(pieces(self.tree, name))

    def key(self, piece: Piece, field: str) -> str:
        """The key that the piece spells, empty where it does not."""
        named = dict(_named(piece.value))
        own = named.get(field) or piece.key
        first = piece.value.args[0] if isinstance(piece.value, ast.Call) and piece.value.args else None
        return next((str(one.value) for one in (own, first) if isinstance(one, ast.Constant)), "")

    def added(self, piece: Piece, draft: Draft) -> str:
        """The text with a new entry behind the piece, in the same words but for what the draft says otherwise."""
        start, end = self._from(piece.whole[0]), self._to(piece.whole[1])
        cuts = list(self._cuts(piece.value, (), draft))
        if piece.key is not None and isinstance(piece.key, ast.Constant):
            cuts.append((self._from(piece.key), self._to(piece.key), _plain(draft.key, piece.key)))
        if draft.wish.turned:
            cuts = self._turned(piece.value, cuts)
        clone = self._exchanged(start, end, sorted(set(cuts)))
        line = self._bytes.rfind(b"\n", 0, start) + 1
        lead = self._bytes[line:start]
        gap = b", " if lead.strip() else b",\n" + lead
        if isinstance(piece.whole[0], ast.stmt):
            gap = b"\n"
        return (self._bytes[:end] + gap + clone + self._bytes[end:]).decode()

    def _exchanged(self, start: int, end: int, cuts: list[Cut]) -> bytes:
        made, at = b"", start
        for begin, stop, text in cuts:
            made += self._bytes[at:begin] + text.encode()
            at = stop
        return made + self._bytes[at:end]

    def _turned(self, node: ast.expr, cuts: list[Cut]) -> list[Cut]:
        """The same exchanges with the first two fields in each other's place. Raises NotHere where none are named."""
        spans = [(self._from(one), self._to(value)) for one, value in _fields(node)][:2]
        if len(spans) < 2:
            raise NotHere("the entries do not name their fields")
        said = [
            self._exchanged(*span, sorted(one for one in cuts if span[0] <= one[0] < span[1])).decode()
            for span in spans
        ]
        rest = [one for one in cuts if not any(start <= one[0] < end for start, end in spans)]
        return [*rest, (*spans[0], said[1]), (*spans[1], said[0])]

    def _cuts(self, node: ast.expr, path: Path, draft: Draft) -> Iterator[Cut]:
        match node:
            case ast.Constant(value=str() | int() as old) if not isinstance(old, bool):
                where = path or draft.path_of(old)
                new = draft.value(where, old) if where else old
                if new != old:
                    yield self._from(node), self._to(node), self._spelt(node, new)
            case ast.BinOp() | ast.JoinedStr():
                said = draft.leaves.get(path)
                if isinstance(said, str) and (made := draft.value(path, said)) != said:
                    yield self._from(node), self._to(node), json.dumps(made, ensure_ascii=False)
            case ast.List() | ast.Tuple() | ast.Set():
                for one in node.elts:
                    yield from self._cuts(one, (*path, ITEM), draft)
            case ast.Dict() | ast.Call():
                for name, one in _named(node):
                    yield from self._cuts(one, (*path, name), draft)
                for one in node.args if isinstance(node, ast.Call) else ():
                    yield from self._cuts(one, path, draft)

    def _spelt(self, node: ast.Constant, new: object) -> str:
        """The new value in the quotes of the old one, on as many columns."""
        old = self._bytes[self._from(node) : self._to(node)].decode()
        quote = _QUOTE.match(old)
        if not isinstance(new, str) or not quote:
            return repr(new)
        if len(quote[1]) == 3:
            body = new.replace("\\", "\\\\").replace(quote[1], quote[1][0] + "\\" + quote[1][1:])
            return f"{quote[1]}{body}{quote[1]}"
        if "\n" not in old:
            return _plain(new, node, quote[1])
        width = max(len(line.strip()) for line in old.splitlines()) - 2
        lines = textwrap.wrap(new, max(width, 20), drop_whitespace=False) or [""]
        return f"\n{' ' * node.col_offset}".join(_plain(line, node, quote[1]) for line in lines)

    def _from(self, node: ast.AST) -> int:
        assert isinstance(node, ast.expr | ast.stmt | ast.keyword)
        return self._starts[node.lineno - 1] + node.col_offset

    def _to(self, node: ast.AST) -> int:
        assert isinstance(node, ast.expr | ast.stmt)
        return self._starts[(node.end_lineno or 1) - 1] + (node.end_col_offset or 0)


def _named(node: ast.expr) -> Iterator[tuple[str, ast.expr]]:
    """The fields that an expression names: keywords of a call, keys of a mapping."""
    if isinstance(node, ast.Call):
        yield from ((one.arg, one.value) for one in node.keywords if one.arg)
    elif isinstance(node, ast.Dict):
        for key, value in zip(node.keys, node.values, strict=True):
            if isinstance(key, ast.Constant):
                yield str(key.value), value


def _fields(node: ast.expr) -> Iterator[tuple[ast.AST, ast.expr]]:
    """Where each field that the expression names begins, and its value."""
    if isinstance(node, ast.Call):
        yield from ((one, one.value) for one in node.keywords)
    elif isinstance(node, ast.Dict):
        yield from ((key, value) for key, value in zip(node.keys, node.values, strict=True) if key)


def _plain(value: str, like: ast.Constant, quote: str = '"') -> str:
    if isinstance(like.value, int):
        return value
    text = json.dumps(value, ensure_ascii=False)
    return text if quote == '"' or "'" in value else "'" + text[1:-1].replace('\\"', '"') + "'"
