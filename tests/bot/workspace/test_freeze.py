"""From a workspace to a snapshot: over a real store, real files, and a repository full of traps."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest

from bot.codec import encode
from bot.model import Change, Claim, Objection, Snapshot
from bot.workspace.folder import FolderWorkspace
from bot.workspace.freeze import Policy, freeze
from tests.support.repository import BOT, Scene, branch_of, git, scene, with_links

CLAIM = Claim("article", "one", "One article")
POLICY = Policy(allow=("app.py", "run.sh", "pages/**", "tests/**"), max_file_bytes=1000)


@pytest.fixture
def here(tmp_path: Path) -> Scene:
    return scene(tmp_path)


@pytest.fixture
def root(here: Scene, tmp_path: Path) -> Path:
    FolderWorkspace(here.store, tmp_path / "work").restore(here.base_tree)
    return tmp_path / "work"


def frozen(here: Scene, root: Path, policy: Policy = POLICY, extra: dict[str, bytes] | None = None) -> Snapshot:
    snapshot = freeze(here.store, root, here.base, CLAIM, policy, extra or {})
    assert isinstance(snapshot, Snapshot), snapshot
    return snapshot


def refused(here: Scene, root: Path, policy: Policy = POLICY) -> dict[str, str]:
    objections = freeze(here.store, root, here.base, CLAIM, policy)
    assert isinstance(objections, tuple)
    assert all(isinstance(one, Objection) and one.node == "scope" for one in objections)
    return {one.where: one.code for one in objections}


def test_a_snapshot_holds_exactly_the_change(here: Scene, root: Path) -> None:
    (root / "app.py").write_text("print(2)\n")
    (root / "pages/new page.html").write_text("<p>\u00e9</p>\n")
    (root / "pages/one.html").unlink()
    (root / "run.sh").chmod(0o644)
    snapshot = frozen(here, root)
    assert snapshot.changes == (
        Change("app.py", "changed", "100644", 9),
        Change("pages/new page.html", "added", "100644", 10),
        Change("pages/one.html", "deleted", "100644"),
        Change("run.sh", "changed", "100644", 10),
    )
    assert here.store.changed(here.base_tree, snapshot.tree) == snapshot.paths
    assert here.store.blob(here.store.entries(snapshot.tree)["app.py"].oid) == b"print(2)\n"


def test_equal_workspaces_are_equal_trees(here: Scene, root: Path) -> None:
    (root / "pages/new.html").write_text("new")
    assert frozen(here, root) == frozen(here, root)


def test_an_untouched_workspace_is_objected_to(here: Scene, root: Path) -> None:
    (root / "stray.txt").write_text("x")
    (root / "empty").mkdir()
    assert refused(here, root) == {".": "nothing-changed"}


def test_strays_are_dropped_and_noted(here: Scene, root: Path) -> None:
    (root / "pages/new.html").write_text("new")
    (root / "notes").mkdir()
    (root / "notes/a.txt").write_text("x")
    (root / "site.db").write_bytes(b"x" * 5000)
    (root / "__pycache__").mkdir()
    (root / "__pycache__/app.pyc").write_bytes(b"x")
    snapshot = frozen(here, root)
    assert snapshot.paths == ("pages/new.html",)
    assert sorted(one.path for one in snapshot.dropped) == ["notes/a.txt", "site.db"]


def test_tracked_files_outside_what_is_allowed_are_objected_to(here: Scene, root: Path) -> None:
    (root / "pages/one.html").write_text("x")
    (root / "app.py").unlink()
    assert refused(here, root, Policy(allow=("pages/**",))) == {"app.py": "outside-allow"}


def test_protected_paths_are_objected_to_new_changed_and_deleted(here: Scene, root: Path) -> None:
    (root / "pages/new.html").write_text("new")
    (root / "pages/.gitattributes").write_text("* filter=evil")
    (root / "pyproject.toml").unlink()
    (root / "tests/test_app.py").write_text("")
    (root / "tests/test_new.py").write_text("def test_new(): pass\n")
    assert refused(here, root, replace(POLICY, allow=("**",))) == {
        "pages/.gitattributes": "protected",
        "pyproject.toml": "protected",
        "tests/test_app.py": "existing-test",
    }


def test_a_folder_in_the_place_of_a_compiled_catalogue_is_objected_to(here: Scene, root: Path) -> None:
    (root / "pages/de.mo").mkdir()
    (root / "pages/de.mo/notes.txt").write_text("x")
    assert refused(here, root) == {"pages/de.mo/notes.txt": "name-compiled"}


def test_a_deleted_file_whose_name_no_record_can_hold_is_objected_to(here: Scene, tmp_path: Path) -> None:
    name = os.fsdecode(b"pages/caf\xe9.html")
    tree = here.store.write_tree(here.base_tree, {name: ("100644", b"x")})
    base = here.store.commit(tree, here.base, "Latin", BOT)
    root = tmp_path / "latin"
    FolderWorkspace(here.store, root).restore(tree)
    (root / "pages/new.html").write_text("new")
    assert encode(freeze(here.store, root, base, CLAIM, POLICY)).encode()  # left alone, it is no matter
    (root / name).unlink()
    objections = freeze(here.store, root, base, CLAIM, POLICY)
    assert isinstance(objections, tuple)
    assert [(one.code, one.where) for one in objections] == [("name-not-utf8", "pages/caf\\udce9.html")]


def test_every_refusal_is_told_at_once_and_nothing_is_written(here: Scene, root: Path) -> None:
    (root / "pages/link").symlink_to("/etc/passwd")
    (root / "pages/big").write_bytes(b"x" * 1001)
    (root / "pyproject.toml").write_text("")
    before = git(here.store.folder, "count-objects")
    assert set(refused(here, root).values()) == {"symlink", "oversize", "protected"}
    assert git(here.store.folder, "count-objects") == before


def test_a_walk_that_was_cut_short_does_not_call_the_rest_deleted(here: Scene, root: Path) -> None:
    for number in range(2100):
        (root / f"a{number}").touch()
    assert refused(here, root) == {".": "too-many-files"}


def test_links_and_submodules_of_base_are_carried_unchanged(here: Scene, tmp_path: Path) -> None:
    tree = with_links(here)
    base = here.store.commit(tree, here.base, "Links", BOT)
    root = tmp_path / "linked"
    FolderWorkspace(here.store, root).restore(tree)
    (root / "app.py").write_text("x")
    snapshot = freeze(here.store, root, base, CLAIM, POLICY)
    assert isinstance(snapshot, Snapshot)
    entries = here.store.entries(snapshot.tree)
    assert entries["link"].mode == "120000"
    assert entries["module"].mode == "160000"
    assert snapshot.paths == ("app.py",)


def test_the_bots_own_files_are_marked_and_meet_no_path_rule(here: Scene, root: Path) -> None:
    (root / "pages/new.html").write_text("new")
    extra = {"locales/messages.po": b"x" * 5000, "pyproject.toml": b"[tool.ruff]\n"}
    snapshot = frozen(here, root, extra=extra)
    assert {change.path: change.by for change in snapshot.changes} == {
        "locales/messages.po": "bot",
        "pages/new.html": "agent",
    }
    assert here.store.blob(here.store.entries(snapshot.tree)["locales/messages.po"].oid) == b"x" * 5000


def test_what_agent_and_bot_both_wrote_counts_as_the_agents(here: Scene, root: Path) -> None:
    (root / "pages/one.html").write_text("agent")
    snapshot = frozen(here, root, extra={"pages/one.html": b"agent and bot"})
    assert snapshot.changes == (Change("pages/one.html", "changed", "100644", 13, "agent"),)


def test_a_compiled_catalogue_is_the_bots_whatever_the_agent_compiled_and_wherever(here: Scene, root: Path) -> None:
    (root / "pages/one.html").write_text("agent")
    (root / "locales").mkdir()
    (root / "locales/zh.mo").write_bytes(b"compiled by the agent")
    snapshot = frozen(here, root, extra={"locales/zh.mo": b"by the bot"})
    assert Change("locales/zh.mo", "added", "100644", 10, "bot") in snapshot.changes


def test_a_restored_workspace_with_the_bots_files_in_it_is_the_same_snapshot(here: Scene, root: Path) -> None:
    (root / "pages/new.html").write_text("new")
    extra = {"locales/messages.po": b"po"}
    first = frozen(here, root, extra=extra)
    FolderWorkspace(here.store, root).restore(first.tree)
    assert frozen(here, root, extra=extra) == first


def test_extras_alone_are_no_change(here: Scene, root: Path) -> None:
    objections = freeze(here.store, root, here.base, CLAIM, POLICY, {"x.po": b"x"})
    assert isinstance(objections, tuple)
    assert [one.code for one in objections] == ["nothing-changed"]


TRAPS = {
    "core.fsmonitor": "{mark}",
    "core.hooksPath": "{hooks}",
    "core.sshCommand": "{mark}",
    "core.pager": "{mark}",
    "core.editor": "{mark}",
    "core.askPass": "{mark}",
    "core.alternateRefsCommand": "{mark}",
    "credential.helper": "!{mark}",
    "gpg.program": "{mark}",
    "commit.gpgSign": "true",
    "push.gpgSign": "true",
    "diff.external": "{mark}",
    "diff.evil.textconv": "{mark}",
    "diff.evil.command": "{mark}",
    "filter.evil.clean": "{mark}",
    "filter.evil.smudge": "{mark}",
    "filter.evil.process": "{mark}",
    "filter.evil.required": "true",
    "url./elsewhere.insteadOf": "{bare}",
    "url.ext::{mark} .pushInsteadOf": "{bare}",
    "remote.origin.receivepack": "{mark}",
    "remote.origin.uploadpack": "{mark}",
    "protocol.allow": "always",
    "protocol.ext.allow": "always",
}


def trap(config: Path, here: Scene, mark: Path) -> None:
    """Every way by which a repository's settings run a program, all of them leaving the same mark."""
    hooks = config.parent / "evil-hooks"
    hooks.mkdir(parents=True)
    for name in ("pre-commit", "post-commit", "pre-push", "post-index-change", "reference-transaction", "post-merge"):
        (hooks / name).symlink_to(mark)
    for key, value in TRAPS.items():
        filled = [text.format(mark=mark, hooks=hooks, bare=here.bare) for text in (key, value)]
        git(config.parent, "config", "--file", str(config), *filled)


@pytest.mark.parametrize("where", ["the store's own settings", "the agent's folder", "the operator's settings"])
def test_a_repository_full_of_traps_fires_nothing(
    here: Scene, root: Path, tmp_path: Path, where: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With git's own addresses: even where the traps are in the store, only `insteadOf` would need a clean one."""
    fired, mark = tmp_path / "fired", tmp_path / "mark"
    mark.write_text(f"#!/bin/sh\necho x >> {fired}\nexit 1\n")
    mark.chmod(0o755)
    config = {"the store's own settings": here.store.folder / "config", "the agent's folder": root / "pages/config"}
    place = config.get(where, tmp_path / "operator" / "gitconfig")
    place.parent.mkdir(exist_ok=True)
    trap(place, here, mark)
    if where == "the operator's settings":
        monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(place))
        monkeypatch.setenv("GIT_EXTERNAL_DIFF", str(mark))
        monkeypatch.setenv("GIT_SSH_COMMAND", str(mark))
    if where == "the store's own settings":
        (place.parent / "info").mkdir(exist_ok=True)
        (place.parent / "info/attributes").write_text("* filter=evil diff=evil\n")
        for key in ("url./elsewhere.insteadOf", f"url.ext::{mark} .pushInsteadOf"):
            git(place.parent, "config", "--file", str(place), "--unset-all", key)
    if where == "the agent's folder":
        (root / "pages/evil-hooks").rename(tmp_path / "evil-hooks")
        place.rename(root / "pages/gitconfig")
    (root / "app.py").write_text("print(2)\n")
    snapshot = frozen(here, root, replace(POLICY, max_file_bytes=10_000))
    here.store.patch(here.base_tree, snapshot.tree)
    oid = here.store.commit(snapshot.tree, here.base, "Add one thing\n", BOT)
    here.store.keep("snapshots/x", snapshot.tree)
    assert here.store.push(oid, "main", here.base) == "pushed"
    assert branch_of(here.bare) == oid
    assert not fired.exists()


def test_a_git_folder_planted_by_the_agent_is_refused(here: Scene, root: Path) -> None:
    (root / ".git").rmdir()
    git(root, "init", "--quiet")
    (root / "app.py").write_text("x")
    assert refused(here, root)[".git"] == "nested-git"


def test_hiding_a_change_from_git_does_not_hide_it_from_the_walk(here: Scene, root: Path) -> None:
    (root / "pages/.gitignore").write_text("*\n")
    (root / "pages/hidden.html").write_text("x")
    os.utime(root / "app.py", (1, 1))
    (root / "app.py").write_bytes(b"print('SITE')\n")  # same size, and as old as you like
    os.utime(root / "app.py", (1, 1))
    assert refused(here, root)["pages/.gitignore"] == "protected"
    (root / "pages/.gitignore").unlink()
    assert frozen(here, root).paths == ("app.py", "pages/hidden.html")
