"""What a tree holds, asked of the site's own code in the sandbox and remembered by tree."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path

import guards
from bot.codec import decode, encode
from bot.errors import ConfigError, JournalError, SiteBroken
from bot.model import Bounds, Holdings, Job, Ran, Site
from bot.ports import Cache, Exports, Sandbox

FOLDER = Path(guards.__file__).resolve().parent
FILES = ("probe.py", "loading.py", "plain.py", "written.py")
BOUNDS = Bounds(seconds=60.0, output=32 * 1024**2)
STDERR = 600


class SandboxReader:
    """Implements `ports.Reader` with the probe; one fresh process and one fresh export for each tree."""

    def __init__(self, exports: Exports, sandbox: Sandbox, cache: Cache, site: Site, tool: str) -> None:
        """`tool` names the interpreter's version. Raises ConfigError for registries that the probe cannot read yet."""
        for source in site.sources:
            if source.source != "python":
                raise ConfigError(
                    f'registry {source.name!r}: source "{source.source}" is not supported yet; use source = "python"'
                )
        self._exports, self._sandbox, self._cache, self._site = exports, sandbox, cache, site
        probe = sha256(b"".join((FOLDER / name).read_bytes() for name in FILES)).hexdigest()
        self._about = f"{probe}\n{tool}\n{encode(site)}"

    def holdings(self, tree: str) -> tuple[str, Holdings]:
        """The cache key and what the tree holds. Raises SiteBroken with the site's own message."""
        key = "holdings-" + sha256(f"{tree}\n{self._about}".encode()).hexdigest()
        held = self._remembered(key)
        if held is None:
            with self._exports.export(tree) as folder:
                held = _read(self._sandbox.run(self._job(folder)), self._site)
            self._cache.put(key, encode(held).encode())
        return key, held

    def _remembered(self, key: str) -> Holdings | None:
        content = self._cache.get(key)
        try:
            held = decode("Holdings", content.decode()) if content is not None else None
        except (JournalError, UnicodeDecodeError):
            return None
        return held if isinstance(held, Holdings) else None

    def _job(self, folder: Path) -> Job:
        site = self._site
        sources = [{"name": one.name, "object": one.object, "key": one.key} for one in site.sources]
        request = {"app": site.app, "path": site.path, "sources": sources, "root": "."}
        return Job(
            (site.python, "-I", "-B", str(FOLDER / "probe.py")),
            str(folder),
            env=dict(site.env or {}),
            read=(*site.read, str(FOLDER)),
            stdin=json.dumps(request).encode(),
            bounds=BOUNDS,
        )


def _read(ran: Ran, site: Site) -> Holdings:
    """One whole frame and nothing else is an answer, however the process ended."""
    if ran.ended != "exit":
        raise SiteBroken(f"loading {site.app} ran into its limit ({ran.ended}, {BOUNDS.seconds:.0f} s){_said(ran)}")
    size = int.from_bytes(ran.stdout[:4], "big")
    if len(ran.stdout) < 4 or len(ran.stdout) != 4 + size:
        raise SiteBroken(f"loading {site.app} ended with status {ran.status} and without an answer{_said(ran)}")
    try:
        answer = json.loads(ran.stdout[4:])
        if answer["ok"] is not True:
            raise SiteBroken(_complaint(site, answer["error"]))
        plain = json.dumps({"registries": answer["registries"], "rules": answer["rules"]})
        held = decode("Holdings", plain)
    except (ValueError, KeyError, TypeError, RecursionError, JournalError) as error:
        raise SiteBroken(f"the answer of {site.app} cannot be read: {error!s:.200}{_said(ran)}") from error
    assert isinstance(held, Holdings)
    if [one.name for one in held.registries] != [source.name for source in site.sources]:
        raise SiteBroken(f"{site.app} answered for other registries than those it was asked for{_said(ran)}")
    return held


def _complaint(site: Site, error: dict[str, object]) -> str:
    kind, file = str(error["type"]), str(error["file"])
    what = f"{kind}: {error['message']}" if kind else str(error["message"])
    where = f" at {file}:{error['line']}" if file else ""
    advice = "" if not kind else f"; see it with: {site.python} -m flask --app {site.app} routes"
    return " ".join(f"{site.app} cannot be loaded{where}: {what}{advice}".split())


def _said(ran: Ran) -> str:
    text = " ".join(ran.stderr[-STDERR:].decode(errors="replace").split())
    return f"; it said: {text}" if text else "; it said nothing"
