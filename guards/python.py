"""Python source as the guards read it: comments by tokens, names by syntax tree. It is parsed, never run."""

from __future__ import annotations

import ast
import io
import threading
import tokenize
import warnings
from collections.abc import Iterator, Mapping

_LONGEST = 500  # of what a name stands for: names that stand for parts of one another grow with each
_ONE = threading.Lock()  # Python counts depth for all threads together, so that two at once may both be refused


def parse(text: str | bytes) -> ast.Module:
    """The tree; warnings about the source are not shown. Raises as `ast.parse` does."""
    with _ONE, warnings.catch_warnings(action="ignore"):
        return ast.parse(text)


def parsed(text: str) -> ast.Module | None:
    """The tree, or None where it cannot be parsed."""
    try:
        return parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def tokens(text: str) -> Iterator[tokenize.TokenInfo]:
    """Every token, as far as the text can be read, on the lines that the parser counts: it ends lines at a lone
    carriage return too, where the tokenizer of some Pythons goes on, or reads nothing further."""
    try:
        yield from tokenize.generate_tokens(io.StringIO(text, newline=None).readline)
    except (tokenize.TokenError, SyntaxError, UnicodeError):
        return  # the guard of static rules objects to what cannot be parsed


def comments(text: str) -> Iterator[tuple[int, str]]:
    """Every comment with its line, as far as the text can be read."""
    return ((one.start[0], one.string) for one in tokens(text) if one.type == tokenize.COMMENT)


class Names:
    """What the names of a module mean: `path` follows imports and plain assignments of names."""

    def __init__(self, tree: ast.Module) -> None:
        self._known = dict(_imported(tree))
        for node in ast.walk(tree):
            if isinstance(node, ast.Assign) and isinstance(node.value, ast.Name | ast.Attribute):
                meant = self.path(node.value)[:_LONGEST]
                aliases = [target.id for target in node.targets if isinstance(target, ast.Name)]
                self._known.update({alias: meant for alias in aliases if meant and alias not in self._known})

    @property
    def known(self) -> Mapping[str, str]:
        """Names that stand for something imported."""
        return self._known

    def path(self, node: ast.AST) -> str:
        """`os.environ` for whatever the module calls it; empty for what is no name or attribute of one."""
        after: list[str] = []
        while isinstance(node, ast.Attribute):
            after.append(node.attr)
            node = node.value
        return ".".join([self._known.get(node.id, node.id), *reversed(after)]) if isinstance(node, ast.Name) else ""


def _imported(tree: ast.Module) -> Iterator[tuple[str, str]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield (alias.asname, alias.name) if alias.asname else (alias.name.split(".")[0],) * 2
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            for alias in node.names:
                yield alias.asname or alias.name, f"{node.module}.{alias.name}"
