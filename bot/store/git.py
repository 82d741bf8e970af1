"""The only module that speaks git: one hardened command at a time, bytes in and out, the status always checked."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import field
from datetime import datetime
from pathlib import Path
from shutil import copyfileobj
from typing import TYPE_CHECKING, BinaryIO

from bot.errors import FULL, CommandFailed, ConfigError
from bot.frozen import frozen
from bot.lines import one_line
from bot.store.hardening import ENVIRONMENT, READING, SETTINGS
from bot.store.trees import write_tree

if TYPE_CHECKING:
    from git.cmd import Git as Wrapper
    from git.cmd import _AutoInterrupt as Running

PROGRAM = Path("/usr/bin/git")
_IDLE = ("hint:", "fatal: Could not read from remote", "Please make sure you have", "and the repository exists.")
TIMED_OUT = frozenset({124, 137})


@frozen
class Identity:
    """Author and committer of a commit; `when` is ISO 8601 with its offset, so that equal inputs make equal ids."""

    name: str
    email: str
    when: str

    @property
    def variables(self) -> Mapping[str, str]:
        """The environment that makes git use it."""
        moment = datetime.fromisoformat(self.when)
        if moment.tzinfo is None:
            raise ConfigError(f"{self.when}: the time of a commit needs its offset from UTC")
        date = f"@{int(moment.timestamp())} +0000"
        return {
            f"GIT_{role}_{part}": value
            for role in ("AUTHOR", "COMMITTER")
            for part, value in (("NAME", self.name), ("EMAIL", self.email), ("DATE", date))
        }


@frozen
class Git:
    """Git on one repository.

    `folder` is the repository; without one, commands say where they work by themselves. `variables` and `settings` add
    to the hardened ones. `user` (uid, gid) is whom root becomes for the command. `seconds` bounds each command.
    """

    folder: Path | None = None
    variables: Mapping[str, str] = field(default_factory=dict)
    settings: tuple[str, ...] = ()
    user: tuple[int, int] | None = None
    seconds: int = 300

    def run(self, *arguments: str, stdin: bytes = b"", variables: Mapping[str, str] | None = None) -> bytes:
        """Run one command to its end and return what it printed.

        Raises CommandFailed with git's own last words where the status is not 0, ConfigError where git is missing.
        """
        status, printed, complaint = self.ask(*arguments, stdin=stdin, variables=variables)
        if status:
            raise CommandFailed(f"git {arguments[0]}: {last_words(complaint, status, self.seconds)}")
        return printed

    def ask(
        self, *arguments: str, stdin: bytes = b"", variables: Mapping[str, str] | None = None
    ) -> tuple[int, bytes, str]:
        """Run one command and return its status, what it printed and what it complained of: for the caller to judge."""
        status, printed, complaint = self._execute(arguments, stdin, variables or {}, None)
        return status, printed, complaint

    def stream(self, *arguments: str, size: int = 1 << 16) -> Iterator[bytes]:
        """Run one command and yield what it printed in pieces of at most `size` bytes, however much that is."""
        with tempfile.TemporaryFile() as spool:
            status, _, complaint = self._execute(arguments, b"", {}, spool)
            if status:
                raise CommandFailed(f"git {arguments[0]}: {last_words(complaint, status, self.seconds)}")
            spool.seek(0)
            while piece := spool.read(size):
                yield piece

    def argv(self, arguments: tuple[str, ...], variables: Mapping[str, str]) -> list[str]:
        """The whole command line: `env -i` first, since the wrapper hands down all that our own environment holds."""
        where = {"GIT_DIR": str(self.folder)} if self.folder else {}
        environment = {**ENVIRONMENT, **where, **self.variables, **variables}
        dying = [] if arguments[:1] in READING else ["/usr/bin/setpriv", "--pdeathsig=TERM"]
        limit = ["/usr/bin/timeout", "--kill-after=5", str(self.seconds)]
        settings = [part for setting in (*SETTINGS, *self.settings) for part in ("-c", setting)]
        pairs = [f"{name}={value}" for name, value in environment.items()]
        drop = becoming(*self.user) if self.user else ()
        return ["/usr/bin/env", "-i", *pairs, *dying, *limit, *drop, str(PROGRAM), *settings, *arguments]

    def _execute(
        self, arguments: tuple[str, ...], stdin: bytes, variables: Mapping[str, str], sink: BinaryIO | None
    ) -> tuple[int, bytes, str]:
        command = self.argv(arguments, variables)
        with _standard_input(stdin) as source:
            process = _wrapper().execute(command, istream=source, as_process=True)
            try:
                printed, complaint = _heard(process, sink)
            except BaseException:  # a push must not go on once its cycle was told to have failed
                process.terminate()
                process.communicate()
                raise
        return int(process.returncode), printed, complaint.decode("utf-8", "surrogateescape").rstrip("\n")


def _heard(process: Running, sink: BinaryIO | None) -> tuple[bytes, bytes]:
    """What it printed, unless that went to `sink`, and what it complained of, once it has ended."""
    if sink is not None:
        copyfileobj(process.stdout, sink)
    printed, complaint = process.communicate()
    return bytes(printed), bytes(complaint)


def becoming(uid: int, gid: int) -> tuple[str, ...]:
    """The words before a command that make root run it as somebody else, with none of root's groups."""
    return ("/usr/bin/setpriv", f"--reuid={uid}", f"--regid={gid}", "--clear-groups")


def last_words(complaint: str, status: int, seconds: int) -> str:
    """The line of git's complaint that says most, made inert; its advice in hints is left out."""
    if status in TIMED_OUT:
        return f"no end after {seconds} seconds, so it was stopped"
    lines = [line.strip() for line in complaint.splitlines() if line.strip() and not line.startswith(_IDLE)]
    full = [line for line in lines if any(one in line for one in FULL) and not line.startswith("remote:")]
    telling = full or [line for line in lines if line.startswith(("fatal:", "error:", "remote:", "!"))] or lines
    return one_line(telling[-1])[:400] if telling else f"exit status {status}"


def commit_tree(git: Git, tree: str, parents: tuple[str, ...], message: str, identity: Identity) -> str:
    """Write the commit object and return its id, a function of the arguments alone."""
    onto = [part for parent in parents for part in ("-p", parent)]
    text = message.encode("utf-8", "backslashreplace")
    variables = identity.variables
    return git.run("commit-tree", tree, *onto, "-F", "-", stdin=text, variables=variables).decode().strip()


def found(bare: Path, files: Path, message: str, identity: Identity, branch: str) -> str:
    """Make a bare repository whose branch holds the folder's regular files as one first commit; return its id."""
    flags = ("--quiet", "--bare", "--template=", "--object-format=sha1", f"--initial-branch={branch}")
    Git().run("init", *flags, str(bare))
    git = Git(bare)
    content = {
        path.relative_to(files).as_posix(): ("100755" if path.stat().st_mode & 0o100 else "100644", path.read_bytes())
        for path in sorted(files.rglob("*"))
        if path.is_file() and not path.is_symlink()
    }
    commit = commit_tree(git, write_tree(git, None, content), (), message, identity)
    git.run("update-ref", f"refs/heads/{branch}", commit, "")
    return commit


def commit_files(bare: Path, branch: str, files: Mapping[str, bytes | None], message: str, identity: Identity) -> str:
    """Put one more commit on a branch of a bare repository, as a person would by pushing; None deletes a file."""
    git = Git(bare)
    tip = git.run("rev-parse", "--verify", f"refs/heads/{branch}^{{commit}}").decode().strip()
    written = {path: None if content is None else ("100644", content) for path, content in files.items()}
    commit = commit_tree(git, write_tree(git, f"{tip}^{{tree}}", written), (tip,), message, identity)
    git.run("update-ref", f"refs/heads/{branch}", commit, tip)
    return commit


def clone(url: str, checkout: Path, branch: str) -> None:
    """Make an ordinary checkout of the branch of a local repository, with `origin` set."""
    local = Git(variables={"GIT_ALLOW_PROTOCOL": "file"})
    local.run("clone", "--quiet", "--template=", "--no-hardlinks", f"--branch={branch}", "--", url, str(checkout))


@contextmanager
def _standard_input(content: bytes) -> Iterator[BinaryIO | None]:
    if not content:
        yield None
        return
    with tempfile.TemporaryFile() as source:
        source.write(content)
        source.seek(0)
        yield source


def _wrapper() -> Wrapper:
    """GitPython's process wrapper, loaded only when git is about to be called: it looks for git as it is imported."""
    if not os.access(PROGRAM, os.X_OK):
        raise ConfigError(f"git is missing ({PROGRAM}): install it with `apt-get install git`")
    try:
        from git.cmd import Git as Loaded
    except ImportError as error:
        raise ConfigError(f"git cannot be run ({one_line(str(error))}): put /usr/bin on the PATH") from error
    return Loaded("/")
