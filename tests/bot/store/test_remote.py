"""What a remote is: which addresses are accepted, how names are looked up, and how secrets are handed over."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from bot.errors import ConfigError, CredentialsRefused
from bot.store.git import Git, clone
from bot.store.remote import Remote, resolve
from tests.support.repository import Scene, git, scene


@pytest.fixture
def here(tmp_path: Path) -> Scene:
    return scene(tmp_path)


@pytest.fixture
def checkout(here: Scene, tmp_path: Path) -> Path:
    clone(str(here.bare), tmp_path / "checkout", "main")
    return tmp_path / "checkout"


@pytest.mark.parametrize(
    ("url", "kind"),
    [
        ("https://example.org/a/b.git", "https"),
        ("ssh://git@example.org:2222/a.git", "ssh"),
        ("git@example.org:a/b.git", "ssh"),
        ("host:path", "ssh"),
    ],
)
def test_https_and_ssh_are_taken_as_they_are(url: str, kind: str) -> None:
    assert resolve(url, None) == url
    assert Remote(url).kind == kind


@pytest.mark.parametrize(
    "url",
    [
        "http://example.org/a.git",
        "git://example.org/a.git",
        "ext::sh -c 'touch /tmp/x'",
        "ftp://example.org/a",
        "https:///nohost",
        "ssh://-oProxyCommand=x/a",
        "file://host/path",
        "https://example.org/a\x1b[31m",
        "",
        " ",
    ],
)
def test_any_other_address_is_refused_or_is_a_plain_path(url: str, tmp_path: Path) -> None:
    try:
        resolved = resolve(url, tmp_path)
    except ConfigError:
        return
    assert Remote(resolved).kind == "path"
    assert url.startswith("ext::")


@pytest.mark.parametrize(
    "url", ["https://user:token@example.org/a.git", "https://t0ken@example.org/a", "ssh://a:b@c/d"]
)
def test_a_credential_in_an_address_is_refused_and_not_repeated(url: str) -> None:
    with pytest.raises(ConfigError, match="token_file") as caught:
        resolve(url, None)
    assert "token@" not in str(caught.value)
    assert "t0ken" not in str(caught.value)


def test_origin_is_looked_up_in_the_checkout(here: Scene, checkout: Path) -> None:
    assert resolve("origin", checkout) == str(here.bare)
    git(checkout, "remote", "set-url", "origin", "https://user:secret@example.org/x.git")
    with pytest.raises(ConfigError, match="credential"):
        resolve("origin", checkout)


def test_origin_is_looked_up_from_a_worktree_too(here: Scene, checkout: Path, tmp_path: Path) -> None:
    git(checkout, "worktree", "add", "--quiet", str(tmp_path / "tree"), "-b", "other")
    assert resolve("origin", tmp_path / "tree") == str(here.bare)


def test_rewrites_and_includes_of_the_checkout_are_not_followed(here: Scene, checkout: Path, tmp_path: Path) -> None:
    (tmp_path / "included").write_text('[remote "origin"]\n\turl = /elsewhere\n')
    git(checkout, "config", "include.path", str(tmp_path / "included"))
    git(checkout, "config", "url./evil.insteadOf", str(here.bare))
    assert resolve("origin", checkout) == str(here.bare)


def test_a_name_that_is_nowhere_is_refused_with_what_next(checkout: Path) -> None:
    with pytest.raises(ConfigError, match="git remote add upstream"):
        resolve("upstream", checkout)
    with pytest.raises(ConfigError, match="no checkout"):
        resolve("upstream", None)


def test_a_relative_path_starts_at_the_checkout_and_file_urls_are_paths(here: Scene, checkout: Path) -> None:
    assert resolve("../remote.git", checkout) == str(here.bare)
    assert resolve(f"file://{here.bare}", None) == str(here.bare)
    assert resolve("file:///a%20b", None) == "/a b"


def test_the_token_is_handed_over_by_a_script_and_is_in_no_argument(tmp_path: Path) -> None:
    token = tmp_path / "it's a token"
    token.write_text("s3cret\n")
    token.chmod(0o600)
    remote = Remote("https://example.org/a.git", token_file=str(token))
    with remote.reached(Git(tmp_path)) as reaching:
        script = Path(reaching.variables["GIT_ASKPASS"])
        assert script.stat().st_mode & 0o077 == script.parent.stat().st_mode & 0o077 == 0
        asked = b"protocol=https\nhost=example.org\n\n"
        answer = Git(variables=reaching.variables, settings=reaching.settings).run("credential", "fill", stdin=asked)
        assert b"username=x-access-token\npassword=s3cret\n" in answer
        assert "s3cret" not in " ".join(reaching.argv(("fetch",), {})) + script.read_text()
    assert not script.exists()


def test_each_kind_of_remote_may_be_spoken_to_in_its_own_way_only(tmp_path: Path) -> None:
    for url, protocol in (("https://a.b/c", "https"), ("ssh://a.b/c", "ssh"), (str(tmp_path), "file")):
        with Remote(url).reached(Git(tmp_path)) as reaching:
            assert reaching.variables["GIT_ALLOW_PROTOCOL"] == protocol


def test_ssh_reads_no_settings_asks_nothing_and_uses_only_the_given_files(tmp_path: Path) -> None:
    key, hosts = tmp_path / "key file", tmp_path / "hosts"
    key.write_text("key")
    key.chmod(0o600)
    hosts.write_text("host")
    with Remote("git@example.org:a", str(key), str(hosts)).reached(Git(tmp_path)) as reaching:
        command = next(setting for setting in reversed(reaching.settings) if "sshCommand" in setting)
    for part in ("-F /dev/null", "BatchMode=yes", "StrictHostKeyChecking=yes", f"-i '{key}'", f"={hosts}"):
        assert part in command


@pytest.mark.parametrize("setting", ["ssh_key", "known_hosts", "token_file"])
def test_a_credential_file_that_is_missing_or_empty_is_named(setting: str, tmp_path: Path) -> None:
    url = "https://a.b/c" if setting == "token_file" else "ssh://a.b/c"
    (tmp_path / "empty").touch()
    for name in ("gone", "empty"):
        remote = Remote(url, **{setting: str(tmp_path / name)})
        with pytest.raises(CredentialsRefused, match=setting), remote.reached(Git(tmp_path)):
            pass


@pytest.mark.parametrize("setting", ["ssh_key", "token_file"])
@pytest.mark.parametrize("mode", [0o604, 0o640, 0o660])
def test_a_credential_file_that_others_can_read_is_refused_with_what_mends_it(
    setting: str, mode: int, tmp_path: Path
) -> None:
    url = "https://a.b/c" if setting == "token_file" else "ssh://a.b/c"
    path = tmp_path / "held"
    path.write_text("s3cret")
    path.chmod(mode)
    remote = Remote(url, **{setting: str(path)})
    with pytest.raises(CredentialsRefused, match=f"{setting}.*{mode:04o}.*chmod 600"), remote.reached(Git(tmp_path)):
        pass


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
def test_root_runs_the_far_end_of_a_local_path_as_its_owner(tmp_path: Path) -> None:
    os.chown(tmp_path, 61501, 61502)
    assert "--reuid=61501 --regid=61502" in Remote(str(tmp_path)).program("git-receive-pack")
    assert Remote("https://a.b/c").program("git-receive-pack") == "git-receive-pack"
