"""Owns talk with the remote: asking for tips, fetching, pushing by exact lease, and what its refusals mean."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Literal

from bot.errors import CommandFailed, ConfigError, CredentialsRefused, PlusoneError, Unreachable
from bot.lines import one_line
from bot.redaction import Redaction
from bot.store.git import Git, last_words
from bot.store.remote import Remote

_SECONDS = 180
_KEYS = (
    r"Authentication failed|could not read (Username|Password)|Permission denied|Host key verification failed"
    r"|returned error: 40[13]|No user authentication methods|Load key|not authorized|Access denied"
)
_ABSENT = r"repository .* not found|does not appear to be a git repository"
_AWAY = (
    r"Could not resolve|unable to access|Connection (refused|timed out|reset|closed)|No route to host|unreachable"
    r"|Could not read from remote|hung up|early EOF|kex_exchange"
)


class Transport:
    """Git between one store and one remote; every address is spelled out, every refusal has its class."""

    def __init__(self, git: Git, remote: Remote) -> None:
        self._git = Git(git.folder, git.variables, git.settings, git.user, _SECONDS)
        self._remote = remote

    def tips(self, *branches: str) -> Mapping[str, str]:
        """The commit of each of these branches that exists; of all branches where none is named."""
        wanted = tuple(f"refs/heads/{branch}" for branch in branches) or ("refs/heads/*",)
        upload = f"--upload-pack={self._program('git-upload-pack')}"
        listed = self._said("ls-remote", "--quiet", "--refs", upload, self._remote.url, *wanted)
        pairs = (line.split("\t", 1) for line in listed.splitlines())
        heads = {ref.removeprefix("refs/heads/"): oid for oid, ref in pairs if ref.startswith("refs/heads/")}
        return {branch: oid for branch, oid in heads.items() if not branches or branch in branches}

    def fetch(self, branch: str, into: str) -> None:
        """Fetch the branch into the ref `into`; FETCH_HEAD names what came, and nothing where nothing could be taken.

        Raises ConfigError where there is no such branch, naming those that there are.
        """
        flags = ("--quiet", "--no-tags", "--no-recurse-submodules", "--write-fetch-head", "--no-auto-maintenance")
        upload = f"--upload-pack={self._program('git-upload-pack')}"
        try:
            self._said("fetch", *flags, upload, self._remote.url, f"+refs/heads/{branch}:{into}")
        except CommandFailed as error:
            raise self._explained(branch, error) from error

    def push(self, oid: str, branch: str, expected: str, *, dry: bool = False) -> None:
        """Set the branch from `expected` to `oid`, or not at all: a refusal is raised, in the remote's own words.

        `dry` asks the same of the remote and sends nothing.
        """
        ref = f"refs/heads/{branch}"
        flags: tuple[str, ...] = (
            "--porcelain",
            "--no-verify",
            "--no-signed",
            "--no-follow-tags",
            "--no-recurse-submodules",
        )
        flags += ("--dry-run",) if dry else ()
        program = f"--receive-pack={self._program('git-receive-pack')}"
        lease = f"--force-with-lease={ref}:{expected}"
        with self._remote.reached(self._git) as git:
            status, printed, complaint = git.ask("push", *flags, program, lease, self._remote.url, f"{oid}:{ref}")
        said = self._clean(printed.decode("utf-8", "replace") + complaint)
        if status and "rejected]" in said:
            raise CommandFailed(f"{self._remote.url} refused the push to {branch}: {_remote_words(said)}")
        if status:
            raise self.meaning("push", status, complaint)

    def _said(self, *arguments: str) -> str:
        with self._remote.reached(self._git) as git:
            status, printed, complaint = git.ask(*arguments)
        if status:
            raise self.meaning(arguments[0], status, complaint)
        return printed.decode("utf-8", "surrogateescape")

    def _program(self, name: Literal["git-upload-pack", "git-receive-pack"]) -> str:
        if self._remote.kind == "path" and not Path(self._remote.url).is_dir():
            raise Unreachable(f"{self._remote.url}: there is no repository at this path; mount it, or mend site.remote")
        return self._remote.program(name)

    def meaning(self, what: str, status: int, complaint: str) -> PlusoneError:
        """The error that a command's failure is: which it is decides the exit status of the cycle."""
        words = f"git {what} {self._remote.url}: {last_words(self._clean(complaint), status, _SECONDS)}"
        if _says(_KEYS, complaint):
            return CredentialsRefused(f"{words}; check [credentials] ({_setting(self._remote)})")
        if _says(_ABSENT, complaint):
            return ConfigError(f"{words}; check site.remote, and that the credentials may see it")
        if status in (124, 137) or _says(_AWAY, complaint):
            return Unreachable(f"{words}; the next cycle tries again")
        return CommandFailed(words)

    def _clean(self, said: str) -> str:
        """A server may repeat the token that it does not take."""
        return Redaction(lambda: self._remote.secrets).text(said)

    def _explained(self, branch: str, error: CommandFailed) -> PlusoneError:
        tips = self.tips()
        if not tips:
            return ConfigError(f"{self._remote.url}: the repository has no branch yet; push a first commit to {branch}")
        if branch not in tips:
            names = ", ".join(sorted(tips)[:10])
            return ConfigError(f"{self._remote.url}: no branch {branch}; it has {names}: mend site.branch")
        return error


def _says(pattern: str, complaint: str) -> bool:
    return re.search(pattern, complaint, re.IGNORECASE) is not None


def _setting(remote: Remote) -> str:
    return "token_file" if remote.kind == "https" else "ssh_key, known_hosts" if remote.kind == "ssh" else "its owner"


def _remote_words(said: str) -> str:
    words = [line.removeprefix("remote:").strip() for line in said.splitlines() if line.startswith("remote:")]
    reasons = re.findall(r"rejected\] \((.*)\)", said)
    return one_line("; ".join([*reasons, *(word for word in words if word)]))[:400]
