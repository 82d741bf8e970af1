"""One more entry in Python's own spelling: the source of a sibling, its literals exchanged, put behind it."""

from __future__ import annotations

import ast
import json
import re
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bot.drill.draft import ITEM, Draft, Path
from bot.drill.drill import NotHere
from bot.drill.scene import Scene
from bot.sources.module import Home, assignments, is_name

_QUOTE = re.compile(r"[rRuU]?(\"\"\"|'''|\"|')")
FOLLOWED = 8
_ADDS = ("append", "add", "insert")
Cut = tuple[int, int, str]


@dataclass(frozen=True, slots=True)
class Piece:
    """One entry in the source: its key, if a mapping gives it one, its value, and what is repeated as a whole."""

    key: ast.expr | None
    value: ast.expr
    whole: tuple[ast.AST, ast.AST]


def home(scene: Scene, module: str, name: str) -> tuple[str, str]:
    """The file that assigns the name, followed through imports, and what it is called there. Raises NotHere."""
    for _ in range(FOLLOWED):
        path = next((one for one in _paths(scene.settings.site.path, module) if one in scene.entries), None)
        if path is None:
            break
        package = module if path.endswith("/__init__.py") else module.rpartition(".")[0]
        here = Home(module, package, tuple(ast.parse(scene.text(path)).body))
        origin = here.origin(name)
        if origin is None:
            return path, name
        module, name = origin
    raise NotHere(f"the module that spells out {name} is not in the tree")


def _paths(folders: Sequence[str], module: str) -> Iterator[str]:
    for folder in folders:
        stem = "/".join(part for part in f"{folder}/{module.replace('.', '/')}".split("/") if part not in ("", "."))
        yield from (f"{stem}/__init__.py", f"{stem}.py")


def pieces(tree: ast.Module, name: str) -> Iterator[Piece]:
    """The entries that the module spells out under the name, in its order."""
    for node in tree.body:
        for target, value in assignments(node):
            if is_name(target, name):
                yield from _inside(value)
            elif isinstance(target, ast.Subscript) and is_name(target.value, name):
                yield Piece(target.slice, value, (node, node))
        if isinstance(node, ast.AugAssign) and is_name(node.target, name):
            yield from _inside(node.value)
        call = node.value if isinstance(node, ast.Expr) else None
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and is_name(call.func.value, name):
            if call.func.attr in _ADDS and call.args:
                yield Piece(None, call.args[-1], (node, node))
            elif call.args:
                yield from _inside(call.args[0])


def _inside(node: ast.expr) -> Iterator[Piece]:
    match node:
        case ast.List() | ast.Tuple() | ast.Set():
            yield from (Piece(None, one, (one, one)) for one in node.elts if not isinstance(one, ast.Starred))
        case ast.Dict():
            pairs = zip(node.keys, node.values, strict=True)
            yield from (Piece(key, value, (key, value)) for key, value in pairs if key is not None)
        case ast.BinOp():
            yield from _inside(node.left)
            yield from _inside(node.right)
        case ast.Call() if node.args:
            yield from _inside(node.args[0])


class Source:
    """A module's text, cut by the positions of its syntax tree."""

    def __init__(self, text: str, name: str) -> None:
        self.tree = ast.parse(text)
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
        assert isinstance(node, ast.expr | ast.stmt)
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


def _plain(value: str, like: ast.Constant, quote: str = '"') -> str:
    if isinstance(like.value, int):
        return value
    text = json.dumps(value, ensure_ascii=False)
    return text if quote == '"' or "'" in value else "'" + text[1:-1].replace('\\"', '"') + "'"
