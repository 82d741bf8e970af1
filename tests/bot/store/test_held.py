"""What was read of a store is read once, and is what git says; names that can come to mean something else never are."""

from __future__ import annotations

import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import bot.store.held
from bot.errors import CommandFailed
from bot.store.git import Git
from bot.store.held import Held
from tests.support.repository import BOT, Scene, git, scene


@pytest.fixture
def here(tmp_path: Path) -> Scene:
    return scene(tmp_path)


@pytest.fixture
def held(here: Scene) -> Held:
    return Held(Git(here.store.folder))


def gone(here: Scene) -> None:
    """From now on git knows nothing, so that what is still told was remembered."""
    shutil.rmtree(here.store.folder / "objects")


def some(here: Scene, held: Held) -> list[str]:
    """The ids of the base's files."""
    return sorted({entry.oid for entry in held.entries(here.base_tree).values()})


def test_a_tree_and_blobs_are_read_once(here: Scene, held: Held) -> None:
    entries = held.entries(here.base_tree)
    oids = some(here, held)
    contents = held.blobs(oids)
    one = held.blob(oids[0])
    gone(here)
    assert held.entries(here.base_tree) == entries and held.blobs(oids) == contents
    assert held.blob(oids[-1]) == contents[oids[-1]] and one == contents[oids[0]]


def test_only_what_is_new_is_asked_for_and_all_come_in_the_order_asked(here: Scene, held: Held) -> None:
    first, *rest = some(here, held)
    held.blob(first)
    assert list(held.blobs([*rest, first, first])) == [*rest, first]
    for oid in (first, *rest):
        assert held.blobs([oid])[oid].decode() == git(here.store.folder, "cat-file", "blob", oid) + "\n"


def test_an_empty_blob_is_remembered_too(here: Scene, held: Held) -> None:
    oid = git(here.store.folder, "hash-object", "-w", "--stdin")
    assert held.blob(oid) == b""
    gone(here)
    assert held.blobs([oid]) == {oid: b""}


def test_a_name_that_may_move_is_asked_each_time(here: Scene, held: Held) -> None:
    git(here.store.folder, "update-ref", "refs/heads/x", here.base)
    before = held.entries("refs/heads/x")
    tree = here.store.write_tree(here.base_tree, {"new.txt": ("100644", b"new\n")})
    git(here.store.folder, "update-ref", "refs/heads/x", here.store.commit(tree, here.base, "x", BOT))
    assert {*held.entries("refs/heads/x")} - {*before} == {"new.txt"}
    assert held.blob("refs/heads/x:new.txt") == b"new\n"


def test_what_is_handed_out_cannot_be_changed(here: Scene, held: Held) -> None:
    with pytest.raises(TypeError):
        held.entries(here.base_tree)["x"] = None  # type: ignore[index]
    oid = some(here, held)[0]
    dict(held.blobs([oid])).clear()
    assert held.blobs([oid]) != {}


def test_what_is_not_there_is_refused_and_not_remembered(here: Scene, held: Held) -> None:
    for _ in range(2):
        with pytest.raises(CommandFailed):
            held.entries("a" * 40)
        with pytest.raises(CommandFailed, match="is no blob of the store"):
            held.blobs(["b" * 40, some(here, held)[0]])
        with pytest.raises(CommandFailed):
            held.blob(here.base_tree)


def test_room_is_bounded(here: Scene, held: Held, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bot.store.held, "_ROOM", 200)
    monkeypatch.setattr(bot.store.held, "_LARGE", 150)
    monkeypatch.setattr(bot.store.held, "_TREES", 2)
    store = here.store.folder
    oids = [git(store, "hash-object", "-w", "--stdin", said=f"{n}" * size) for n, size in enumerate((90, 90, 90, 160))]
    for oid in oids:
        held.blob(oid)
        assert sum(map(len, held._blobs.values())) <= 200 and oids[3] not in held._blobs
    for text in "abcd":
        held.entries(here.store.write_tree(here.base_tree, {"x": ("100644", text.encode())}))
        assert len(held._trees) <= 2
    assert [len(content) for content in held.blobs(oids).values()] == [90, 90, 90, 160]


def test_threads_share_it(here: Scene, held: Held) -> None:
    oids = some(here, held)
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda n: (held.blobs(oids[n % 3 :]), held.entries(here.base_tree)), range(24)))
    assert all(blobs == {oid: here.store.blob(oid) for oid in blobs} for blobs, _ in found)
