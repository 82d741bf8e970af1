"""Who may read, who may act: the host and the origin that are known, the token, and a seal on every form."""

from __future__ import annotations

import hmac
import secrets
from dataclasses import dataclass, field

COOKIE = "plusone"
_SESSIONS = 64


@dataclass(slots=True)
class Doorkeeper:
    """`names` are the hosts, with their ports, by which the page is known; the token is told at start only."""

    names: frozenset[str]
    token: str = field(default_factory=lambda: secrets.token_urlsafe(24), repr=False)
    _key: bytes = field(default_factory=lambda: secrets.token_bytes(32), repr=False)
    _sessions: dict[str, None] = field(default_factory=dict, repr=False)

    def knows(self, host: str) -> bool:
        """Whether the request means this page: another name for our address is somebody else's trick."""
        return host.lower() in self.names

    def ours(self, origin: str | None) -> bool:
        """Whether a form was sent from this page. A browser that does not say is turned away."""
        scheme, _, host = (origin or "").partition("://")
        return scheme in ("http", "https") and self.knows(host)

    def enter(self, token: str) -> str | None:
        """A new session for who knows the token."""
        if not hmac.compare_digest(token.encode(), self.token.encode()):
            return None
        session = secrets.token_urlsafe(24)
        self._sessions[session] = None
        while len(self._sessions) > _SESSIONS:
            del self._sessions[next(iter(self._sessions))]
        return session

    def leave(self, session: str) -> None:
        """End a session."""
        self._sessions.pop(session, None)

    def seal(self, session: str | None) -> str:
        """What each form of the session must carry; empty without a session."""
        if session is None or session not in self._sessions:
            return ""
        return hmac.new(self._key, session.encode(), "sha256").hexdigest()

    def accepts(self, session: str | None, seal: str) -> bool:
        """Whether the form is one that we gave to that session."""
        wanted = self.seal(session)
        return bool(wanted) and hmac.compare_digest(seal.encode(), wanted.encode())
