"""The walk: what it sees, what it refuses by name, and what it carries."""

from __future__ import annotations

import contextlib
import os
import socket
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.errors import SnapshotFailed
from bot.model import TreeEntry
from bot.store.trees import blob_id
from bot.workspace.scan import Scan, ScanLimits, walk

BASE = {
    "app.py": TreeEntry("100644", blob_id(b"app\n"), 4),
    "run.sh": TreeEntry("100755", blob_id(b"run\n"), 4),
    "link": TreeEntry("120000", blob_id(b"/etc/passwd"), 11),
    "module": TreeEntry("160000", "1" * 40),
    "Docs/a.md": TreeEntry("100644", blob_id(b"a"), 1),
    "kept.pyc": TreeEntry("100644", blob_id(b"old"), 3),
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "work"
    for folder in (".git", "module", "Docs"):
        (root / folder).mkdir(parents=True)
    for name, content in (("app.py", b"app\n"), ("run.sh", b"run\n"), ("link", b""), ("Docs/a.md", b"a")):
        (root / name).write_bytes(content)
    (root / "kept.pyc").write_bytes(b"old")
    (root / "run.sh").chmod(0o755)
    return root


def look(root: Path) -> Scan:
    return walk(root, BASE, ScanLimits(file_bytes=100, files=20))


def changed(scan: Scan) -> set[str]:
    now = {path: (found.mode, found.oid) for path, found in scan.files.items()}
    before = {path: (entry.mode, entry.oid) for path, entry in BASE.items()}
    return {path for path in now.keys() | before.keys() if now.get(path) != before.get(path)}


def test_an_untouched_export_differs_in_nothing(root: Path) -> None:
    scan = look(root)
    assert scan.refusals == ()
    assert changed(scan) == set()


def test_new_changed_and_deleted_files_are_seen_with_ids_computed_here(root: Path) -> None:
    (root / "app.py").write_bytes(b"app2\n")
    (root / "deep/er").mkdir(parents=True)
    (root / "deep/er/new.txt").write_bytes(b"new")
    (root / "Docs/a.md").unlink()
    (root / "run.sh").chmod(0o644)
    scan = look(root)
    assert changed(scan) == {"app.py", "deep/er/new.txt", "Docs/a.md", "run.sh"}
    assert scan.files["deep/er/new.txt"].oid == blob_id(b"new")
    assert scan.files["run.sh"].mode == "100644"
    assert scan.content("deep/er/new.txt") == b"new"


def _socket(path: Path) -> None:
    with contextlib.chdir(path.parent), socket.socket(socket.AF_UNIX) as server:  # a socket's path may not be long
        server.bind(path.name)


def _put(path: Path, size: int = 1, mode: int = 0o644) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"x" * size)
    path.chmod(mode)


def _link(path: Path, target: str) -> None:
    """In the place of whatever stands there."""
    if path.is_dir():
        path.rmdir()
    path.unlink(missing_ok=True)
    path.symlink_to(target)


def _many(root: Path) -> None:
    for number in range(30):
        _put(root / f"n{number}")


ATTACKS: dict[str, tuple[str, Callable[[Path], object]]] = {
    "symlink": ("symlink", lambda root: _link(root / "x", "/etc/passwd")),
    "symlink to a folder": ("symlink", lambda root: _link(root / "x", "/etc")),
    "symlink over a file": ("symlink", lambda root: _link(root / "app.py", "run.sh")),
    "hard link": ("hard-link", lambda root: os.link(root / "app.py", root / "x")),
    "fifo": ("fifo", lambda root: os.mkfifo(root / "x")),
    "socket": ("socket", lambda root: _socket(root / "x")),
    "setuid": ("special-bits", lambda root: _put(root / "x", mode=0o4755)),
    "setgid on a file of base": ("special-bits", lambda root: (root / "app.py").chmod(0o2644)),
    "upper case git": ("nested-git", lambda root: (root / ".GIT").mkdir()),
    "short git": ("nested-git", lambda root: _put(root / "git~1")),
    "hidden git": ("nested-git", lambda root: (root / ".g\u200cit").mkdir()),
    "full width git": ("nested-git", lambda root: (root / "\uff0egit").mkdir()),
    "nested git": ("nested-git", lambda root: (root / "Docs/.git").mkdir()),
    "git file below": ("nested-git", lambda root: _put(root / "Docs/.git")),
    "git with content": ("nested-git", lambda root: _put(root / ".git/config")),
    "git as a link": ("nested-git", lambda root: _link(root / ".git", "/tmp")),
    "case": ("case-collision", lambda root: _put(root / "docs/b")),
    "not normal": ("name-not-nfc", lambda root: _put(root / "e\u0301")),
    "bidi": ("name-invisible", lambda root: _put(root / "a\u202eb")),
    "control": ("name-control", lambda root: _put(root / "a\x1b[2Jb")),
    "not UTF-8": ("name-not-utf8", lambda root: _put(root / "a\udcff")),
    "backslash": ("name-backslash", lambda root: _put(root / "a\\b")),
    "oversize": ("oversize", lambda root: _put(root / "big", 101)),
    "oversize in base": ("oversize", lambda root: _put(root / "app.py", 101)),
    "link placeholder filled": ("placeholder-changed", lambda root: _put(root / "link")),
    "link placeholder made a link": ("placeholder-changed", lambda root: _link(root / "link", "/etc/passwd")),
    "link placeholder gone": ("placeholder-changed", lambda root: (root / "link").unlink()),
    "submodule filled": ("placeholder-changed", lambda root: _put(root / "module/x")),
    "submodule gone": ("placeholder-changed", lambda root: (root / "module").rmdir()),
    "too deep": ("name-too-deep", lambda root: _put(root / "/".join("d" * 40))),
    "too many": ("too-many-files", _many),
}


@pytest.mark.parametrize("name", ATTACKS)
@pytest.mark.timeout(20)
def test_each_attack_is_refused_by_name_without_a_hang(root: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(root)
    code, attack = ATTACKS[name]
    attack(root)
    refusals = look(root).refusals
    assert code in {one.code for one in refusals}
    for one in refusals:
        assert one.node == "scope"
        assert one.where.isprintable()
        assert one.what.isprintable()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can make a device")
def test_a_device_is_refused_and_never_opened(root: Path) -> None:
    os.mknod(root / "x", 0o20644, os.makedev(1, 5))  # reading it would never end
    assert [one.code for one in look(root).refusals] == ["device"]


def test_a_swapped_file_is_not_read_again(root: Path) -> None:
    (root / "new").write_bytes(b"new")
    scan = look(root)
    (root / "new").write_bytes(b"other")
    with pytest.raises(SnapshotFailed, match="changed while"):
        scan.content("new")
    (root / "new").unlink()
    (root / "new").symlink_to("/etc/passwd")
    with pytest.raises(SnapshotFailed, match="cannot be read"):
        scan.content("new")


def test_a_folder_swapped_for_a_link_is_not_followed(root: Path, tmp_path: Path) -> None:
    (root / "d").mkdir()
    (root / "d/new").write_bytes(b"new")
    scan = look(root)
    (root / "d").rename(tmp_path / "elsewhere")
    (root / "d").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(SnapshotFailed):
        scan.content("d/new")


def test_what_python_leaves_behind_is_passed_over_and_what_base_tracks_is_carried(root: Path) -> None:
    (root / "Docs/__pycache__").mkdir()
    (root / "Docs/__pycache__/x.cpython-311.pyc").write_bytes(b"x" * 1000)
    (root / "kept.pyc").write_bytes(b"new")
    (root / "other.pyc").symlink_to("/etc/passwd")
    scan = look(root)
    assert scan.refusals == ()
    assert changed(scan) == set()


def test_a_large_file_of_base_is_carried_while_it_is_unchanged(tmp_path: Path) -> None:
    content = b"x" * 5000
    (tmp_path / "big").write_bytes(content)
    base = {"big": TreeEntry("100644", blob_id(content), 5000)}
    assert walk(tmp_path, base, ScanLimits(100)).refusals == ()
    (tmp_path / "big").write_bytes(b"y" + content[1:])
    assert [one.code for one in walk(tmp_path, base, ScanLimits(100)).refusals] == ["oversize"]


def test_an_old_spelling_of_a_mode_is_no_difference(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"x")
    scan = walk(tmp_path, {"a": TreeEntry("100664", blob_id(b"x"), 1)}, ScanLimits())
    assert scan.files["a"].mode == "100664"


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.dictionaries(st.text("abcXYZ .-_", min_size=1, max_size=6), st.binary(max_size=60), max_size=6))
def test_every_file_is_found_or_refused(tmp_path_factory: pytest.TempPathFactory, files: dict[str, bytes]) -> None:
    root = tmp_path_factory.mktemp("any")
    written = {name for name in files if name.strip(".") and name not in (".", "..")}
    for name in written:
        (root / name).write_bytes(files[name])
    scan = walk(root, {}, ScanLimits())
    assert written == scan.files.keys() | scan.refused.keys()
    assert all(scan.files[name].oid == blob_id(files[name]) for name in scan.files)
