"""The machine's secrets are read by value, and nothing that is a mere word becomes one."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from bot.machine.credentials import LARGEST, credentials
from tests.support.holdings import write

HELD = {
    "SECRET_KEY=lantern-4711": "lantern-4711",
    "export DB_PASSWORD='l4nternlight'": "l4nternlight",
    'SECRET_KEY = b"\\x8f\\x01lamp+oil"': "\\x8f\\x01lamp+oil",
    '{"api_key": "7f3a9c0d21", "name": "x"}': "7f3a9c0d21",
    "mail:\n  password: s3a-glass!\n": "s3a-glass!",
    "APP_TOKEN: correct-horse-battery-staple": "correct-horse-battery-staple",
    "hook = ghp_" + "Q7rTz2M4xK9vLw3NbY6c" * 2: "ghp_" + "Q7rTz2M4xK9vLw3NbY6c" * 2,
}
FREE = [
    "SECRET_KEY=lighthouse",
    "SECRET_KEY = os.environ['SECRET_KEY']",
    "token_name = csrf_token",
    "password = ",
    "PASSWORD=$OTHER_PASSWORD1",
    "title = lantern-4711-of-the-keepers",
    "password_field = 'keeper.password'",
]


@pytest.mark.parametrize("text", HELD)
def test_a_value_under_a_telling_name_is_a_secret(tmp_path: Path, text: str) -> None:
    assert HELD[text] in credentials((), [write(tmp_path, {"instance/.env": text}) / "instance"])


@pytest.mark.parametrize("text", FREE)
def test_a_word_a_name_and_a_reference_are_none(tmp_path: Path, text: str) -> None:
    assert credentials((), [write(tmp_path, {".env": text}) / ".env"]) == ()


def test_key_files_count_line_by_line_without_their_armour(tmp_path: Path) -> None:
    armour = "-----BEGIN OPENSSH PRIVATE KEY-----", "-----END OPENSSH PRIVATE KEY-----"
    write(tmp_path, {"token": "plain-token\n", "key": f"{armour[0]}\nb3BlbnNzaC1rZXk\nQyNTUxOQAAACD\n{armour[1]}\n"})
    found = credentials((tmp_path / "token", None, tmp_path / "key", tmp_path / "absent"), ())
    assert found == ("plain-token", "b3BlbnNzaC1rZXk", "QyNTUxOQAAACD")


def test_what_is_no_text_too_large_or_a_link_gives_nothing(tmp_path: Path) -> None:
    folder = write(tmp_path, {"instance/large.env": "x" * LARGEST + "\nSECRET=lantern-4711"}) / "instance"
    (folder / "site.sqlite").write_bytes(b"SECRET=lantern-4711\n\0")
    (folder / "latin").write_bytes(b"SECRET=lantern-4711\xe9\n")
    os.symlink(write(tmp_path, {"outside": "SECRET=lantern-4711"}) / "outside", folder / "link")
    assert credentials((), [folder, tmp_path / "absent"]) == ()
