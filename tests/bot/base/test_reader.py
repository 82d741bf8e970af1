"""The reader over a real store, real exports and the real sandbox."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from bot.base.cache import FolderCache
from bot.base.reader import SandboxReader
from bot.errors import SiteBroken
from bot.model import Entry, Job, Ran, Registry, Site, Source
from bot.sandbox import Box
from bot.workspace.export import FolderExports
from tests.support.holdings import APP
from tests.support.jail import PYTHON, box
from tests.support.repository import Scene, scene

FILES = {
    "src/lights/__init__.py": "",
    "src/lights/app.py": APP + "@app.get('/tide')\ndef tide(): return ''\n",
    "src/lights/content.py": 'ARTICLES = [{"slug": "a", "title": "One"}]\n',
}
SITE = Site(
    "lights.app:app",
    PYTHON.python,
    PYTHON.read,
    ("src",),
    sources=(Source("articles", "python", "slug", object="lights.content:ARTICLES"),),
)


class Counting:
    """The real sandbox, with its runs counted."""

    def __init__(self, inner: Box) -> None:
        self.inner, self.runs, self.mode = inner, 0, inner.mode

    def run(self, job: Job) -> Ran:
        self.runs += 1
        return self.inner.run(job)

    def session(self, job: Job) -> object:
        return self.inner.session(job)


@pytest.fixture(scope="module")
def jail(tmp_path_factory: pytest.TempPathFactory) -> Box:
    return box(tmp_path_factory.mktemp("jail"))


@pytest.fixture(scope="module")
def ground(tmp_path_factory: pytest.TempPathFactory) -> Scene:
    return scene(tmp_path_factory.mktemp("git"), FILES)


Make = Callable[..., SandboxReader]


@pytest.fixture
def make(tmp_path: Path, jail: Box, ground: Scene) -> Make:
    (tmp_path / "scratch").mkdir()
    exports = FolderExports(ground.store, tmp_path / "scratch", owner=jail.owner)

    def reader(site: Site = SITE, sandbox: object = jail) -> SandboxReader:
        return SandboxReader(ground.store, exports, sandbox, FolderCache(tmp_path / "cache"), site, "3")  # type: ignore[arg-type]

    return reader


def tree(ground: Scene, **files: str) -> str:
    changed = {f"src/lights/{name}.py": ("100644", text.encode()) for name, text in files.items()}
    return ground.store.write_tree(ground.base_tree, dict(changed))


def complaint(make: Make, of: str, site: Site = SITE) -> str:
    with pytest.raises(SiteBroken) as caught:
        make(site).holdings(of)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_a_tree_is_read_by_its_own_code(make: Make, ground: Scene) -> None:
    _, held = make().holdings(ground.base_tree)
    assert held.registries == (Registry("articles", (Entry("a", '{"slug": "a", "title": "One"}'),)),)
    assert [(rule.rule, rule.static, rule.module) for rule in held.rules] == [
        ("/static/<path:filename>", True, ""),
        ("/tide", False, "src/lights/app.py"),
    ]


def test_each_tree_is_read_once_and_remembered(make: Make, ground: Scene, jail: Box) -> None:
    counting = Counting(jail)
    first = make(sandbox=counting).holdings(ground.base_tree)
    assert make(sandbox=counting).holdings(ground.base_tree) == first
    other = tree(ground, content='ARTICLES = [{"slug": "b"}]')
    key, held = make(sandbox=counting).holdings(other)
    assert key != first[0] and held.registry("articles").entries[0].key == "b"
    assert counting.runs == 2


def test_another_configuration_is_read_anew(make: Make, ground: Scene) -> None:
    keys = {make(replace(SITE, env=env)).holdings(ground.base_tree)[0] for env in (None, {"LIGHTS": "1"})}
    assert len(keys) == 2


def test_a_damaged_memory_is_read_anew(make: Make, ground: Scene, tmp_path: Path) -> None:
    key, held = make().holdings(ground.base_tree)
    FolderCache(tmp_path / "cache").put(key, b'{"registries": 7}')
    assert make().holdings(ground.base_tree) == (key, held)


def test_a_site_that_raises_is_told_in_its_own_words(make: Make, ground: Scene) -> None:
    said = complaint(make, tree(ground, content="import json\njson.loads('{')\n", app="from . import content\n" + APP))
    assert "src/lights/content.py:2" in said and "JSONDecodeError" in said and "lights.app:app cannot be loaded" in said


def test_a_variable_that_is_missing_is_told_with_the_line_that_reads_it_and_the_key_to_give_it_in(
    make: Make, ground: Scene
) -> None:
    said = complaint(make, tree(ground, app="import os\nos.environ['LIGHTS_KEY']\n" + APP))
    assert "cannot be loaded at src/lights/app.py:2: KeyError: 'LIGHTS_KEY'" in said and "site.env" in said


@pytest.mark.parametrize(
    "code",
    [
        "from flask import Flask\nFlask('x').config.from_envvar('LIGHTS_SETTINGS')",
        "open('instance/lights.cfg')",
        "raise RuntimeError('LIGHTS_KEY is not set')",
    ],
)
def test_what_the_machine_has_and_the_sandbox_has_not_is_told_with_where_to_give_it(
    code: str, make: Make, ground: Scene
) -> None:
    said = complaint(make, tree(ground, app=f"{code}\n{APP}"))
    assert "LIGHTS" in said.upper() and "no variables but site.env, no files but git's and site.provide" in said


def test_a_mistake_in_the_code_is_told_without_advice_on_the_machine(make: Make, ground: Scene) -> None:
    assert "site.env" not in complaint(make, tree(ground, app=f"import nowhere\n{APP}"))


def test_what_is_no_file_is_not_told_as_a_place(make: Make, ground: Scene) -> None:
    assert "<frozen" not in complaint(make, ground.base_tree, replace(SITE, app="nowhere:app"))


def test_a_wrong_path_is_told_with_what_to_correct(make: Make, ground: Scene) -> None:
    assert "ModuleNotFoundError" in complaint(make, ground.base_tree, replace(SITE, path=(".",)))
    wrong = replace(SITE, sources=(replace(SITE.sources[0], object="lights.content:GONE"),))
    assert "no 'GONE' there; correct the registry's object" in complaint(make, ground.base_tree, wrong)


def test_a_site_that_ends_the_process_is_told_with_its_last_words(make: Make, ground: Scene) -> None:
    app = "import os, sys\nprint('lamp out', file=sys.stderr, flush=True)\nos._exit(3)"
    said = complaint(make, tree(ground, app=app))
    assert "status 3 and without an answer" in said and "it said: lamp out" in said


def test_an_interpreter_that_is_none_is_told_with_what_to_look_at(make: Make, ground: Scene) -> None:
    said = complaint(make, ground.base_tree, replace(SITE, python="/bin/ls"))
    assert "check that site.python is a Python: /bin/ls" in said


FORGERY = """
import json, os, struct
for fd in range(3, 20):
    try: os.write(fd, struct.pack(">I", len(ANSWER)) + ANSWER)
    except OSError: pass
os._exit(0)
"""


FORGERIES = (
    b"[]",
    b'{"ok": "yes"}',
    b"\xff",
    b'{"ok": false, "error": 7}',
    b'{"ok": true, "registries": [], "rules": []}',
    b'{"ok": true, "registries": [{"name": "articles", "entries": [{"key": 7, "content": ""}]}], "rules": []}',
    b"[" * 9_000,
)


def test_an_answer_that_cannot_be_read_is_never_a_reading(make: Make, ground: Scene) -> None:
    for answer in FORGERIES:
        said = complaint(make, tree(ground, app=f"ANSWER = {answer!r}\n" + FORGERY))
        assert "answer" in said, answer


def test_more_than_one_answer_is_none(make: Make, ground: Scene) -> None:
    twice = FORGERY.replace("+ ANSWER)", "+ ANSWER + ANSWER)")
    assert "without an answer" in complaint(make, tree(ground, app='ANSWER = b"{}"\n' + twice))


def test_an_answer_of_a_probe_that_could_not_answer_is_none(make: Make, ground: Scene) -> None:
    answer = b'{"ok": true, "registries": [{"name": "articles", "entries": []}], "rules": []}'
    closing = FORGERY.replace("+ ANSWER)", "+ ANSWER); os.close(fd)").replace("os._exit(0)", "app = None")
    said = complaint(make, tree(ground, app=f"ANSWER = {answer!r}\n" + closing))
    assert "status 1 and without an answer" in said


def test_the_site_sees_its_own_environment_only(make: Make, ground: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLUSONE_CANARY", "tweet")
    content = "import os\nARTICLES = [{'slug': key, 'v': os.environ[key]} for key in sorted(os.environ)]"
    _, held = make(replace(SITE, env={"LIGHTS_MODE": "test"})).holdings(tree(ground, content=content))
    entries = {entry.key: entry.content for entry in held.registry("articles").entries}
    assert "LIGHTS_MODE" in entries and "PLUSONE_CANARY" not in entries


def test_nothing_is_left_behind(make: Make, ground: Scene, tmp_path: Path) -> None:
    make().holdings(ground.base_tree)
    assert os.listdir(tmp_path / "scratch") == []


KEEPERS = Source("keepers", "files", "stem", glob="content/keepers/*.md")
HARBOURS = Source("harbours", "data", "id", file="data/harbours.yaml", at="harbours")
ALL = replace(SITE, sources=(KEEPERS, *SITE.sources, HARBOURS))


def with_content(ground: Scene, **files: str) -> str:
    content = {
        "content/keepers/agnes.md": "---\nname: Agnes\nborn: 1851-02-03\n---\nShe kept the light.\n",
        "data/harbours.yaml": "harbours:\n- {id: north, depth: 7}\n- {id: south, depth: 9}\n",
        **{
            name.replace("__", "/").replace("_md", ".md").replace("_yaml", ".yaml"): text
            for name, text in files.items()
        },
    }
    return ground.store.write_tree(
        ground.base_tree, {path: ("100644", text.encode()) for path, text in content.items()}
    )


def test_registries_of_every_source_are_read_in_the_order_of_the_configuration(make: Make, ground: Scene) -> None:
    _, held = make(ALL).holdings(with_content(ground))
    assert held.names == ("keepers", "articles", "harbours", "url_map")
    assert held.registry("keepers").entries == (
        Entry("agnes", '{"<body>": "She kept the light.\\n", "born": "1851-02-03", "name": "Agnes"}'),
    )
    assert [one.key for one in held.registry("harbours").entries] == ["north", "south"]


def test_a_file_that_cannot_be_parsed_is_told_with_its_line_and_before_the_site_is_run(
    make: Make, ground: Scene, jail: Box
) -> None:
    counting = Counting(jail)
    with pytest.raises(SiteBroken, match="keepers") as caught:
        make(ALL, counting).holdings(with_content(ground, content__keepers__b_md="---\nname: [\n---\n"))
    assert caught.value.where == "content/keepers/b.md:3" and counting.runs == 0


def test_the_source_is_read_beside_the_living_registry(make: Make, ground: Scene) -> None:
    _, held = make().holdings(tree(ground, content='ARTICLES = {"a": {"slug": "a"}, "a": {"slug": "a", "t": 2}}'))
    assert [one.key for one in held.registry("articles").entries] == ["a", "a"]
    assert [one.content for one in held.written[0].entries] == ['{"slug": "a"}', '{"slug": "a", "t": 2}']
    _, made = make().holdings(tree(ground, content='ARTICLES = [{"slug": n} for n in "ab"]'))
    assert made.written == () and len(made.registry("articles").entries) == 2


def test_a_site_that_writes_a_file_at_import_can(make: Make, ground: Scene) -> None:
    content = "from pathlib import Path\nPath('instance').mkdir()\nARTICLES = [{'slug': 'a'}]"
    _, held = make().holdings(tree(ground, content=content))
    assert held.registry("articles").entries[0].key == "a"
