"""Guard: no credential leaves the machine, be it in the change, in its names, in the claim or put together by code.

None is ever printed.
"""

from __future__ import annotations

import itertools
import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator

from bot.model import Objection
from guards.entries import newcomers, texts
from guards.facts import Facts

SHORTEST = 6
ENTROPY = 3.2
TURNS = 0.4
SHAPES = {
    "a private key": r"-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----",
    "an AWS key id": r"\b(?:AKIA|ASIA)[A-Z2-7]{16}\b",
    "a GitHub token": r"\b(?:gh[pousr]_[A-Za-z0-9]{36,}|github_pat_\w{40,})",
    "a GitLab token": r"\bglpat-[\w-]{20,}",
    "a Slack token": r"\bxox[abeoprs]-[A-Za-z0-9-]{10,}",
    "a Slack webhook": r"hooks\.slack\.com/services/T\w+/B\w+/\w+",
    "a model service key": r"\bsk-(?:ant-|proj-|or-)?[\w-]{0,12}[A-Za-z0-9]{20,}",
    "a payment service key": r"\b[sr]k_live_[A-Za-z0-9]{16,}",
    "a Google key": r"\bAIza[\w-]{35}",
    "a package index token": r"\b(?:pypi-AgE[\w-]{50,}|npm_[A-Za-z0-9]{36})",
    "a mail service key": r"\bSG\.[\w-]{16,}\.[\w-]{30,}",
    "a bot token": r"\b\d{8,10}:AA[\w-]{33}",
    "a signed token": r"\beyJ[\w-]{10,1000}\.eyJ[\w-]{10,}\.[\w-]{20,}",
    "a password in a URL": r"\b[a-z][a-z0-9+.-]{0,40}://[^\s/:@'\"<>{}$%]*:(?!pass(?:word)?@|pwd@)[^\s/:@'\"<>{}$%]{4,}@[\w.-]+",
}
_SHAPES = {name: re.compile(pattern) for name, pattern in SHAPES.items()}
_NAMED = re.compile(
    r"(?i)(?:secret|token|passw(?:or)?d|api[_-]?key|private[_-]?key|access[_-]?key|credential)"
    r"\w{0,80}['\"]?\]?\s*(?::\s*\w+\s*)?[:=]\s*['\"](?P<value>[^\s'\"]{12,})['\"]"
)
_SETTING = re.compile(
    r"(?i)(?<![\w.-])(?=[\w.-]*"
    r"(?:secret|token|passw(?:or)?d|passphrase|api[_-]?key|private[_-]?key|access[_-]?key|credential|dsn|salt))[\w.-]++"
    r"['\"]?[ \t]*[:=][ \t]*(?:[rbuf]?(['\"])(?P<quoted>[^'\"\n]+)\1|(?P<bare>[^\s'\"#,;()\[\]{}<>$]+)(?=[\s,;#]|$))"
)
_WORDS = re.compile(r"[^\W\d]+(?:[./: -][^\W\d]+)*")
_BARE = re.compile(r"(?<![\w+/=.-])[A-Za-z0-9+/_-]{32,}={0,2}(?![\w+/=.-])")


def secrets(facts: Facts) -> Iterator[Objection]:
    """Objects once to each kind of secret in each file, in the files' names, in new entries and in the claim."""
    said: set[tuple[str, str]] = set()
    for file, number, text in _texts(facts):
        for kind in _kinds(text, facts.secrets):
            if (file, kind) not in said:
                said.add((file, kind))
                where = f"{file}:{number}" if number else ""
                what = f"{file if not number else 'an added line'} holds what looks like {kind}; it is not shown here"
                yield Objection("secret", "guards", where, kind, what, "", "no credentials, not even as examples")


def held(text: str) -> tuple[str, ...]:
    """What looks like a secret in a settings file: values under telling names, well-known shapes, random keys.

    Words and names are left out, for any text may hold them: a value has 8 characters with a digit or a sign among
    them, or 20 characters.
    """
    named = [found["quoted"] or found["bare"] for found in _SETTING.finditer(text)]
    shaped = [found[0] for shape in _SHAPES.values() for found in shape.finditer(text)]
    bare = [found[0] for found in _BARE.finditer(text) if _mixed(found[0]) and _random(found[0])]
    telling = (value for value in named if len(value) >= 20 or (len(value) >= 8 and not _WORDS.fullmatch(value)))
    return tuple(dict.fromkeys((*telling, *shaped, *bare)))


def _texts(facts: Facts) -> Iterator[tuple[str, int, str]]:
    agents = set(facts.snapshot.paths)
    yield from ((line.path, line.number, line.text) for line in facts.added if line.path in agents)
    yield from (("a file's name", 0, path) for path in facts.snapshot.paths)
    claim = facts.snapshot.claim
    parts = (claim.key, claim.summary, *claim.routes, *claim.changes, *claim.sources)
    yield from (("the claim", 0, part) for part in parts)
    for one in newcomers(facts):
        yield from ((f"{one.name}: {name}", 0, text) for name, text in texts(one.entry))


def _kinds(text: str, exact: Iterable[str]) -> Iterator[str]:
    if any(len(value) >= SHORTEST and value in text for value in exact):
        yield "a secret of this machine"
    for name, shape in _SHAPES.items():
        if shape.search(text):
            yield name
    if any(_random(found["value"]) for found in _NAMED.finditer(text)):
        yield "a password or key"
    if any(_mixed(found[0]) and _random(found[0]) for found in _BARE.finditer(text)):
        yield "a random key"


def _random(text: str) -> bool:
    """Evenly mixed characters, as no prose, path or name has them."""
    counts = Counter(text).values()
    bits = -sum(count / len(text) * math.log2(count / len(text)) for count in counts)
    return bits >= min(ENTROPY, math.log2(len(text)) - 0.6) and any(one.isdigit() for one in text)


def _mixed(text: str) -> bool:
    """Capitals, small letters and digits that alternate often; hashes in hexadecimal, words and paths do not."""
    kinds = ["A" if one.isupper() else "a" if one.islower() else "0" for one in text]
    turns = sum(one != following for one, following in itertools.pairwise(kinds))
    return len(set(kinds)) == 3 and turns >= len(text) * TURNS
