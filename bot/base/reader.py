"""What a tree holds: asked of the site's own code in the sandbox, parsed from its files, and remembered by tree."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path

import bot.sources
import gates
import guards
from bot.codec import decode, encode
from bot.errors import JournalError, SiteBroken
from bot.lines import one_line
from bot.model import Bounds, Entry, Holdings, Job, Ran, Registry, Site, Source
from bot.ports import Cache, Exports, Objects, Sandbox
from bot.sources import Tree, parsed, spelling

FOLDER, LOADING = Path(guards.__file__).resolve().parent, Path(gates.__file__).resolve().parent
FILES = (FOLDER / "probe.py", FOLDER / "plain.py", FOLDER / "wiring.py", LOADING / "loading.py")
PARSERS = tuple(sorted(Path(bot.sources.__file__).resolve().parent.glob("*.py")))
BOUNDS = Bounds(seconds=60.0, output=256 * 1024**2)
STDERR = 600
_OF_CODE = ("SyntaxError", "IndentationError", "ImportError", "ModuleNotFoundError", "NameError", "AttributeError")
_VARIABLE = re.compile(r"'[A-Z][A-Z0-9_]*'")


class SandboxReader:
    """Implements `ports.Reader` with the probe; one fresh process and one fresh export for each tree."""

    def __init__(
        self, objects: Objects, exports: Exports, sandbox: Sandbox, cache: Cache, site: Site, tool: str
    ) -> None:
        """`tool` names the interpreter's version."""
        self._objects, self._exports, self._sandbox = objects, exports, sandbox
        self._cache, self._site = cache, site
        probe = sha256(b"".join(path.read_bytes() for path in (*FILES, *PARSERS))).hexdigest()
        self._about = f"{probe}\n{tool}\n{encode(site)}"

    def holdings(self, tree: str) -> tuple[str, Holdings]:
        """The cache key and what the tree holds. Raises SiteBroken with the site's own message."""
        key = "holdings-" + sha256(f"{tree}\n{self._about}".encode()).hexdigest()
        held = self._remembered(key)
        if held is None:
            held = self._read(tree)
            self._cache.put(key, encode(held).encode())
        return key, held

    def afresh(self, tree: str) -> Holdings:
        """What the tree holds, read in a new process whatever is remembered. Raises SiteBroken."""
        return self._read(tree)

    def _read(self, tree: str) -> Holdings:
        """What is parsed comes first: it is cheap, and tells the line where something is wrong."""
        files, sources = Tree(self._objects, tree), self._site.sources
        held = {one.name: parsed(files, one) for one in sources if one.source != "python"}
        with self._exports.export(tree) as folder:
            answer = _answer(self._sandbox.run(self._job(folder)), self._site)
        living = {one.name: one for one in answer.registries}
        written: list[Registry] = []
        for source in _asked(self._site):
            spelt = spelling(files, self._site.path, source)
            held[source.name] = _repeated(living[source.name], spelt.entries)
            told = spelt.whole or _hides(living[source.name], spelt.entries)
            written += [Registry(source.name, spelt.entries)] if told else []
        return Holdings(tuple(held[one.name] for one in sources), answer.rules, tuple(written), answer.wiring)

    def _remembered(self, key: str) -> Holdings | None:
        content = self._cache.get(key)
        try:
            held = decode("Holdings", content.decode()) if content is not None else None
        except (JournalError, UnicodeDecodeError):
            return None
        return held if isinstance(held, Holdings) else None

    def _job(self, folder: Path) -> Job:
        site = self._site
        sources = [{"name": one.name, "object": one.object, "key": one.key} for one in _asked(site)]
        request = {"app": site.app, "path": site.path, "sources": sources, "root": "."}
        return Job(
            (site.python, "-I", "-B", str(FOLDER / "probe.py")),
            str(folder),
            writable=True,  # the export is its own: a site that opens its database at import must be able to
            env=dict(site.env or {}),
            read=(*site.read, str(FOLDER), str(LOADING)),
            stdin=json.dumps(request).encode(),
            bounds=BOUNDS,
        )


def _asked(site: Site) -> tuple[Source, ...]:
    """The registries that only the site's own code can tell."""
    return tuple(one for one in site.sources if one.source == "python")


def _hides(living: Registry, written: Iterable[Entry]) -> bool:
    """Whether the site lacks what its source spells out: the two disagree, whatever else code makes."""
    return bool({one.key for one in written} - {one.key for one in living.entries})


def _repeated(living: Registry, written: Iterable[Entry]) -> Registry:
    """Each entry as often as the source writes its key: of two equal keys a mapping keeps only the last."""
    twice = Counter(one.key for one in written)
    here = Counter(one.key for one in living.entries)
    entries = (one for one in living.entries for _ in range(max(1, twice[one.key] if here[one.key] == 1 else 1)))
    return Registry(living.name, tuple(entries))


def _answer(ran: Ran, site: Site) -> Holdings:
    """One whole frame and nothing else, of a process that ended as the probe ends, is an answer."""
    if ran.ended != "exit":
        raise SiteBroken(f"loading {site.app} ran into its limit ({ran.ended}, {BOUNDS.seconds:.0f} s){_said(ran)}")
    size = int.from_bytes(ran.stdout[:4], "big")
    if ran.status or len(ran.stdout) < 4 or len(ran.stdout) != 4 + size:
        asked = f"; check that site.python is a Python: {site.python} -m flask --app {site.app} routes"
        raise SiteBroken(f"loading {site.app} ended with status {ran.status} and without an answer{_said(ran)}{asked}")
    try:
        answer = json.loads(ran.stdout[4:])
        if answer["ok"] is not True:
            raise SiteBroken(_complaint(site, answer["error"]))
        plain = json.dumps({**{name: answer[name] for name in ("registries", "rules", "wiring")}, "written": []})
        held = decode("Holdings", plain)
    except (ValueError, KeyError, TypeError, RecursionError, JournalError) as error:
        raise SiteBroken(f"the answer of {site.app} cannot be read: {error!s:.200}{_said(ran)}") from error
    assert isinstance(held, Holdings)
    if [one.name for one in held.registries] != [source.name for source in _asked(site)]:
        raise SiteBroken(f"{site.app} answered for other registries than those it was asked for{_said(ran)}")
    return held


def _complaint(site: Site, error: dict[str, object]) -> str:
    kind, file = str(error["type"]), str(error["file"])
    what = f"{kind}: {error['message']}" if kind else str(error["message"])
    where = f" at {file}:{error['line']}" if file else ""
    advice = "" if not kind else f"; see it with: {site.python} -m flask --app {site.app} routes"
    if kind == "KeyError" and _VARIABLE.fullmatch(str(error["message"])):
        advice = f"; if it is a variable of the environment, give it in site.env: the site gets no others{advice}"
    elif kind not in ("", *_OF_CODE):
        advice = f"; the site gets no variables but site.env, no files but git's and site.provide, no network{advice}"
    return one_line(f"{site.app} cannot be loaded{where}: {what}{advice}")


def _said(ran: Ran) -> str:
    text = " ".join(ran.stderr[-STDERR:].decode(errors="replace").split())
    return f"; it said: {text}" if text else "; it said nothing"
