"""The environment: read once, emptied of secrets, keys from the safest place first."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from bot.errors import CredentialsRefused
from bot.machine.environment import Environment, read_environment

KEY = "sk-ant-test-0123"


def key_file(path: Path, text: str = KEY, mode: int = 0o600) -> Path:
    path.write_text(text)
    path.chmod(mode)
    return path


def test_secrets_leave_the_process_so_that_no_child_inherits_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    monkeypatch.setenv("ANTHROPIC_AUTH_TOKEN", "token")
    environment = read_environment()
    assert environment.api_key() == KEY
    child = subprocess.run(
        [sys.executable, "-c", "import os; print(*os.environ)"], capture_output=True, text=True, check=True
    )
    assert "ANTHROPIC" not in child.stdout
    assert "ANTHROPIC_API_KEY" not in os.environ


def test_the_key_is_never_part_of_the_text(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    environment = read_environment()
    assert KEY not in repr(environment) + str(environment)


def test_systemds_credential_comes_first_then_the_file_then_the_environment(tmp_path: Path) -> None:
    file = key_file(tmp_path / "key", "from-the-file\n")
    plain = Environment(tmp_path, key="from-the-environment")
    assert plain.api_key() == "from-the-environment"
    assert plain.api_key(file) == "from-the-file"
    (tmp_path / "credentials").mkdir()
    given = Environment(tmp_path, credentials=tmp_path / "credentials", key="from-the-environment")
    assert given.api_key(file) == "from-the-file"
    key_file(tmp_path / "credentials" / "anthropic-api-key", "from-systemd\n", 0o440)
    assert given.api_key(file) == "from-systemd"


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o660, 0o620])
def test_a_key_file_open_to_others_is_refused_with_the_chmod_that_mends_it(tmp_path: Path, mode: int) -> None:
    file = key_file(tmp_path / "key", mode=mode)
    with pytest.raises(CredentialsRefused, match=f"{mode:04o}.*chmod 600 {file}") as caught:
        Environment(tmp_path).api_key(file)
    assert caught.value.exit_code == 77


@pytest.mark.parametrize("text", ["", "\n", "two words", "line\nline", "k\x00y", "clé", "x" * 5000])
def test_what_cannot_be_a_key_is_refused_and_not_shown(tmp_path: Path, text: str) -> None:
    file = key_file(tmp_path / "key", text)
    with pytest.raises(CredentialsRefused, match="does not hold a key") as caught:
        Environment(tmp_path).api_key(file)
    assert not text.strip() or text not in str(caught.value)


def test_a_key_file_that_is_not_there_is_no_reason_to_look_elsewhere(tmp_path: Path) -> None:
    with pytest.raises(CredentialsRefused, match=r"none: the model key cannot be read: No such file"):
        Environment(tmp_path, key=KEY).api_key(tmp_path / "none")
    with pytest.raises(CredentialsRefused, match="cannot be read"):
        Environment(tmp_path, key=KEY).api_key(tmp_path)


def test_a_missing_key_says_where_it_was_looked_for(tmp_path: Path) -> None:
    with pytest.raises(CredentialsRefused) as caught:
        Environment(tmp_path, credentials=tmp_path / "given").api_key()
    for place in (f"{tmp_path}/given/anthropic-api-key", "credentials.api_key_file", "$ANTHROPIC_API_KEY"):
        assert place in str(caught.value)


def test_the_state_folder_is_systemds_then_xdgs_then_the_homes(monkeypatch: pytest.MonkeyPatch, sealed: Path) -> None:
    assert read_environment().state == sealed / ".local/state/plusone"
    monkeypatch.setenv("XDG_STATE_HOME", "/xdg")
    assert read_environment().state == Path("/xdg/plusone")
    monkeypatch.setenv("STATE_DIRECTORY", "/var/lib/plusone:/var/lib/other")
    assert read_environment().state == Path("/var/lib/plusone")


def test_the_rest_is_read_as_it_stands(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("NO_COLOR", "JOURNAL_STREAM", "INVOCATION_ID"):
        monkeypatch.delenv(name, raising=False)
    quiet = read_environment()
    assert (quiet.no_color, quiet.journal_stream, quiet.invocation, quiet.debug) == (False, "", "", False)
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("JOURNAL_STREAM", "8:1234")
    monkeypatch.setenv("INVOCATION_ID", "abc")
    monkeypatch.setenv("PLUSONE_DEBUG", "1")
    loud = read_environment()
    assert (loud.no_color, loud.journal_stream, loud.invocation, loud.debug) == (True, "8:1234", "abc", True)
