"""Credentials are found by shape, by randomness and by value, are never printed, and prose is left in peace."""

from __future__ import annotations

import base64
import random
import sysconfig
import time
from pathlib import Path

import pytest

import guards
from bot.model import Change, Claim
from guards.secrets import secrets
from tests.support.changes import grown
from tests.support.holdings import BASE, facts, line

CLAIM = Claim("article", "c", "One article.")
BODY = "Q7rTz2M4xK9vLw3NbY6c" * 3
SECRETS = {
    "a private key": "-----BEGIN OPENSSH PRIVATE KEY-----",
    "an AWS key id": "AKIA" + "Q7RTZ2M4" * 2,
    "a GitHub token": "ghp_" + BODY[:36],
    "a GitLab token": "glpat-" + BODY[:20],
    "a Slack token": "xoxb-" + BODY[:24],
    "a Slack webhook": "https://hooks.slack.com/services/T0/B0/" + BODY[:20],
    "a model service key": "sk-ant-api03-" + BODY[:40],
    "a payment service key": "sk_live_" + BODY[:24],
    "a Google key": "AIza" + BODY[:35],
    "a package index token": "npm_" + BODY[:36],
    "a mail service key": "SG." + BODY[:22] + "." + BODY[:43],
    "a bot token": "123456789:AA" + BODY[:33],
    "a signed token": "eyJ" + BODY[:20] + ".eyJ" + BODY[:20] + "." + BODY[:30],
    "a password in a URL": "postgresql://keeper:l4ntern@db.lights.test/site",
    "a password or key": 'API_KEY = "9f86d081884c7d659a2feaa0c55ad015"',
    "a random key": BODY[:40],
}
INNOCENT = [
    "password = os.environ['DATABASE_PASSWORD']",
    'token = "{{ csrf_token() }}"',
    '<input type="password" name="password" autocomplete="current-password">',
    "https://example.org/articles/harbour-lights-of-the-north-sea-2026#notes",
    "redis://:password@localhost:6379/0",
    "postgresql://{user}:{password}@{host}/site",
    "d41d8cd98f00b204e9800998ecf8427e",
    "550e8400-e29b-41d4-a716-446655440000",
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789",
    "static/fonts/SourceSerif4Variable-Roman.ttf.woff2?version=20261130",
    "from site.lighthouses.content.articles import HarbourLightsOfTheNorthSea2026",
    "The keeper's secret: a brass lamp, two lenses and patience.",
]


def found(text: str, *exact: str) -> list[str]:
    return [one.subject for one in secrets(facts(BASE, CLAIM, added=(line(text),), secrets=exact))]


@pytest.mark.parametrize("kind", SECRETS)
def test_a_secret_is_named_by_its_kind_and_never_shown(kind: str) -> None:
    text = f"x = {SECRETS[kind]}" if " = " not in SECRETS[kind] else SECRETS[kind]
    objections = list(secrets(facts(BASE, CLAIM, added=(line(text, number=7),))))
    assert kind in [one.subject for one in objections]
    assert all(one.where == "content.py:7" and SECRETS[kind] not in repr(one) for one in objections)


@pytest.mark.parametrize("text", INNOCENT)
def test_what_is_no_secret_is_left_in_peace(text: str) -> None:
    assert found(text) == []


def test_a_known_value_is_found_anywhere_and_blacked_out_everywhere() -> None:
    value = "lamp-oil"
    assert found(f"say('{value}')", value, "") == ["a secret of this machine"]
    changes = (Change(f"{value}.txt", "added"),)
    claim = Claim(value, value, f"It is {value}.", (value,))
    given = facts(BASE, claim, changes=changes, secrets=(value,))
    said = [one for guard in guards.GUARDS for one in guard(given)]
    places = {one.what.split(" holds")[0] for one in said if one.code == "secret"}
    assert places == {"a file's name", "the claim"}
    assert value not in repr(said)


def test_lines_that_the_bot_wrote_are_not_judged() -> None:
    changes = (Change("zh.po", "changed", by="bot"),)
    assert list(secrets(facts(BASE, CLAIM, changes=changes, added=(line(BODY[:40], "zh.po"),)))) == []


def test_one_kind_in_one_file_is_said_once() -> None:
    added = tuple(line(BODY[:40], number=number) for number in range(1, 9))
    assert [one.where for one in secrets(facts(BASE, CLAIM, added=added))] == ["content.py:1"]


def test_random_keys_are_found_and_ordinary_code_rarely_is() -> None:
    """Measured: over 99 of 100 random keys, and under one line in 4,000 of ordinary source text."""
    chance = random.Random(7)
    keys = [base64.b64encode(chance.randbytes(32)).decode() for _ in range(400)]
    assert sum(bool(found(f"X = '{key}'")) for key in keys) >= 396
    library = Path(sysconfig.get_paths()["stdlib"])
    lines = [text for file in sorted(library.glob("*.py"))[:60] for text in file.read_text().split("\n")]
    hits = sum(bool(found(text)) for text in lines)
    assert len(lines) > 20_000 and hits <= len(lines) / 4000


def test_a_secret_that_code_puts_together_is_found_in_the_entry() -> None:
    given = grown([], {"slug": "new", "body": f"It is {BODY[:40]} here."}, secrets=("lamp-oil",))
    assert [one.what.split(" holds")[0] for one in secrets(given)] == ["articles/new: body"]
    assert [one.subject for one in secrets(grown([], {"slug": "new", "t": "lamp-oil"}, secrets=("lamp-oil",)))] == [
        "a secret of this machine"
    ]


@pytest.mark.parametrize("piece", ["token", "a.", "eyJ-", "token: "])
def test_a_long_line_is_searched_in_time_that_grows_with_its_length(piece: str) -> None:
    text = line(piece * (100_000 // len(piece)))
    began = time.process_time()
    assert not list(secrets(facts(BASE, CLAIM, added=(text,))))
    assert time.process_time() - began < 5
