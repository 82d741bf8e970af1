"""The live checkout: what counts as modified, and that moving it forward never costs anybody anything."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from bot.errors import ConfigError
from bot.store.checkout import dirty, fast_forward, lent
from bot.store.git import clone
from tests.support.repository import BOT, SITE, Scene, git, scene


@pytest.fixture
def here(tmp_path: Path) -> Scene:
    return scene(tmp_path)


@pytest.fixture
def checkout(here: Scene, tmp_path: Path) -> Path:
    clone(str(here.bare), tmp_path / "live", "main")
    return tmp_path / "live"


def pushed(here: Scene, path: str = "pages/new.html") -> str:
    tree = here.store.write_tree(here.base_tree, {path: ("100644", b"new"), "app.py": ("100644", b"print(2)\n")})
    return here.store.commit(tree, here.base, "Add one thing\n", BOT)


def test_a_clean_checkout_has_nothing_modified_and_untracked_files_never_matter(checkout: Path) -> None:
    (checkout / "untracked").write_text("x")
    assert dirty(checkout, ("pages/**",)) == ()


def test_modified_staged_and_deleted_files_outside_allow_are_named_whole(checkout: Path) -> None:
    (checkout / "app.py").write_text("changed")
    (checkout / "pages/two words.html").write_text("changed")
    git(checkout, "add", "pages/two words.html")
    git(checkout, "mv", "run.sh", "walk.sh")
    (checkout / "pyproject.toml").unlink()
    assert dirty(checkout, ()) == ("app.py", "pages/two words.html", "pyproject.toml", "run.sh", "walk.sh")
    assert dirty(checkout, ("pages/**", "*.sh")) == ("app.py", "pyproject.toml")


@pytest.mark.parametrize(("name", "text"), [("HEAD", "what?\n"), ("config", "strange [\n"), ("index", "what?\n")])
def test_a_checkout_that_git_cannot_read_is_named_with_what_next(name: str, text: str, checkout: Path) -> None:
    (checkout / ".git" / name).write_text(text)
    with pytest.raises(ConfigError, match=r"live cannot be read, git status: .+; mend that checkout, or"):
        dirty(checkout, ())


def test_a_linked_worktree_is_a_checkout_too(here: Scene, checkout: Path, tmp_path: Path) -> None:
    git(checkout, "checkout", "--quiet", "--detach")
    git(checkout, "worktree", "add", "--quiet", str(tmp_path / "linked"), "main")
    (tmp_path / "linked/app.py").write_text("changed")
    assert dirty(tmp_path / "linked", ()) == ("app.py",)
    git(tmp_path / "linked", "checkout", "--quiet", "app.py")
    assert "is at" in fast_forward(tmp_path / "linked", "main", here.store, pushed(here), here.base)


def test_an_unfinished_merge_is_modified(here: Scene, checkout: Path) -> None:
    for branch, text in (("one", "1"), ("two", "2")):
        git(checkout, "checkout", "--quiet", "-b", branch, "main")
        (checkout / "app.py").write_text(text)
        git(checkout, "commit", "--quiet", "-am", text)
    git(checkout, "merge", "one", check=False)
    assert dirty(checkout, ()) == ("app.py",)


def test_a_folder_that_is_no_checkout_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"site\.checkout"):
        dirty(tmp_path, ())


def test_a_clean_checkout_moves_forward(here: Scene, checkout: Path) -> None:
    oid = pushed(here)
    assert fast_forward(checkout, "main", here.store, oid, here.base) == f"{checkout} is at {oid[:12]}"
    assert git(checkout, "rev-parse", "HEAD") == oid
    assert git(checkout, "status", "--porcelain") == ""
    assert (checkout / "pages/new.html").read_text() == "new"


def unchanged(checkout: Path, here: Scene, note: str, why: str) -> None:
    assert "was left alone" in note
    assert why in note
    assert git(checkout, "rev-parse", "main") == here.base


def test_another_branch_and_another_base_are_left_alone(here: Scene, checkout: Path) -> None:
    git(checkout, "checkout", "--quiet", "-b", "mine")
    unchanged(checkout, here, fast_forward(checkout, "main", here.store, pushed(here), here.base), "not on main")
    git(checkout, "checkout", "--quiet", "main")
    note = fast_forward(checkout, "main", here.store, pushed(here), "1" * 40)
    unchanged(checkout, here, note, "not at 111111111111")


def test_modified_files_are_kept(here: Scene, checkout: Path) -> None:
    (checkout / "pages/one.html").write_text("mine")
    note = fast_forward(checkout, "main", here.store, pushed(here), here.base)
    unchanged(checkout, here, note, "modified")
    assert (checkout / "pages/one.html").read_text() == "mine"


@pytest.mark.parametrize("ignored", [True, False])
def test_untracked_and_ignored_files_are_never_overwritten(here: Scene, checkout: Path, ignored: bool) -> None:
    (checkout / "pages/new.html").write_text("mine")
    if ignored:
        (checkout / ".git/info").mkdir(exist_ok=True)
        (checkout / ".git/info/exclude").write_text("pages/new.html\n")
    note = fast_forward(checkout, "main", here.store, pushed(here), here.base)
    unchanged(checkout, here, note, "would be overwritten")
    assert (checkout / "pages/new.html").read_text() == "mine"
    assert (checkout / "app.py").read_text() == SITE["app.py"]


def test_a_locked_checkout_is_left_alone(here: Scene, checkout: Path) -> None:
    (checkout / ".git/index.lock").touch()
    unchanged(checkout, here, fast_forward(checkout, "main", here.store, pushed(here), here.base), "index.lock")


def test_a_checkout_whose_disk_gives_errors_is_left_alone_and_named(
    here: Scene, checkout: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    oid = pushed(here)
    monkeypatch.setattr(here.store, "pack", lambda *_: (_ for _ in ()).throw(OSError(28, "No space left on device")))
    assert "was left alone: [Errno 28]" in fast_forward(checkout, "main", here.store, oid, here.base)


def test_hooks_filters_and_monitors_of_the_checkout_do_not_run(here: Scene, checkout: Path, tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    mark.write_text(f"#!/bin/sh\necho $0 >> {tmp_path}/fired\ncat\n")
    mark.chmod(0o755)
    (checkout / ".git/hooks").mkdir(exist_ok=True)
    for name in ("post-merge", "post-checkout", "post-index-change", "reference-transaction"):
        (checkout / ".git/hooks" / name).symlink_to(mark)
    git(checkout, "config", "core.fsmonitor", str(mark))
    for key in ("filter.a=b.clean", "filter.a=b.smudge", "filter.evil.clean", "filter.evil.process"):
        git(checkout, "config", key, str(mark))
    git(checkout, "config", "filter.evil.required", "true")
    (checkout / ".git/info").mkdir(exist_ok=True)
    (checkout / ".git/info/attributes").write_text("*.py filter=evil\n*.html filter=a=b\n")
    (tmp_path / "fired").unlink(missing_ok=True)
    os.utime(checkout / "app.py", (1, 1))
    assert dirty(checkout, ()) == ()
    assert "is at" in fast_forward(checkout, "main", here.store, pushed(here), here.base)
    assert not (tmp_path / "fired").exists()


def test_a_filter_that_stands_in_an_included_file_does_not_run(checkout: Path, tmp_path: Path) -> None:
    (tmp_path / "more").write_text(f'[filter "evil"]\n\tclean = "touch {tmp_path}/fired; cat"\n')
    git(checkout, "config", "include.path", str(tmp_path / "more"))
    (checkout / ".git/info").mkdir(exist_ok=True)
    (checkout / ".git/info/attributes").write_text("*.py filter=evil\n")
    os.utime(checkout / "app.py", (1, 1))
    assert dirty(checkout, ()) == ()
    assert not (tmp_path / "fired").exists()
    git(checkout, "status")
    assert (tmp_path / "fired").exists()  # anybody else's git runs it


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
def test_root_works_as_the_owner_of_the_checkout(here: Scene, checkout: Path) -> None:
    for path in (checkout, *checkout.rglob("*")):
        os.chown(path, 61501, 61501)
    for path in checkout.parents[:-2]:
        path.chmod(0o755)
    assert dirty(checkout, ()) == ()
    assert "is at" in fast_forward(checkout, "main", here.store, pushed(here), here.base)
    assert {path.lstat().st_uid for path in (checkout, *checkout.rglob("*"))} == {61501}


def test_a_commit_that_only_the_checkout_has_is_lent_whole(here: Scene, checkout: Path) -> None:
    (checkout / "pages/new.html").write_text("mine")
    git(checkout, "checkout", "--quiet", "-b", "mine")
    git(checkout, "add", "--all")
    git(checkout, "commit", "--quiet", "-m", "Mine")
    found = lent(checkout, "mine", here.store)
    assert found == (git(checkout, "rev-parse", "mine"), git(checkout, "rev-parse", "mine^{tree}"))
    assert here.store.blob(here.store.entries(found[1])["pages/new.html"].oid) == b"mine"
    assert lent(checkout, "main", here.store) == (here.base, here.base_tree)


def test_what_the_checkout_does_not_know_is_not_lent(here: Scene, checkout: Path, tmp_path: Path) -> None:
    blob = git(checkout, "rev-parse", "HEAD:app.py")
    for name in ("no-such", "--all", "", "HEAD:app.py", blob, ":(glob)*"):
        assert lent(checkout, name, here.store) is None
    assert lent(tmp_path / "elsewhere", "main", here.store) is None
