"""Fetching and pushing over real ssh and real https: only with the right key or token, only to the right host."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.errors import CredentialsRefused, PlusoneError
from bot.store.git import Git
from bot.store.remote import Remote
from bot.store.transport import Transport
from tests.support.git_servers import BACKEND, OPENSSL, SSHD, Https, Ssh, https, sshd
from tests.support.repository import BOT, Scene, branch_of, scene

NO_SSHD = pytest.mark.skipif(SSHD is None, reason="there is no sshd here; .ci/run installs it")
NO_TLS = pytest.mark.skipif(
    OPENSSL is None or not BACKEND.exists(), reason="no openssl or no git-http-backend here; .ci/run installs them"
)
TOKEN = "harbour-push-token-4711"


@pytest.fixture
def here(tmp_path: Path) -> Scene:
    return scene(tmp_path)


@pytest.fixture
def ssh(here: Scene, tmp_path: Path) -> Iterator[Ssh]:
    with sshd(tmp_path, here.bare) as server:
        yield server


@pytest.fixture
def web(here: Scene, tmp_path: Path) -> Iterator[Https]:
    with https(tmp_path, here.bare, TOKEN) as server:
        yield server


def pushed(here: Scene, remote: Remote, *settings: str) -> None:
    """Ask, fetch and push, all over that remote."""
    talk = Transport(Git(here.store.folder, settings=settings), remote)
    assert talk.tips("main") == {"main": here.base}
    talk.fetch("main", "refs/fetched/there")
    oid = here.store.commit(here.base_tree, here.base, "Mine\n", BOT)
    talk.push(oid, "main", here.base)
    assert branch_of(here.bare) == oid


def refused(here: Scene, remote: Remote, kind: type[PlusoneError], *settings: str) -> str:
    """Every way of talking is refused alike, and nothing was pushed; the last complaint."""
    talk = Transport(Git(here.store.folder, settings=settings), remote)
    oid = here.store.commit(here.base_tree, here.base, "Mine\n", BOT)
    with pytest.raises(kind):
        talk.tips("main")
    with pytest.raises(kind):
        talk.fetch("main", "refs/fetched/there")
    with pytest.raises(kind) as caught:
        talk.push(oid, "main", here.base)
    assert branch_of(here.bare) == here.base
    return str(caught.value)


@NO_SSHD
def test_a_deploy_key_and_a_pinned_host_push_over_ssh(here: Scene, ssh: Ssh) -> None:
    pushed(here, Remote(ssh.url, str(ssh.key), str(ssh.hosts)))


@NO_SSHD
def test_another_key_a_host_with_another_key_and_an_unknown_host_are_refused_over_ssh(here: Scene, ssh: Ssh) -> None:
    unknown = ssh.hosts.with_name("unknown")
    unknown.write_text("# nobody\n")
    for key, hosts in ((ssh.other, ssh.hosts), (ssh.key, ssh.wrong), (ssh.key, unknown)):
        assert "ssh_key, known_hosts" in refused(here, Remote(ssh.url, str(key), str(hosts)), CredentialsRefused)


@NO_SSHD
def test_a_deploy_key_that_others_can_read_is_refused_before_anybody_is_asked(here: Scene, ssh: Ssh) -> None:
    ssh.key.chmod(0o644)
    told = refused(here, Remote(ssh.url, str(ssh.key), str(ssh.hosts)), CredentialsRefused)
    assert f"chmod 600 {ssh.key}" in told


@NO_TLS
def test_a_token_pushes_over_https_and_no_process_tells_it(here: Scene, web: Https, tmp_path: Path) -> None:
    pushed(here, Remote(web.url, token_file=str(token(tmp_path, TOKEN))), f"http.sslCAInfo={web.certificate}")
    assert set(web.users) == {"", "x-access-token"} and web.telling == []


@NO_TLS
def test_another_token_and_none_at_all_are_refused_over_https(here: Scene, web: Https, tmp_path: Path) -> None:
    trusted = f"http.sslCAInfo={web.certificate}"
    wrong = token(tmp_path, "another-token-0815")
    told = refused(here, Remote(web.url, token_file=str(wrong)), CredentialsRefused, trusted)
    assert "token_file" in told and "0815" not in told
    refused(here, Remote(web.url), CredentialsRefused, trusted)


@NO_TLS
def test_a_server_whose_certificate_nobody_vouches_for_never_sees_the_token(
    here: Scene, web: Https, tmp_path: Path
) -> None:
    assert "certificate" in refused(here, Remote(web.url, token_file=str(token(tmp_path, TOKEN))), PlusoneError)
    assert web.users == []


def token(folder: Path, text: str) -> Path:
    """A file that only its owner can read."""
    path = folder / "token"
    path.write_text(f"{text}\n")
    path.chmod(0o600)
    return path
