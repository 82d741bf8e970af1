"""The URL rules that the source writes down, as far as reading tells."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from bot.frozen import frozen
from bot.init.sources import Module, assignments, called, functions, keyword, text

_VERBS = ("route", "get", "post", "put", "patch", "delete")
_ARGUMENT = re.compile(r"<(?:[^:<>]+:)?([A-Za-z_]\w*)>")
_LOGIN = re.compile(r"(^|/)(log-?in|sign-?in)(/|$)", re.IGNORECASE)


@frozen
class Rule:
    """One rule with its methods, the names that its view reads from the query, and the view's own."""

    rule: str
    methods: tuple[str, ...]
    queries: tuple[str, ...] = ()
    view: str = ""

    @property
    def arguments(self) -> tuple[str, ...]:
        """The names in it."""
        return tuple(_ARGUMENT.findall(self.rule))

    @property
    def words(self) -> tuple[str, ...]:
        """Its fixed parts."""
        return tuple(part for part in self.rule.split("/") if part and "<" not in part)

    def page(self, key: str) -> str:
        """The rule as a page template for a registry's key."""
        return _ARGUMENT.sub("{" + key + "}", self.rule)

    @property
    def is_login(self) -> bool:
        """Whether one signs in there."""
        return bool(_LOGIN.search(self.rule)) and "POST" in self.methods and not self.arguments


def rules(modules: tuple[Module, ...]) -> tuple[Rule, ...]:
    """Each once, in the order of the source."""
    mounted = dict(entry for module in modules for entry in _mounted(module))
    found = dict.fromkeys(rule for module in modules for rule in _rules(module, mounted))
    return tuple(rule for rule in found if _fit(rule.rule))


def _fit(path: str) -> bool:
    """Whether a configuration can name it."""
    return path.isprintable() and not any(character.isspace() or character in "{}" for character in path)


def _rules(module: Module, mounted: dict[tuple[str, str], str]) -> Iterator[Rule]:
    own = {
        name: text(keyword(value, "url_prefix")) for name, value in assignments(module) if isinstance(value, ast.Call)
    }
    for function in functions(module):
        for decorator in function.decorator_list:
            if not isinstance(decorator, ast.Call) or not isinstance(decorator.func, ast.Attribute):
                continue
            owner = getattr(decorator.func.value, "id", "")
            verb, path = decorator.func.attr, text(decorator.args[0]) if decorator.args else ""
            if verb in _VERBS and (path.startswith("/") or path == ""):
                prefix = mounted.get((module.word, owner)) or mounted.get(("", owner)) or own.get(owner, "")
                rule = (prefix.rstrip("/") + path) or "/"
                yield Rule(rule, _methods(verb, decorator), tuple(dict.fromkeys(_queries(function))), function.name)


def _methods(verb: str, decorator: ast.Call) -> tuple[str, ...]:
    listed = keyword(decorator, "methods")
    if verb != "route":
        return (verb.upper(),)
    return tuple(map(text, listed.elts)) if isinstance(listed, ast.List | ast.Tuple) else ("GET",)


def _queries(function: ast.AST) -> Iterator[str]:
    """Names in `request.args.get("q")` and `request.args["q"]`."""
    for node in ast.walk(function):
        if (
            isinstance(node, ast.Call)
            and called(node) == "get"
            and node.args
            and _is_args(getattr(node.func, "value", None))
        ):
            yield from _named(node.args[0])
        elif isinstance(node, ast.Subscript) and _is_args(node.value):
            yield from _named(node.slice)


def _named(node: ast.expr) -> Iterator[str]:
    if (name := text(node)) and _fit(name) and not any(one in name for one in "&=#?%"):
        yield name


def _is_args(node: ast.expr | None) -> bool:
    return isinstance(node, ast.Attribute) and node.attr == "args"


def _mounted(module: Module) -> Iterator[tuple[tuple[str, str], str]]:
    """Prefixes that blueprints get where they are registered, by their module's last word and their name."""
    renamed = {
        alias.asname or alias.name: ((node.module or "").rpartition(".")[2], alias.name)
        for node in ast.walk(module.tree)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Call) and called(node) == "register_blueprint" and node.args:
            prefix, given = text(keyword(node, "url_prefix")), node.args[0]
            if prefix and isinstance(given, ast.Attribute):
                yield (getattr(given.value, "id", getattr(given.value, "attr", "")), given.attr), prefix
            elif prefix and isinstance(given, ast.Name):
                yield renamed.get(given.id, ("", given.id)), prefix


def locale_by(modules: tuple[Module, ...], found: tuple[Rule, ...]) -> str:
    """How the site is told a language: by the path, by a query, else by the browser's header."""
    if any(rule.arguments[:1] and rule.rule.startswith("/<") and _speaks(rule.arguments[0]) for rule in found):
        return "prefix"
    selectors = [one for module in modules for one in functions(module) if "locale" in one.name or "lang" in one.name]
    names = [name for one in selectors for name in _queries(one) if name.isidentifier() and name.isascii()]
    return f"query:{names[0]}" if names else "accept-language"


def _speaks(name: str) -> bool:
    return name in ("lang", "lang_code", "locale", "language")
