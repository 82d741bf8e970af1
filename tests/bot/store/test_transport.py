"""Talk with the remote: the lease by itself, and what git's complaints mean."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from bot.errors import CommandFailed, ConfigError, CredentialsRefused, PlusoneError, Unreachable
from bot.store.git import Git
from bot.store.remote import Remote
from bot.store.transport import Transport
from tests.support.repository import BOT, Scene, branch_of, git, push_by_hand, scene


@pytest.fixture
def here(tmp_path: Path) -> Scene:
    return scene(tmp_path)


def transport(here: Scene) -> Transport:
    return Transport(Git(here.store.folder), here.store.remote)


def test_the_lease_alone_holds_against_a_branch_that_moved_forward(here: Scene) -> None:
    theirs = push_by_hand(here.bare)
    here.store.fetch("main")
    oid = here.store.commit(here.base_tree, here.base, "Mine\n", BOT)
    with pytest.raises(CommandFailed, match="stale info"):
        transport(here).push(oid, "main", here.base)
    assert branch_of(here.bare) == theirs


def test_the_lease_alone_holds_against_a_branch_that_was_rewound(here: Scene) -> None:
    push_by_hand(here.bare)
    base = here.store.fetch("main")
    oid = here.store.commit(here.base_tree, base, "On top\n", BOT)
    git(here.bare, "update-ref", "refs/heads/main", here.base)
    with pytest.raises(CommandFailed, match="stale info"):
        transport(here).push(oid, "main", base)
    assert branch_of(here.bare) == here.base


def test_a_token_that_the_remote_repeats_is_not_repeated_by_us(here: Scene, tmp_path: Path) -> None:
    (tmp_path / "token").write_text("harbour-token-4711\n")
    remote = Remote(str(here.bare), token_file=str(tmp_path / "token"))
    (here.bare / "hooks").mkdir(exist_ok=True)
    hook = here.bare / "hooks/pre-receive"
    hook.write_text("#!/bin/sh\necho https://x:harbour-token-4711@example.org >&2\nexit 1\n")
    hook.chmod(0o755)
    oid = here.store.commit(here.base_tree, here.base, "Mine\n", BOT)
    talk = Transport(Git(here.store.folder), remote)
    with pytest.raises(CommandFailed, match="withheld") as caught:
        talk.push(oid, "main", here.base)
    told = talk.meaning("fetch", 1, "fatal: Authentication failed for https://x:harbour-token-4711@example.org")
    assert "4711" not in f"{caught.value} {told}" and isinstance(told, CredentialsRefused)


def test_only_the_branches_that_are_asked_for_are_told(here: Scene) -> None:
    git(here.bare, "update-ref", "refs/heads/x/refs/heads/main", here.base)
    git(here.bare, "update-ref", "refs/heads/other", here.base)
    git(here.bare, "update-ref", "refs/tags/main", here.base)
    assert transport(here).tips("main") == {"main": here.base}
    assert set(transport(here).tips()) == {"main", "other", "x/refs/heads/main"}


def test_a_far_end_that_never_answers_is_stopped_and_unreachable(here: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.store.transport._SECONDS", 1)
    stuck = Transport(Git(here.store.folder), here.store.remote)
    (here.bare / "HEAD").unlink()
    os.mkfifo(here.bare / "HEAD")
    with pytest.raises(Unreachable, match="no end after 1 seconds"):
        stuck.tips("main")


@pytest.mark.parametrize(
    ("complaint", "meaning"),
    [
        ("fatal: Authentication failed for 'https://x/'", CredentialsRefused),
        ("fatal: could not read Username for 'https://x': terminal prompts disabled", CredentialsRefused),
        ("git@x: Permission denied (publickey).\nfatal: Could not read from remote repository.", CredentialsRefused),
        ("Host key verification failed.\nfatal: Could not read from remote repository.", CredentialsRefused),
        ("fatal: unable to access 'https://x/': The requested URL returned error: 403", CredentialsRefused),
        ("remote: Repository not found.\nfatal: repository 'https://x/' not found", ConfigError),
        ("fatal: unable to access 'https://x/': Could not resolve host: x", Unreachable),
        ("fatal: unable to access 'https://x/': The requested URL returned error: 502", Unreachable),
        (
            "ssh: connect to host x port 22: No route to host\nfatal: Could not read from remote repository.",
            Unreachable,
        ),
        ("fatal: the remote end hung up unexpectedly", Unreachable),
        ("fatal: something else", CommandFailed),
    ],
)
def test_each_complaint_has_its_class(here: Scene, complaint: str, meaning: type[PlusoneError]) -> None:
    error = transport(here).meaning("fetch", 128, complaint)
    assert type(error) is meaning
    assert "git fetch" in str(error)
    assert "Could not read from remote" not in str(error)
