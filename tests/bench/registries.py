"""Measures what registries of growing size, and a long history, cost: `python -m tests.bench.registries`.

All numbers are seconds of the processor, children included.
"""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from bot.base.cache import FolderCache
from bot.base.reader import SandboxReader
from bot.codec import decode, encode
from bot.model import Change, Claim, Entry, Holdings, Limits, Registry, Site, Snapshot, Source
from bot.sandbox import Box, open_sandbox
from bot.store.remote import Remote
from bot.store.repository import Store
from bot.workspace.export import FolderExports
from guards import GUARDS
from guards.facts import Facts
from ledger.store import LedgerStore
from tests.bench.figure import Figure
from tests.support.holdings import APP, ARTICLE
from tests.support.jail import PYTHON
from tests.support.repository import Scene, scene

SIZES = (10, 1_000, 10_000, 100_000)
KEYED = Source("articles", "python", "slug", object="content:ARTICLES")
SHAPES: dict[str, tuple[Source, str, Callable[[int], str]]] = {
    "python literal": (KEYED, "content.py", lambda size: f"ARTICLES = [\n{_rows(size)}]\n"),
    "python loop": (
        KEYED,
        "content.py",
        lambda size: f"ARTICLES = [{{'slug': f'a-{{n}}', 'title': f'Title {{n}}', 'n': n}} for n in range({size})]\n",
    ),
    "yaml data": (
        Source("articles", "data", "slug", file="content.yaml"),
        "content.yaml",
        lambda size: "".join(f"- slug: a-{n}\n  title: Title {n}\n  n: {n}\n" for n in range(size)),
    ),
    "json data": (
        Source("articles", "data", "slug", file="content.json"),
        "content.json",
        lambda size: f"[{_rows(size).rstrip().rstrip(',')}]",
    ),
}
SECONDS, REBUILD, GROWTH = 1.0, 10.0, 1.6
COMMITS = 100_000


def registries() -> list[Figure]:
    """Seconds for registries of growing size, each shape and step, and for a long history."""
    with tempfile.TemporaryDirectory(prefix="plusone-bench-") as folder:
        rows = [*_registries(Path(folder)), *_judging(), *_history(Path(folder))]
    return [Figure("scale", name, measured, "s", limit) for name, measured, limit in rows]


Row = tuple[str, float, float | None]


def _registries(folder: Path) -> Iterator[Row]:
    """Seconds to read a tree, less those that the same site takes with a registry of ten."""
    ground = scene(folder / "git", {"app.py": APP})
    (folder / "scratch").mkdir()
    box = open_sandbox(scratch=folder / "scratch")
    for shape, (source, path, text) in SHAPES.items():
        imported = "import content\n" + APP if path.endswith(".py") else APP
        seconds: dict[int, float] = {}
        for size in SIZES:
            files = {"app.py": ("100644", imported.encode()), path: ("100644", text(size).encode())}
            tree = ground.store.write_tree(ground.base_tree, dict(files))
            seconds[size] = min(_read(ground, box, folder, source, tree) for _ in range(2))
            own = _own_import(folder, files) if path.endswith(".py") else 0.0
            added = seconds[size] - seconds[10] - own
            yield f"read {size} entries, {shape}: seconds over ten and the import", max(0.0, added), _limit(size)
        times = (seconds[100_000] - seconds[10]) / max(0.01, 10 * (seconds[10_000] - seconds[10]))
        yield f"from 10,000 to 100,000, {shape}: times a straight line", times, GROWTH


def _limit(size: int) -> float | None:
    return SECONDS if size == 10_000 else None


def _read(ground: Scene, box: Box, folder: Path, source: Source, tree: str) -> float:
    site = Site("app:app", PYTHON.python, PYTHON.read, sources=(source,))
    exports = FolderExports(ground.store, folder / "scratch", owner=box.owner)
    with tempfile.TemporaryDirectory(dir=folder) as cache:
        reader = SandboxReader(ground.store, exports, box, FolderCache(Path(cache)), site, "bench")
        return _timed(lambda: reader.holdings(tree))


def _own_import(folder: Path, files: dict[str, tuple[str, bytes]]) -> float:
    """Seconds that the interpreter takes to import the site's content, over importing nothing."""
    (folder / "plain").mkdir(exist_ok=True)
    (folder / "plain" / "content.py").write_bytes(files["content.py"][1])
    argv = [PYTHON.python, "-I", "-B", "-c"]
    where = f"import sys; sys.path.insert(0, {str(folder / 'plain')!r})"
    with_it = _timed(lambda: subprocess.run([*argv, f"{where}; import content"], check=True))
    return max(0.0, with_it - _timed(lambda: subprocess.run([*argv, where], check=True)))


def _judging() -> Iterator[Row]:
    """Seconds that all guards take over two readings of a large registry, and the cache to remember one."""
    for size in SIZES:
        entries = tuple(Entry(f"a-{n}", f'{{"n": {n}, "slug": "a-{n}", "title": "Title {n}"}}') for n in range(size))
        new = Entry("x-0", '{"n": 7, "slug": "x-0", "title": "A new one"}')
        held = Holdings((Registry("articles", entries),), ())
        grown = Holdings((Registry("articles", (*entries, new)),), ())
        claim = Claim("article", "x-0", "")
        snapshot = Snapshot("b", "bt", "ct", claim, (Change("content.py", "changed"),))
        known = {f"articles/{one.key}": "stands in the site" for one in entries}
        facts = Facts(snapshot, held, grown, (ARTICLE,), known, Limits())
        yield f"judge {size} entries with all guards", _timed(partial(_judge, facts)), _limit(size)
        yield f"remember {size} entries", _timed(partial(_remember, held)), _limit(size)


def _judge(facts: Facts) -> None:
    assert [one.code for guard in GUARDS for one in guard(facts)] == []


def _remember(held: Holdings) -> None:
    assert decode("Holdings", encode(held)) == held


def _history(folder: Path) -> Iterator[Row]:
    """Seconds to make the ledger again from a long history of which each fourth commit is the bot's."""
    bare = folder / "long.git"
    subprocess.run(["git", "init", "--quiet", "--bare", "--initial-branch=main", str(bare)], check=True)
    said = b"".join(_commits())
    subprocess.run(["git", "fast-import", "--quiet"], cwd=bare, input=said, check=True)
    store = Store.open(folder / "store.git", Remote(str(bare)))
    tip, ledger = store.fetch("main"), LedgerStore(folder / "ledger.db")
    log = ((one.oid, one.when, one.message) for one in store.log(tip))
    yield f"rebuild the ledger from {COMMITS} commits", _timed(lambda: ledger.renew(log, tip, ())), REBUILD
    assert len(ledger.list()) == COMMITS // 4


def _commits() -> Iterator[bytes]:
    for number in range(COMMITS):
        message = f"Change {number}\n\nSome words about it.\n"
        if number % 4 == 0:
            message += f"\nPlusone-Cycle: 20261130T040000Z-{number:05x}\nPlusone-Adds: articles/a-{number}\n"
        text = message.encode()
        head = f"commit refs/heads/main\ncommitter A <a@example.org> {1_600_000_000 + number} +0000\ndata {len(text)}\n"
        yield head.encode() + text


def _rows(size: int) -> str:
    return "".join(f'{{"slug": "a-{n}", "title": "Title {n}", "n": {n}}},\n' for n in range(size))


def _timed(act: Callable[[], object]) -> float:
    """Seconds of the processor, ours and our children's, so that what else the machine does plays no part."""
    began = _spent()
    act()
    return _spent() - began


def _spent() -> float:
    spent = os.times()
    return spent.user + spent.system + spent.children_user + spent.children_system
