"""Guard: old views answer as they did also where no check asks: on POST, on a condition, for another visitor.

The sweep asks with GET, as one visitor, now. What answers other methods may therefore not change at all, with all that
it calls in its file, and a page may not come by another way out unless the claim names the page.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from bot.model import Objection, Rule
from bot.model.shape import PATH, PERHAPS_SLASH, Blank, Shape
from guards import python
from guards.facts import Facts
from guards.languages import is_python

_ASKED = frozenset({"GET", "HEAD", "OPTIONS"})
_PATH = re.compile(r"/[^\s?#]*")
_ENDS = frozenset({"abort", "redirect"})
_DATA = (ast.List, ast.Tuple, ast.Set, ast.Dict, ast.Call, ast.ListComp, ast.DictComp, ast.BinOp)
Known = dict[str, ast.stmt]


def old_views(facts: Facts) -> Iterator[Objection]:
    """Objects where code behind an old rule that answers POST and the like changed, or an old page gained a way out."""
    for path, (old, new) in facts.files.items():
        before, now = (python.parsed(text) if text and is_python(path) else None for text in (old, new))
        if before is None or now is None:
            continue
        held, has = _known(before), _known(now)
        for rule in facts.base.rules:
            name = rule.endpoint.rpartition(".")[2]
            if rule.module == path and name in held and name in has:
                yield from _changed(facts, rule, (held, has), name)


def _changed(facts: Facts, rule: Rule, sides: tuple[Known, Known], name: str) -> Iterator[Objection]:
    held, has = sides
    told = ", ".join(sorted({*rule.methods} - _ASKED))
    if told:
        for one in sorted(_reached(held, name)):
            if one not in has or not _keeps(held[one], has[one], loose="GET" in rule.methods):
                what = f"{one} is code behind {told} {rule.rule}, which no check asks, and is no longer what it was"
                where = f"{rule.module}:{has[one].lineno if one in has else 1}"
                yield Objection("unasked-changed", "guards", where, one, what, rule.endpoint, "the code as it was")
    elif _ways(has[name]) > _ways(held[name]) and not _claimed(facts, rule):
        what = f"{name} may now answer {rule.rule} in another way, perhaps where no check asks"
        accept = "the old page's view as it was, or a claim whose changes name the page"
        where = f"{rule.module}:{has[name].lineno}"
        yield Objection("old-page-forks", "guards", where, rule.rule, what, "one more return, raise or abort", accept)


def _known(tree: ast.Module) -> Known:
    """Functions and classes anywhere, the first of a name, and plain values at the top; lists grow by additions."""
    found: Known = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            found.setdefault(node.name, node)
    for one in tree.body:
        if isinstance(one, ast.Assign) and not isinstance(one.value, _DATA):
            found.update({target.id: one for target in one.targets if isinstance(target, ast.Name)})
    return found


def _reached(known: Known, name: str) -> set[str]:
    """What the function uses of its own file, through whatever it uses."""
    found: set[str] = set()
    left = [name]
    while left:
        here = left.pop()
        if here in known and here not in found:
            found.add(here)
            left += [one.id for one in ast.walk(known[here]) if isinstance(one, ast.Name)]
    return found


def _keeps(old: object, new: object, *, loose: bool) -> bool:
    """Whether the new code is the old one; a `loose` one may hand more to what it calls, made in lines before."""
    if isinstance(old, ast.AST) and type(old) is type(new):
        pairs = ((field, getattr(old, field, None), getattr(new, field, None)) for field in old._fields)
        return all(_field(one, was, now, loose) for one, was, now in pairs)
    if isinstance(old, list) and isinstance(new, list):
        return len(old) == len(new) and all(_keeps(a, b, loose=loose) for a, b in zip(old, new, strict=True))
    return type(old) is type(new) and old == new


def _field(name: str, old: object, new: object, loose: bool) -> bool:
    if loose and isinstance(old, list) and isinstance(new, list):
        if name == "keywords":
            return all(any(_keeps(one, other, loose=loose) for other in new) for one in old)
        if name in ("body", "orelse") and len(new) > len(old):
            new = [one for one in new if not _fresh(one, old)]
    return _keeps(old, new, loose=loose)


def _fresh(one: object, old: list[object]) -> bool:
    """Whether it gives a value to names that the old lines do not know."""
    if not isinstance(one, ast.Assign) or not all(isinstance(target, ast.Name) for target in one.targets):
        return False
    known = {
        each.id for line in old if isinstance(line, ast.AST) for each in ast.walk(line) if isinstance(each, ast.Name)
    }
    return not {target.id for target in one.targets if isinstance(target, ast.Name)} & known


def _ways(function: ast.AST) -> int:
    """In how many places it ends, counting each choice that an ending makes."""
    ends = [one for one in ast.walk(function) if isinstance(one, ast.Return | ast.Raise) or _aborts(one)]
    return len(ends) + sum(isinstance(each, ast.IfExp | ast.BoolOp) for one in ends for each in ast.walk(one))


def _aborts(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and getattr(node.func, "attr", getattr(node.func, "id", "")) in _ENDS


def _claimed(facts: Facts, rule: Rule) -> bool:
    """Whether the claim names a page of the rule."""
    pieces: list[str | Blank] = []
    for piece in re.split(r"<[^<>]*>", rule.rule.rstrip("/")):
        pieces += (piece, PATH)
    shape = Shape([*pieces[:-1], PERHAPS_SLASH])
    claim = facts.snapshot.claim
    paths = (found[0] for text in (*claim.changes, *claim.routes) if (found := _PATH.search(text)))
    return any(shape.filled(path) is not None for path in paths)
