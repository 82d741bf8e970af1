"""Owns what a remote is: an explicit https or ssh URL or a local path, and what git needs to reach exactly that."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Literal
from urllib.parse import unquote, urlsplit

from bot.errors import ConfigError, CredentialsRefused
from bot.frozen import frozen
from bot.machine.drafts import draft
from bot.names import shown
from bot.store.git import Git, becoming

_SCP = re.compile(r"^(?:[A-Za-z0-9_.+-]+@)?[A-Za-z0-9][A-Za-z0-9.-]*:(?!//)[^\s:][^\s]*$")
_NAME = re.compile(r"^[A-Za-z0-9][A-Za-z0-9._-]*$")


@frozen
class Remote:
    """Where the branch lives, and the files with which we are let in; the secrets themselves are never held here."""

    url: str
    ssh_key: str = ""
    known_hosts: str = ""
    token_file: str = ""

    @property
    def kind(self) -> Literal["https", "ssh", "path"]:
        """How git gets there."""
        if self.url.startswith("/"):
            return "path"
        return "https" if self.url.startswith("https://") else "ssh"

    @property
    def secrets(self) -> tuple[str, ...]:
        """What those files hold, by value, to be taken out of a complaint; none of them is kept."""
        from bot.machine.credentials import credentials  # late: only a complaint needs it

        return credentials([Path(name) for name in (self.token_file, self.ssh_key) if name], ())

    @contextmanager
    def reached(self, git: Git) -> Iterator[Git]:
        """Git that may speak to this remote and to no other kind of address; keys and tokens are gone after the block.

        Raises CredentialsRefused when a file that holds a key or a token cannot be used.
        """
        match self.kind:
            case "path":
                with _trusting(self.url, git) as local:
                    yield local
            case "ssh":
                settings = (*git.settings, "protocol.ssh.allow=always", f"core.sshCommand={self._ssh()}")
                yield replace(git, settings=settings, variables={**git.variables, "GIT_ALLOW_PROTOCOL": "ssh"})
            case "https":
                settings = (*git.settings, "protocol.https.allow=always")
                reaching = replace(git, settings=settings, variables={**git.variables, "GIT_ALLOW_PROTOCOL": "https"})
                with _asking(self.token_file, reaching) as asking:
                    yield asking

    def program(self, name: Literal["git-upload-pack", "git-receive-pack"]) -> str:
        """The program at the other end. Root runs that of a local path as the owner, so that its files stay theirs."""
        owner = owner_of(Path(self.url)) if self.kind == "path" else None
        if owner is None:
            return name
        return shlex.join((*becoming(*owner), name))

    def _ssh(self) -> str:
        options = ["BatchMode=yes", "IdentitiesOnly=yes", "StrictHostKeyChecking=yes", "ConnectTimeout=20"]
        if self.known_hosts:
            options.append(f"UserKnownHostsFile={_readable(self.known_hosts, 'known_hosts')}")
        words = ["/usr/bin/ssh", "-F", "/dev/null", *(part for option in options for part in ("-o", option))]
        if self.ssh_key:
            words += ["-i", str(_private(self.ssh_key, "ssh_key"))]
        return shlex.join(words)


def resolve(remote: str, checkout: Path | None) -> str:
    """The https or ssh URL, or the absolute path, that the configuration means by `remote`.

    A name is looked up in the checkout's own settings; a relative path starts at the checkout. Raises ConfigError.
    """
    if _NAME.match(remote) and checkout is not None and (found := _configured(remote, checkout)):
        return _accepted(found, checkout)
    if _NAME.match(remote) and not Path(checkout or ".", remote).exists():
        where = f"{checkout} has no remote of that name" if checkout else "there is no checkout to look it up in"
        raise ConfigError(f"site.remote {remote}: {where}; give a URL or a path, or run `git remote add {remote} URL`")
    return _accepted(remote, checkout)


def owner_of(path: Path) -> tuple[int, int] | None:
    """Whom root should become to work in the path: its owner, or None where we are that owner or may not change."""
    found = path.stat()
    return (found.st_uid, found.st_gid) if os.geteuid() == 0 and found.st_uid != 0 else None


def _configured(name: str, checkout: Path) -> str:
    folder = checkout / ".git"
    if folder.is_file():
        folder = checkout / folder.read_text().removeprefix("gitdir:").strip()
        common = folder / "commondir"
        folder = folder / common.read_text().strip() if common.is_file() else folder
    if not (folder / "config").is_file():
        return ""
    asked = ("config", "--file", str((folder / "config").resolve()), "--no-includes", "--get", f"remote.{name}.url")
    status, printed, _ = Git().ask(*asked)
    return os.fsdecode(printed).strip() if status == 0 else ""


def _accepted(url: str, checkout: Path | None) -> str:
    if shown(url) != url or not url.strip():
        raise ConfigError(f"site.remote {shown(url)!r}: empty, or with characters that an address cannot have")
    parts = urlsplit(url) if "://" in url else None
    if parts is None and not _SCP.match(url):
        return str(Path(checkout or Path.cwd(), url).absolute().resolve())
    if parts is None:
        return url
    if parts.scheme == "file" and not parts.netloc:
        return str(Path(unquote(parts.path)).resolve())
    if parts.scheme not in ("https", "ssh") or not parts.hostname or parts.hostname.startswith("-"):
        raise ConfigError(f"site.remote {parts.scheme}://…: only https, ssh and local paths are spoken; change the URL")
    if parts.password is not None or (parts.scheme == "https" and parts.username is not None):
        raise ConfigError(
            f"site.remote {parts.scheme}://…@{parts.hostname}: the URL holds a credential; "
            "put it in a file, name that in credentials.token_file, and take it out of the URL"
        )
    return url


@contextmanager
def _trusting(path: str, git: Git) -> Iterator[Git]:
    """Git distrusts a repository that others own; a file that names exactly this one is all that it believes."""
    with draft("plusone-git") as folder:
        named = path.replace("\\", "\\\\").replace('"', '\\"')
        trust = folder / "config"
        trust.write_text(f'[safe]\n\tdirectory = "{named}"\n\tdirectory = "{named}/.git"\n')
        folder.chmod(0o755)  # it holds no secret, and the owner's half of the transport reads it too
        added = {"GIT_ALLOW_PROTOCOL": "file", "GIT_CONFIG_GLOBAL": str(trust)}
        settings = (*git.settings, "protocol.file.allow=always")
        yield replace(git, settings=settings, variables={**git.variables, **added})


@contextmanager
def _asking(token_file: str, git: Git) -> Iterator[Git]:
    """Git that asks a script, which reads the file: the token stands in no argument and no environment."""
    if not token_file:
        yield git
        return
    token = _private(token_file, "token_file")
    with draft("plusone-ask") as folder:
        script = folder / "askpass"
        answer = f"exec /usr/bin/head -n 1 -- {shlex.quote(str(token))}"
        script.write_text(f'#!/bin/sh\ncase "$1" in\nUsername*) echo x-access-token ;;\n*) {answer} ;;\nesac\n')
        script.chmod(0o700)
        yield replace(git, variables={**git.variables, "GIT_ASKPASS": str(script)})


def _readable(name: str, setting: str) -> Path:
    path = Path(name).absolute()
    if not path.is_file() or not os.access(path, os.R_OK) or path.stat().st_size == 0:
        raise CredentialsRefused(f"credentials.{setting} {path}: missing, empty or unreadable; mend it or the setting")
    return path


def _private(name: str, setting: str) -> Path:
    """One that holds a secret; systemd's own files may be readable by their group, which is how it lets the user in."""
    path = _readable(name, setting)
    mode = path.stat().st_mode
    if mode & (0o007 if path.is_relative_to("/run/credentials") else 0o077):
        shared = f"others can read it (mode {mode & 0o777:04o})"
        raise CredentialsRefused(f"credentials.{setting} {path}: {shared}; chmod 600 {path}")
    return path
