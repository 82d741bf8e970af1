"""The rules of the house over one module: each yields `file:line: what is wrong`."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Callable, Iterator

from tests.support.source import PACKAGES, STAND_ALONE, Module, functions, imports

CYCLE = ("bot.nodes", "bot.cycle")
# Between compose and the front: they run whole cycles, follow them up, look them over, or start them.
FIRINGS = (
    "bot.firing",
    "bot.demo.performance",
    "bot.doctor",
    "bot.timer",
    "bot.drill",
)
FRONT = ("bot.cli", "bot.web")
MAY_IMPORT: dict[str, tuple[str, ...]] = {
    "bot.errors": (),
    "bot.frozen": (),
    "bot.model": ("bot.model", "bot.frozen"),
    "bot.ports": ("bot.model",),
    "bot.graph": ("bot.graph", "bot.frozen", "bot.errors"),
    "guards": ("guards", "bot.model", "bot.frozen"),
    "gates": ("gates", "bot.model", "bot.frozen"),
    "ledger": ("ledger", "bot.model", "bot.frozen", "bot.errors"),
    "bot.nodes": ("bot.nodes", "bot.ports", "guards", "gates", "ledger", "bot.model", "bot.frozen", "bot.errors"),
    "bot.cycle": ("bot.nodes", "bot.graph", "bot.model", "bot.errors"),
}
MAY_NOT_IMPORT: dict[str, tuple[str, ...]] = {
    "bot.cli": (),
    "bot.web": ("bot.cli",),
    **dict.fromkeys(FIRINGS, FRONT),
    "bot.compose": (*FIRINGS, *FRONT),
    "bot": (*CYCLE, "bot.compose", *FIRINGS, *FRONT),
}
GATEWAYS = {"subprocess": "bot.machine.process", "git": "bot.store.git", "time": "bot.machine.clock"}
NOBODY = ("gitdb", "multiprocessing", "pty", "pickle", "shelve", "marshal")
ENVIRONMENT = {"environ", "environb", "getenv", "getenvb", "putenv", "unsetenv"}
STARTERS = {"system", "popen", "fork", "forkpty", "posix_spawn", "posix_spawnp"}
IMPOSED = {"handle_request"}  # by the client's transport protocol
LINES, LINES_ALONE, FUNCTION_LINES, PARAMETERS = 200, 300, 40, 6
Rule = Callable[[Module], Iterator[str]]


def trespasses(module: Module) -> Iterator[str]:
    """Every import of the program's own modules that points the wrong way."""
    strict, loose = _part_of(module.name, MAY_IMPORT), _part_of(module.name, MAY_NOT_IMPORT)
    for found in imports(module):
        if found.name == "bot" or not any(_below(found.name, package) for package in PACKAGES):
            continue
        allowed, barred = MAY_IMPORT.get(strict or "", ()), MAY_NOT_IMPORT.get(loose or "", ())
        if strict and not any(_below(found.name, part) for part in allowed):
            yield f"{module.path}:{found.line}: {strict} may not import {found.name}"
        elif not strict and any(_below(found.name, part) for part in barred):
            yield f"{module.path}:{found.line}: {loose} may not import {found.name}"


def side_effects(module: Module) -> Iterator[str]:
    """Imports and calls that belong to one gateway alone."""
    for found in imports(module):
        root = found.name.split(".")[0]
        if root in NOBODY or GATEWAYS.get(root, module.name) != module.name:
            yield f"{module.path}:{found.line}: {root} is imported only in {GATEWAYS.get(root, 'nothing of ours')}"
    for owner, name, line in _attributes(module):
        where = f"{module.path}:{line}: {owner}.{name}"
        if owner == "os" and (name in STARTERS or name.startswith(("exec", "spawn"))):
            yield f"{where}: only bot.machine.process starts processes"
        if owner == "os" and name in ENVIRONMENT and module.name != "bot.machine.environment":
            yield f"{where}: only bot.machine.environment reads the environment"
        if owner in ("datetime", "date") and name in ("now", "utcnow", "today") and module.name != "bot.machine.clock":
            yield f"{where}: only bot.machine.clock reads the clock"


def heavy(module: Module) -> Iterator[str]:
    """The model's client and the price table take seconds: whoever calls no model must not wait for them."""
    for found in imports(module):
        if found.top and found.name.split(".")[0] in ("anthropic", "genai_prices"):
            yield f"{module.path}:{found.line}: import {found.name} inside the function that needs it"


def foreign(module: Module) -> Iterator[str]:
    """Imports of modules that run elsewhere."""
    names = {path.removesuffix(".py").replace("/", ".") for path in STAND_ALONE}
    for found in imports(module):
        if found.name in names:
            yield f"{module.path}:{found.line}: {found.name} runs in the site's interpreter; nothing imports it"


def not_everywhere(module: Module) -> Iterator[str]:
    """What a site's interpreter may not know: other packages, and what came after Python 3.9."""
    ast.parse(module.text, module.path, feature_version=(3, 9))
    for found in imports(module):
        root = found.name.split(".")[0]
        if root not in sys.stdlib_module_names and root not in ("flask", "werkzeug"):
            yield f"{module.path}:{found.line}: {found.name} is not in every site's interpreter"
    for node in ast.walk(module.tree):
        if (
            isinstance(node, ast.Call)
            and ast.unparse(node.func) == "isinstance"
            and isinstance(node.args[1], ast.BinOp)
        ):
            yield f"{module.path}:{node.lineno}: Python 3.9 knows no unions in isinstance"


def large(module: Module) -> Iterator[str]:
    """Modules and functions that are too long, and functions that take too much."""
    lines, most = len(module.text.splitlines()), LINES_ALONE if module.stands_alone else LINES
    if lines > most:
        yield f"{module.path}:{lines}: more than {most} lines; split it"
    for node, length in functions(module):
        where = f"{module.path}:{node.lineno}: {node.name}"
        if length > FUNCTION_LINES:
            yield f"{where} has {length} lines; at most {FUNCTION_LINES}"
        is_command = any("command" in ast.unparse(decorator) for decorator in node.decorator_list)
        taken = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
        count = len([one for one in taken if one.arg not in ("self", "cls")])
        if node.name != "__init__" and not is_command and count > PARAMETERS:
            yield f"{where} takes {count} values; at most {PARAMETERS}"


def vague(module: Module) -> Iterator[str]:
    """Modules that do not say what they own, and names that name nothing."""
    word = module.name.split(".")[-1]
    if re.search(r"util|helper|common|manager|misc", word):
        yield f"{module.path}:1: {word} names no thing"
    if module.text.strip() and not ast.get_docstring(module.tree):
        yield f"{module.path}:1: say in one sentence what this module owns"
    for node, _ in functions(module):
        if re.match(r"_?(handle|process)_", node.name) and node.name not in IMPOSED:
            yield f"{module.path}:{node.lineno}: {node.name} names no verb"


def silent(module: Module) -> Iterator[str]:
    """Handlers that catch everything and do not raise it again."""
    for node in ast.walk(module.tree):
        if isinstance(node, ast.ExceptHandler) and module.name != "bot.cli.reported":
            broad = node.type is None or getattr(node.type, "id", "") in ("Exception", "BaseException")
            again = isinstance(node.body[-1], ast.Raise) and node.body[-1].exc is None
            if broad and not again:
                yield f"{module.path}:{node.lineno}: name what may break"


def _below(name: str, part: str) -> bool:
    return name == part or name.startswith(part + ".")


def _part_of(name: str, parts: dict[str, tuple[str, ...]]) -> str | None:
    return max((part for part in parts if _below(name, part)), key=len, default=None)


def _attributes(module: Module) -> Iterator[tuple[str, str, int]]:
    """Every `owner.name`, with the last word of the owner, and what `from os import name` takes."""
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Attribute):
            owner = node.value.id if isinstance(node.value, ast.Name) else getattr(node.value, "attr", "")
            yield owner, node.attr, node.lineno
        elif isinstance(node, ast.ImportFrom) and node.module == "os":
            for alias in node.names:
                yield "os", alias.name, node.lineno
