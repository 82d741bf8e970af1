"""Exports: what is written, whose it is, which rules apply, and that nothing is left."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.errors import ConfigError, SiteBroken
from bot.model import TreeEntry
from bot.workspace.export import FolderExports, overlaid
from tests.support.repository import SITE, Scene, scene, with_links


@pytest.fixture
def here(tmp_path: Path) -> Scene:
    return scene(tmp_path, {**SITE, "locales/zh/messages.po": "po", "locales/de/messages.po": "broken"})


@pytest.fixture
def exports(here: Scene, tmp_path: Path) -> FolderExports:
    return FolderExports(here.store, tmp_path / "scratch")


@pytest.fixture
def closed_umask() -> Iterator[None]:
    before = os.umask(0o077)
    yield
    os.umask(before)


@pytest.mark.usefixtures("closed_umask")
def test_an_export_is_the_tree_with_plain_modes_and_an_empty_git(here: Scene, exports: FolderExports) -> None:
    with exports.export(here.base_tree) as root:
        assert {path.relative_to(root).as_posix(): path.read_text() for path in root.rglob("*") if path.is_file()} == {
            **SITE,
            "locales/zh/messages.po": "po",
            "locales/de/messages.po": "broken",
        }
        assert stat.S_IMODE(root.stat().st_mode) == 0o700
        assert stat.S_IMODE((root / "pages").stat().st_mode) == 0o755
        assert stat.S_IMODE((root / "app.py").stat().st_mode) == 0o644
        assert stat.S_IMODE((root / "run.sh").stat().st_mode) == 0o755
        assert list((root / ".git").iterdir()) == []
    assert not root.exists()


def test_links_and_submodules_are_empty_placeholders(here: Scene, exports: FolderExports) -> None:
    with exports.export(with_links(here)) as root:
        assert (root / "link").is_file()
        assert not (root / "link").is_symlink()
        assert (root / "link").read_bytes() == b""
        assert list((root / "module").iterdir()) == []


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
def test_everything_belongs_to_the_owner(here: Scene, tmp_path: Path) -> None:
    source = tmp_path / "instance"
    source.mkdir()
    (source / "db").write_bytes(b"db")
    exports = FolderExports(
        here.store, tmp_path / "s", owner=(61500, 61501), compiler=lambda po: b"mo", provide=(("instance/", source),)
    )
    with exports.export(here.base_tree) as root:
        owners = {(path.lstat().st_uid, path.lstat().st_gid) for path in (root, *root.rglob("*"))}
    assert owners == {(61500, 61501)}


def test_an_export_is_removed_after_an_error_and_out_of_read_only_folders(here: Scene, exports: FolderExports) -> None:
    with pytest.raises(RuntimeError), exports.export(here.base_tree) as root:
        (root / "pages").chmod(0o500)
        raise RuntimeError
    assert not root.exists()


def test_two_exports_of_one_tree_are_apart(here: Scene, exports: FolderExports) -> None:
    with exports.export(here.base_tree) as one, exports.export(here.base_tree) as two:
        (one / "app.py").write_text("changed")
        assert (two / "app.py").read_text() == SITE["app.py"]


def test_tool_settings_come_from_the_tree_that_rules(here: Scene, exports: FolderExports) -> None:
    files = {
        "pyproject.toml": ("100644", b"[tool.ruff]\nexclude=['*']\n"),
        "pages/ruff.toml": ("100644", b"extend='/etc/passwd'\n"),
        "new.py": ("100644", b"new"),
    }
    candidate = here.store.write_tree(here.base_tree, files)
    with exports.export(candidate, rules_of=here.base_tree) as root:
        assert (root / "pyproject.toml").read_text() == SITE["pyproject.toml"]
        assert not (root / "pages/ruff.toml").exists()
        assert (root / "new.py").exists()
    with exports.export(here.base_tree, rules_of=candidate) as root:
        assert (root / "pages/ruff.toml").exists()


def test_tests_come_from_the_tree_that_is_asked_for(here: Scene, exports: FolderExports) -> None:
    files = {
        "tests/test_app.py": ("100644", b""),
        "tests/conftest.py": ("100644", b"collect_ignore_glob = ['*']"),
        "conftest.py": ("100644", b""),
        "pages/new_test.py": ("100644", b""),
        "app.py": ("100644", b"new"),
    }
    candidate = here.store.write_tree(here.base_tree, files)
    with exports.export(candidate, tests_of=here.base_tree) as root:
        assert (root / "tests/test_app.py").read_text() == SITE["tests/test_app.py"]
        assert (root / "app.py").read_text() == "new"
        assert not any((root / path).exists() for path in ("conftest.py", "tests/conftest.py", "pages/new_test.py"))


def test_settings_below_what_is_a_file_now_stay_away() -> None:
    entry = TreeEntry("100644", "0" * 40, 0)
    rules = {"a/ruff.toml": entry, "b/tox.ini": entry}
    assert set(overlaid({"a": entry, "ruff.toml/x.py": entry}, rules)) == {"a", "b/tox.ini"}


def test_catalogues_are_compiled_and_the_agents_own_are_replaced(here: Scene, tmp_path: Path) -> None:
    tree = here.store.write_tree(here.base_tree, {"locales/zh/messages.mo": ("100644", b"the agent's")})
    exports = FolderExports(here.store, tmp_path / "s", compiler=lambda po: None if po == b"broken" else b"mo of " + po)
    with exports.export(tree) as root:
        assert (root / "locales/zh/messages.mo").read_bytes() == b"mo of po"
        assert not (root / "locales/de/messages.mo").exists()


def test_provided_paths_are_copied_in_and_never_over_the_tree(here: Scene, tmp_path: Path) -> None:
    source = tmp_path / "instance"
    (source / "inner").mkdir(parents=True)
    (source / "inner/db").write_bytes(b"db")
    (source / "linked").symlink_to(source / "inner/db")
    (source / "dangling").symlink_to("/nonexistent")
    os.mkfifo(source / "fifo")
    (source / "inner" / "empty").mkdir()
    provide = (("instance/", source), ("app.py", source / "inner/db"), ("single", source / "inner/db"))
    with FolderExports(here.store, tmp_path / "s", provide=provide).export(here.base_tree) as root:
        assert (root / "instance/inner/db").read_bytes() == b"db"
        assert (root / "instance/linked").read_bytes() == b"db"
        assert (root / "single").read_bytes() == b"db"
        assert {path.name for path in (root / "instance").iterdir()} == {"inner", "linked"}
        assert (root / "app.py").read_text() == SITE["app.py"]
    assert (source / "inner/db").exists()


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("instance", "instance/: the tree has a file for a folder"),
        ("locales/zh/messages.mo/notes.txt", "locales/zh/messages.mo: the tree has a file for a folder"),
        ("single", "single/inner: the tree has a file for a folder"),
    ],
)
def test_a_tree_that_stands_in_the_way_of_what_is_put_in_is_broken_and_named(
    here: Scene, tmp_path: Path, path: str, said: str
) -> None:
    source = tmp_path / "instance"
    source.mkdir()
    (source / "db").write_bytes(b"db")
    provide = (("instance/", source), ("single/inner", source / "db"))
    exports = FolderExports(here.store, tmp_path / "s", compiler=lambda po: b"mo", provide=provide)
    tree = here.store.write_tree(here.base_tree, {path: ("100644", b"in the way")})
    with pytest.raises(SiteBroken, match=said), exports.export(tree):
        pass
    assert list((tmp_path / "s").iterdir()) == []


def test_a_provided_path_that_is_missing_is_named_and_leaves_nothing(here: Scene, tmp_path: Path) -> None:
    exports = FolderExports(here.store, tmp_path / "s", provide=(("instance/", tmp_path / "gone"),))
    with pytest.raises(ConfigError, match="gone is missing"), exports.export(here.base_tree):
        pass
    assert list((tmp_path / "s").iterdir()) == []
