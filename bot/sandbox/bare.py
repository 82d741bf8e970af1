"""Starts one job without a sandbox, for an operator who declared that the whole machine is one."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from bot.errors import NoSandbox
from bot.frozen import frozen
from bot.machine.process import Command, Program
from bot.model import Job
from bot.sandbox import profile
from bot.sandbox.account import Account
from bot.sandbox.launch import Started, checked
from bot.sandbox.watch import family

INSIDE = re.compile(r"(?<![\w./-])/w(?![\w.-])")  # the folder's name in the sandbox, as a whole path or its beginning


@frozen
class Bare:
    """Starts jobs without a sandbox, for an operator whose whole machine is one: still limited, still not as root."""

    account: Account | None
    memory: int
    scratch: Path

    @contextmanager
    def __call__(self, job: Job) -> Iterator[Started]:
        """The job, running in a home of its own; after the block it, its family and the home are gone."""
        checked(job)
        if self.account is not None:
            walkable(Path(job.work), self.account)
        with tempfile.TemporaryDirectory(dir=self.scratch, prefix="home-") as home:
            if self.account is not None:
                self.account.own(home)
            here = placed(job, home)
            drop = self._drop()
            memory, alone = min(self.memory, job.bounds.memory), self.account is not None
            limited = profile.limited(here.argv, job.bounds, memory, alone=alone)
            program = Program(Command((*drop, *limited), profile.environment(here), job.work))
            program.victims = lambda: family(program.pid)
            try:
                yield Started(program)
            finally:
                program.end()
                program.close()

    def _drop(self) -> tuple[str, ...]:
        if self.account is None:
            return ("/usr/bin/setpriv", "--no-new-privs", "--")
        uid, gid = str(self.account.uid), str(self.account.gid)
        return ("/usr/bin/setpriv", "--reuid", uid, "--regid", gid, "--clear-groups", "--no-new-privs", "--")


def walkable(path: Path, account: Account) -> None:
    """Raises NoSandbox naming the folder above the path that the account may not pass through."""
    for parent in path.parents:
        info = parent.stat()
        right = 0o100 if info.st_uid == account.uid else 0o010 if info.st_gid == account.gid else 0o001
        if not info.st_mode & right:
            raise NoSandbox(f"sandbox: {parent} is closed to user {account.uid}; chmod o+x it, or be another user")


def placed(job: Job, home: str) -> Job:
    """The job as it must read where `/w` does not exist."""

    def there(text: str) -> str:
        return INSIDE.sub(lambda _: job.work, text)

    env = {name: there(value) for name, value in job.env.items()}
    return replace(job, argv=tuple(map(there, job.argv)), env={"HOME": home, "TMPDIR": home, **env})
