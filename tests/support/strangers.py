"""Sites that nobody here wrote, as `make sites` installs them: their sources in a store, swept like any other."""

from __future__ import annotations

import ast
import re
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from bot.base.interpreter import locate
from bot.model import Site
from tests.support.sites import Yard, site, yard

ROOT = Path(__file__).parents[2]
KLAUS = 'from klaus import make_app\n\napp = make_app(["instance/lights"], "Lights")\n'


@dataclass(frozen=True)
class Stranger:
    """One of them: the package, how it is loaded, and the module that says which views there are."""

    name: str
    app: str
    module: str
    locales: tuple[str, ...] = ()
    extra: tuple[tuple[str, str], ...] = ()

    @property
    def environment(self) -> Path:
        """Where `make sites` put it."""
        return ROOT / ".sites" / self.name

    @property
    def package(self) -> Path:
        """The installed package."""
        (found,) = self.environment.glob(f"lib/python3*/site-packages/{self.name}")
        return found

    def files(self) -> dict[str, bytes]:
        """The sources below `src/`, compiled files and the package's own tests left out."""
        kept = (path for path in self.package.rglob("*") if path.is_file() and path.suffix not in (".pyc", ".mo"))
        found = {f"src/{self.name}/{path.relative_to(self.package)}": path.read_bytes() for path in kept}
        own = {path: text for path, text in found.items() if not path.startswith(f"src/{self.name}/tests/")}
        return own | {path: text.encode() for path, text in self.extra}

    def deletions(self) -> Iterator[tuple[str, dict[str, str]]]:
        """Each path that a view is routed at, with the change that takes the view away."""
        place = f"src/{self.name}/{self.module}"
        source = self.files()[place].decode()
        found = [*_decorated(source), *_listed(source)]
        return ((path, {place: without}) for path, without in found)

    def site(self) -> Site:
        """How it is loaded, in its own environment."""
        where = locate(str(self.environment / "bin" / "python"), ROOT)
        here = {"app": self.app, "python": where.python, "read": where.read, "path": ("src",)}
        return site(sources=(), locales=self.locales, **here)

    def yard(self, folder: Path) -> Yard:
        """A store whose base is the published site; what it serves besides lies in its `instance/`."""
        return yard(folder, self.files(), provide=(("instance", instance(folder / "instance")),))


STRANGERS = (
    Stranger("httpbin", "httpbin:app", "core.py"),
    Stranger("ihatemoney", "ihatemoney.run:create_app", "web.py", ("en", "fr")),
    Stranger("klaus", "gitweb:app", "__init__.py", extra=(("src/gitweb.py", KLAUS),)),
)


def instance(folder: Path) -> Path:
    """A bare repository with one commit, for the site that shows repositories."""
    plain = folder.parent / "shown"
    plain.mkdir()
    (plain / "README.md").write_text("# Lights\n\nA list of lights.\n")
    who = ("-c", "user.name=A Keeper", "-c", "user.email=keeper@lights.example", "-c", "init.defaultBranch=main")
    for command in (("init", "-q"), ("add", "."), ("commit", "-q", "-m", "List the lights")):
        subprocess.run(["/usr/bin/git", *who, *command], cwd=plain, check=True)
    subprocess.run(["/usr/bin/git", "clone", "-q", "--bare", str(plain), str(folder / "lights")], check=True)
    return folder


def _decorated(source: str) -> Iterator[tuple[str, str]]:
    """For each view that a decorator routes: the path, and the module without that view."""
    lines = source.splitlines(keepends=True)
    for node in ast.parse(source).body:
        routes = [_path(one) for one in node.decorator_list] if isinstance(node, ast.FunctionDef) else []
        if isinstance(node, ast.FunctionDef) and any(routes):
            first = min(node.lineno, *(one.lineno for one in node.decorator_list))
            yield next(path for path in routes if path), "".join(lines[: first - 1] + lines[node.end_lineno :])


def _path(decorator: ast.expr) -> str:
    """What `@something.route("/path")` says, where it says it."""
    if isinstance(decorator, ast.Call) and isinstance(decorator.func, ast.Attribute) and decorator.func.attr == "route":
        first = decorator.args[0]
        return first.value if isinstance(first, ast.Constant) and isinstance(first.value, str) else ""
    return ""


def _listed(source: str) -> Iterator[tuple[str, str]]:
    """For each line of a table `('view', '/path'),`: the path, and the module without that line."""
    for found in re.finditer(r"^ *\('\w+', +'(/[^']*)'\),\n", source, re.MULTILINE):
        yield found[1], source[: found.start()] + source[found.end() :]
