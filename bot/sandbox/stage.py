"""The outer stage of a start as the administrator: an almost empty root that the dropped user can walk."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import PurePosixPath

from bot.sandbox.account import Account
from bot.sandbox.profile import system

_TMP = "/tmp"  # noqa: S108 - of the fresh root, not the host's


def stage(bwrap: str, account: Account, record: int, writable: Iterable[str], readable: Iterable[str]) -> list[str]:
    """The words that stand before the inner bubblewrap.

    An interpreter below a private home folder cannot be reached by the dropped user, and parents that bubblewrap makes
    by itself are private too: so each parent is made by name, open, on a fresh root, and only what is needed is bound.
    Should we die, the kernel lets bubblewrap's watching half, which holds no rights, signal only its own user's
    processes: so the stage is a pid namespace too, whose first process is still the administrator's and takes the rest
    along. That needs a /proc to match; the host's, whole, must stand beside it or the inner stage may not mount one.
    The inner bubblewrap builds its own root on /tmp, which must be there also where nothing that is shown lies in it.
    """
    places = dict.fromkeys(readable, "--ro-bind") | dict.fromkeys(writable, "--bind")
    return [
        *(bwrap, "--unshare-pid", "--die-with-parent", "--json-status-fd", str(record)),
        *("--perms", "0755", "--dir", "/etc"),
        *system(),
        *("--proc", "/proc", "--bind", "/proc/sys", "/proc/sys", "--bind", "/proc", "/host-proc"),
        *("--dev-bind", "/dev", "/dev"),
        *_opened(places),
        *(word for path in sorted(places) for word in (places[path], path, path)),
        *("--chmod", "0755", "/", "--chdir", "/", "--"),
        *("/usr/bin/setpriv", "--reuid", str(account.uid), "--regid", str(account.gid), "--clear-groups", "--"),
    ]


def _opened(paths: Iterable[str]) -> Iterator[str]:
    parents = {str(parent) for path in paths for parent in PurePosixPath(path).parents} - {"/"} | {_TMP}
    for parent in sorted(parents):
        yield from ("--perms", "0755", "--dir", parent)
