"""A store that was damaged: known as what broke, set aside whole, and made anew with what was kept."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from bot.errors import CommandFailed, StoreDamaged, Unreachable
from bot.store.damage import raise_blamed, renew
from bot.store.git import Git
from bot.store.remote import Remote
from bot.store.repository import Store
from tests.support.repository import BOT, Scene, git, push_by_hand, scene
from tests.support.traces import photograph


@pytest.fixture
def here(tmp_path: Path) -> Scene:
    made = scene(tmp_path)
    tree = made.store.write_tree(made.base_tree, {"new.txt": ("100644", b"new\n")})
    made.store.keep("rescue/20261130T040000Z-7f3a", made.store.commit(tree, made.base, "Add one thing\n", BOT))
    made.store.keep("snapshots/20261130T040000Z-7f3a/1", tree)
    return made


def dropped(kind: str) -> Callable[[Path], None]:
    """Objects of that kind are gone."""

    def drop(store: Path) -> None:
        for line in git(store, "cat-file", "--batch-check", "--batch-all-objects").splitlines():
            oid, found, _ = line.split()
            if found == kind:
                (store / "objects" / oid[:2] / oid[2:]).unlink(missing_ok=True)

    return drop


def garbled(name: str, text: bytes = b"\0what?\n") -> Callable[[Path], None]:
    """A file of the store holds something else."""

    def write(store: Path) -> None:
        (store / name).parent.mkdir(parents=True, exist_ok=True)
        (store / name).write_bytes(text)

    return write


def packed_and(suffix: str) -> Callable[[Path], None]:
    """All is in one pack, whose file of that suffix is damaged in the middle."""

    def damage(store: Path) -> None:
        git(store, "repack", "-a", "-d", "-q")
        (pack,) = (store / "objects" / "pack").glob(f"*{suffix}")
        pack.chmod(0o600)
        whole = pack.read_bytes()
        pack.write_bytes(whole[: len(whole) // 2] + bytes(64) + whole[len(whole) // 2 + 64 :])

    return damage


def config_of_another_git(store: Path) -> None:
    with (store / "config").open("a") as file:
        file.write("[core]\n\trepositoryformatversion = 1\n[extensions]\n\tunheardOf = true\n")


def folder_for_a_note(store: Path) -> None:
    (store / "FETCH_HEAD").unlink()
    (store / "FETCH_HEAD").mkdir()


DAMAGE: dict[str, Callable[[Path], None]] = {
    "no-objects": lambda store: shutil.rmtree(store / "objects"),
    "no-refs": lambda store: shutil.rmtree(store / "refs"),
    "no-head": lambda store: (store / "HEAD").unlink(),
    "head": garbled("HEAD"),
    "empty-ref": garbled("refs/fetched/tip", b""),
    "ref-to-nothing": garbled("refs/plusone/rescue/lost", b"1" * 40 + b"\n"),
    "packed-refs": garbled("packed-refs"),
    "shallow": garbled("shallow"),
    "config": config_of_another_git,
    "index-of-a-pack": packed_and(".idx"),
    "pack": packed_and(".pack"),
    "note": folder_for_a_note,
    "commits": dropped("commit"),
    "blobs": dropped("blob"),
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_damaged_store_is_known_set_aside_whole_and_made_anew(damage: str, here: Scene, tmp_path: Path) -> None:
    DAMAGE[damage](here.store.folder)
    before = photograph(here.store.folder)
    with pytest.raises(StoreDamaged, match=r"store\.git is damaged \(.+\); `plusone run` sets it aside"):
        raise_blamed(here.store.folder, CommandFailed("git cat-file: fatal: what?"))
    aside = renew(here.store.folder)
    assert photograph(aside) == before
    new = Store.open(here.store.folder, Remote(str(here.bare)))
    assert new.fetch("main") == here.base
    Git(new.folder).run("fsck", "--full")
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(["remote.git", "store.git", aside.name])


@pytest.mark.parametrize("damage", ["no-head", "empty-ref", "packed-refs", "shallow", "config", "note"])
def test_what_was_kept_is_carried_over_where_its_objects_are_whole(damage: str, here: Scene) -> None:
    kept = here.store.kept("")
    assert len(kept) == 2
    DAMAGE[damage](here.store.folder)
    renew(here.store.folder)
    new = Store(here.store.folder, Remote(str(here.bare)))
    assert new.kept("") == kept
    assert new.blob(f"{kept['rescue/20261130T040000Z-7f3a']}:new.txt") == b"new\n"
    assert "app.py" in new.entries(new.tree_of(kept["rescue/20261130T040000Z-7f3a"]))


def test_what_was_kept_is_carried_over_one_by_one_where_another_is_lost(here: Scene) -> None:
    kept = here.store.kept("")
    git(here.store.folder, "pack-refs", "--all")
    garbled("refs/plusone/rescue/lost", b"1" * 40 + b"\n")(here.store.folder)
    renew(here.store.folder)
    assert Store(here.store.folder, Remote(str(here.bare))).kept("") == kept


def test_a_fetch_names_the_store_and_not_the_remote(here: Scene) -> None:
    shutil.rmtree(here.store.folder / "objects")
    push_by_hand(here.bare)
    with pytest.raises(StoreDamaged, match=r"store\.git is damaged \(fatal: not a git repository"):
        here.store.fetch("main")


@pytest.mark.parametrize("left", [b"", None])
def test_a_store_that_lost_its_config_is_damaged_and_no_stranger(left: bytes | None, here: Scene) -> None:
    (here.store.folder / "config").unlink()
    if left is not None:
        (here.store.folder / "config").write_bytes(left)
    kept = here.store.folder.stat().st_ino
    with pytest.raises(StoreDamaged, match="its config is lost"):
        Store.open(here.store.folder, here.store.remote)
    assert renew(here.store.folder).stat().st_ino == kept
    new = Store.open(here.store.folder, here.store.remote)
    assert len(new.kept("")) == 2 and new.fetch("main") == here.base


def test_a_whole_store_is_never_blamed(here: Scene) -> None:
    before = photograph(here.store.folder)
    for error in (CommandFailed("git cat-file: no blob"), Unreachable("git fetch: hung up")):
        with pytest.raises(type(error)) as caught:
            raise_blamed(here.store.folder, error)
        assert caught.value is error
    assert photograph(here.store.folder) == before


def test_where_git_cannot_look_the_store_is_not_blamed(here: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.rmtree(here.store.folder / "objects")
    broken = here.store.folder.parent / "git"
    monkeypatch.setattr("bot.store.git.PROGRAM", broken)
    for words in ("fatal: Out of memory: Cannot allocate memory", "error: x: Too many open files"):
        broken.write_text(f"#!/bin/sh\necho '{words}' >&2\nexit 128\n")
        broken.chmod(0o755)
        error = CommandFailed("git fetch: fatal")
        with pytest.raises(CommandFailed) as caught:
            raise_blamed(here.store.folder, error)
        assert caught.value is error


def test_the_second_damage_takes_nothing_of_the_first(here: Scene) -> None:
    (here.store.folder / "HEAD").unlink()
    first = renew(here.store.folder)
    (here.store.folder / "HEAD").unlink()
    second = renew(here.store.folder)
    assert first != second and first.is_dir() and second.is_dir()


BLAMES = """
import sys
from pathlib import Path
from bot.errors import CommandFailed, ConfigError
from bot.store.damage import raise_blamed
try:
    raise_blamed(Path(sys.argv[1]), CommandFailed("git hash-object: fatal"))
except ConfigError as error:
    print(error)
"""


def test_a_store_that_cannot_be_written_is_told_as_that(here: Scene) -> None:
    (here.store.folder / "objects").chmod(0o500)
    mortal = ["setpriv", "--bounding-set=-dac_override"] if os.geteuid() == 0 else []  # root may write anywhere
    command = [*mortal, sys.executable, "-c", BLAMES, str(here.store.folder)]
    told = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    (here.store.folder / "objects").chmod(0o700)
    assert re.search(r"store\.git cannot be written \(.*objects: Permission denied\); make", told), told
