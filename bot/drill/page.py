"""One more view of any kind: what it is told by, where it is written, and what its templates are like."""

from __future__ import annotations

import ast
import re
from collections import Counter
from dataclasses import replace
from itertools import chain

from bot.drill.added import Added
from bot.drill.drill import NotHere
from bot.drill.scene import Scene
from bot.drill.view import Spot, function, spliced, spots
from bot.frozen import frozen
from guards.python import parse, parsed

_EXTENDS = re.compile(r"""\{%-?\s*extends\s+["']([^"']+)["']""")
_BLOCK = re.compile(r"\{%-?\s*block\s+(\w+)[^%]*%\}(.*?)\{%-?\s*endblock", re.DOTALL)


@frozen
class Page:
    """`body` is the text of the function below its `def`; `uses` are names of Flask that it needs.

    `arguments` stand between the function's parentheses, and `example` is then a path to ask; `claims` is the route as
    the claim tells it, the URL left out; a page that is `sent` answers POST alone.
    """

    path: str
    name: str
    body: str
    uses: tuple[str, ...] = ()
    arguments: str = ""
    example: str = ""
    claims: str = "%s"
    sent: bool = False


def page(scene: Scene, wanted: Page, onto: Added | None = None, at: int = 0) -> Added:
    """The site with that view beside another; `onto` is what was added before and goes with it. Raises NotHere."""
    found = spots(scene)
    if at >= len(found):
        raise NotHere(f"a change may add views in {len(found)} places, which is too few")
    where, files = found[at], dict(onto.files) if onto else {}
    text = files.get(where.path) or scene.text(where.path)
    files[where.path] = spliced(text, where, _code(text, where, wanted))
    key = f"{'POST' if wanted.sent else 'GET'} {where.prefix}{wanted.path}"
    route = wanted.claims % (where.prefix + (wanted.example or wanted.path))
    words = wanted.name.replace("_", " ")
    if onto:
        return replace(onto, files=files, routes=(*onto.routes, route))
    return Added(files, scene.kind("url_map"), key, (route,), summary=f"Add {words}")


def _code(text: str, where: Spot, wanted: Page) -> str:
    lacking = [name for name in wanted.uses if name not in _bound(text)]
    lines = [f"from flask import {', '.join(sorted(lacking))}", ""] if lacking else []
    code = function(where, wanted.path, wanted.name, "\n".join([*lines, wanted.body]), _decorator(where, wanted))
    code = code.replace(f"def {wanted.name}()", f"def {wanted.name}({wanted.arguments})", 1)
    if wanted.sent and not _decorator(where, wanted).endswith(".post"):
        code = code.replace(f'"{wanted.path}")', f'"{wanted.path}", methods=["POST"])', 1)
    return code


def _decorator(where: Spot, wanted: Page) -> str:
    owner, _, attribute = where.decorator.rpartition(".")
    return f"{owner}.post" if wanted.sent and attribute == "get" else where.decorator


def _bound(text: str) -> set[str]:
    """The names that the module's top level imports."""
    imported = (node.names for node in parse(text).body if isinstance(node, ast.Import | ast.ImportFrom))
    return {one.asname or one.name for one in chain.from_iterable(imported)}


@frozen
class Looks:
    """Templates of the site: their folder, what most of them extend, and the blocks for a title and for the rest."""

    folder: str
    base: str
    title: str
    content: str

    def template(self, head: str, body: str) -> str:
        """A page with that title and content."""
        if not self.base:
            return (
                f"<!doctype html>\n<html lang='en'>\n<head><meta charset='utf-8'><title>{head}</title></head>\n"
                f"<body>\n{body}\n</body>\n</html>\n"
            )
        block = f"{{% block {self.title} %}}{head}{{% endblock %}}\n" if self.title else ""
        return f'{{% extends "{self.base}" %}}\n{block}{{% block {self.content} %}}\n{body}\n{{% endblock %}}\n'


def looks(scene: Scene) -> Looks:
    """What the site's templates have in common. Raises NotHere where a change may not add any."""
    files = [path for path in scene.files(".html", ".htm", ".j2", ".jinja", ".jinja2") if "templates/" in path]
    if not files:
        raise NotHere("the site has no folder of templates that a change may touch")
    folder = Counter(path[: path.rindex("templates/") + 10] for path in files).most_common(1)[0][0]
    texts = [scene.text(path) for path in files if path.startswith(folder)]
    bases = Counter(found[1] for text in texts if (found := _EXTENDS.search(text)))
    if not bases:
        return Looks(folder, "", "", "")
    base = bases.most_common(1)[0][0]
    sizes: Counter[str] = Counter()
    for text in texts:
        if (found := _EXTENDS.search(text)) and found[1] == base:
            sizes.update({name: len(inside) for name, inside in _BLOCK.findall(text)})
    title = next((name for name in sizes if "title" in name), "")
    content = next((name for name, _ in sizes.most_common() if name != title), "")
    return Looks(folder, base, title, content) if content else Looks(folder, "", "", "")


def linked(scene: Scene, added: Added, url: str, words: str) -> Added:
    """The same, and a link to it from a page that a template of the site makes; the claim names that page."""
    shown = looks(scene)
    for rule in scene.holdings.rules:
        if rule.arguments or "GET" not in rule.methods or not rule.module.endswith(".py"):
            continue
        name = _rendered(scene, rule.module, rule.endpoint.rpartition(".")[2])
        path = shown.folder + name
        if not name or path not in scene.entries or not scene.allowed(path):
            continue
        text = scene.text(path)
        at = max(text.rfind("{% endblock"), text.lower().rfind("</body>"))
        if at > 0:
            made = f'{text[:at]}<p><a href="{url}">{words}</a></p>\n{text[at:]}'
            return replace(added.with_file(path, made), changes=(*added.changes, rule.rule))
    raise NotHere("no page of the site is made from a template that a change may touch")


def _rendered(scene: Scene, module: str, name: str) -> str:
    """The template that a function renders, where it names just one."""
    try:
        tree = parsed(scene.text(module))
    except NotHere:
        return ""
    functions = [
        one for one in ast.walk(tree or ast.Module([], [])) if isinstance(one, ast.FunctionDef) and one.name == name
    ]
    calls = [one for each in functions for one in ast.walk(each) if isinstance(one, ast.Call)]
    named = [
        str(one.args[0].value)
        for one in calls
        if ast.unparse(one.func).endswith("render_template") and one.args and isinstance(one.args[0], ast.Constant)
    ]
    return named[0] if len(named) == 1 else ""
