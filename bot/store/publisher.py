"""The write of the cycle: one commit of the judged tree, its message made by the bot, pushed by compare and swap."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from bot.lines import shortened
from bot.model import Approve, Claim, Ready
from bot.store.git import Identity
from bot.store.repository import Store
from ledger.trailers import trailers

NAME, EMAIL = "Plusone", "plusone@bot.invalid"
TITLE, BODY = 72, 400
WAITING = "waiting"  # the folder of refs
_MARKS = str.maketrans("[]", "()")  # "[skip ci]" in a message would switch the owner's own checks off


class StorePublisher:
    """Implements what the node `commit` asks. `follow` fast-forwards the live checkout and says what it did."""

    def __init__(self, store: Store, follow: Callable[[str, Ready], str]) -> None:
        self._store, self._follow = store, follow

    def write(self, ready: Ready, approve: Approve) -> str:
        """Author, committer and dates are fixed by the cycle's start, so the same judgement makes the same commit."""
        who = Identity(NAME, EMAIL, ready.started)
        return self._store.commit(approve.tree, ready.base, message(ready, approve), who)

    def push(self, commit: str, ready: Ready) -> Literal["pushed", "lost"]:
        """Only from the judged base; already there counts as pushed."""
        return self._store.push(commit, ready.branch, ready.base)

    def rescue(self, commit: str, ready: Ready) -> str:
        """Keep it where retention finds it."""
        name = f"rescue/{ready.cycle}"
        self._store.keep(name, commit)
        return f"refs/plusone/{name}"

    def hold(self, commit: str, ready: Ready) -> str:
        """Keep it where `plusone approve` finds it."""
        name = f"{WAITING}/{ready.cycle}"
        self._store.keep(name, commit)
        return f"refs/plusone/{name}"

    def release(self, ready: Ready) -> None:
        """Keep it no longer."""
        self._store.drop(f"rescue/{ready.cycle}")

    def follow(self, commit: str, ready: Ready) -> str:
        """A note of what became of the live checkout; empty where none is configured."""
        return self._follow(commit, ready)


def message(ready: Ready, approve: Approve) -> str:
    """Title and body in the bot's words around the claim's summary; the trailers are the bot's own."""
    claim = approve.snapshot.claim
    judged = tuple(one.line for one in approve.evidence)
    return f"{_title(claim)}\n\n{_body(claim)}\n\n{trailers(ready.cycle, approve.adds, judged)}"


def _title(claim: Claim) -> str:
    return _plain(claim.summary or f"Add {claim.kind} {claim.key}", TITLE)


def _body(claim: Claim) -> str:
    return f"Adds one {_plain(claim.kind, BODY)}: {_plain(claim.key, BODY)}."


def _plain(text: str, most: int) -> str:
    return shortened(text.translate(_MARKS), most)
