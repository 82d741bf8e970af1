"""Whom untrusted code runs as on the host: never the administrator."""

from __future__ import annotations

import os
import pwd

from bot.errors import ConfigError
from bot.frozen import frozen

DYNAMIC = 61500  # in the range that systemd keeps for users without an account


@frozen
class Account:
    """A host user, by numbers."""

    uid: int
    gid: int

    def own(self, path: str | os.PathLike[str]) -> None:
        """Give it the file or folder itself."""
        os.chown(path, self.uid, self.gid, follow_symlinks=False)


def dropped(user: str) -> Account | None:
    """The account to drop to; None when we are an ordinary user already.

    Raises ConfigError when `sandbox.user` is unknown, is the administrator, or cannot be reached from who we are.
    """
    account = Account(DYNAMIC, DYNAMIC) if user == "auto" else _named(user)
    if os.getuid() == 0:
        return account
    if user != "auto" and account.uid != os.getuid():
        raise ConfigError(f"sandbox.user: only the administrator can drop to {user}; set it to auto")
    return None


def _named(user: str) -> Account:
    try:
        entry = pwd.getpwnam(user)
    except KeyError as error:
        raise ConfigError(f"sandbox.user: there is no user {user}; create it, or set it to auto") from error
    if entry.pw_uid == 0:
        raise ConfigError(f"sandbox.user: {user} is the administrator; name an ordinary user, or set it to auto")
    return Account(entry.pw_uid, entry.pw_gid)
