"""The only door to other programs: no shell, an environment that is always given whole, a session of their own."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import threading
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import field
from queue import SimpleQueue

from bot.errors import CommandFailed
from bot.frozen import frozen
from bot.machine.exchange import Watch, exchange
from bot.machine.reaping import ROLL, adopt_orphans, grip, reap
from bot.model import Ran


@frozen
class Command:
    """What is started. `env` is the whole environment; `fds` are further descriptors that the program inherits."""

    argv: tuple[str, ...]
    env: Mapping[str, str] = field(default_factory=dict)
    cwd: str = "/"
    fds: tuple[int, ...] = ()


class Program:
    """A started program, with our ends of its three pipes (not blocking) and `exited`, readable once it is gone.

    Raises CommandFailed when it cannot be started. Whoever starts it calls `end` and `close`. `victims` may be set to
    what names the processes to kill first: one that is the first of a pid namespace is gone only after everything in
    it. It is asked twice, and names those alone that are the program's when it is asked.
    """

    def __init__(self, command: Command) -> None:
        self.victims: Callable[[], Iterable[int]] = tuple
        self._popen = SPAWNER.spawn(command)
        assert self._popen.stdin and self._popen.stdout and self._popen.stderr
        self._pipes = (self._popen.stdin, self._popen.stdout, self._popen.stderr)
        self._lock = threading.Lock()
        self.pid = self._popen.pid
        self.exited = os.pidfd_open(self.pid)
        self.stdin, self.stdout, self.stderr = (pipe.fileno() for pipe in self._pipes)
        for pipe in self._pipes:
            os.set_blocking(pipe.fileno(), False)
        ROLL.enter(self)

    def gone(self, seconds: float = 0.0) -> bool:
        """Whether it exits within that time; it is not reaped, so that its number stays its own."""
        poller = select.poll()
        poller.register(self.exited, select.POLLIN)
        return bool(poller.poll(seconds * 1000))

    def end(self) -> int:
        """Kill the victims, then whatever is left of the group, and reap it; the exit status, negative for a signal.

        The group's number is the program's own until it is reaped, and nobody but us reaps it. A victim's is not, for
        others may have reaped that: what is killed is what still was a victim when we already had a hold on it.
        """
        with self._lock:
            if self._popen.returncode is None:
                victims = grip(self.victims)
                if victims:
                    self.gone(2.0)
                with suppress(ProcessLookupError, PermissionError):
                    os.killpg(self.pid, signal.SIGKILL)
                self._popen.wait()
                for handle in victims:
                    reap(os.P_PIDFD, handle)
                    os.close(handle)
                reap(os.P_PGID, self.pid)
                ROLL.leave(self)
            return int(self._popen.returncode)

    def close_stdin(self) -> None:
        """Tell it that nothing more comes."""
        with suppress(OSError):
            self._pipes[0].close()

    def close(self) -> None:
        """Close our ends; the program must have ended."""
        self.close_stdin()
        for pipe in self._pipes[1:]:
            pipe.close()
        os.close(self.exited)


def run(
    command: Command,
    *,
    stdin: bytes = b"",
    seconds: float = 120.0,
    output: int = 4 * 1024**2,
    watch: Watch | None = None,
) -> Ran:
    """Run to the end or to a limit: `seconds` of wall clock, `output` bytes on both streams together, or what `watch`
    says every tenth of a second. The exit status is in the answer and is the caller's to judge.

    Raises CommandFailed when the program cannot be started.
    """
    program = Program(command)
    try:
        return exchange(program, stdin, seconds=seconds, output=output, watch=watch)
    finally:
        program.end()
        program.close()


class Spawner:
    """One thread that starts every program and lives as long as we do.

    The kernel's "kill me when my parent dies" means the parent's *thread*: a program started by a thread that ends
    would be killed with it.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._orders: SimpleQueue[_Order] = SimpleQueue()

    def spawn(self, command: Command) -> subprocess.Popen[bytes]:
        """Start it from the lasting thread. Raises CommandFailed with the reason when that is impossible."""
        if ROLL.closed:
            raise CommandFailed(f"{command.argv[0]} is not started: the whole cycle is being ended")
        order = _Order(command)
        self._running().put(order)
        try:
            return order.answer.result()
        except FileNotFoundError as error:
            raise CommandFailed(f"{command.argv[0]} cannot be started: {error.filename} is missing") from error
        except OSError as error:
            raise CommandFailed(f"{command.argv[0]} cannot be started: {error.strerror}") from error
        except ValueError as error:
            raise CommandFailed(f"{command.argv[0]} cannot be started: an argument holds an {error}") from error

    def _running(self) -> SimpleQueue[_Order]:
        with self._lock:
            if self._thread is None or not self._thread.is_alive():  # never started, or we are a fork
                adopt_orphans()
                self._orders = SimpleQueue()
                self._thread = threading.Thread(target=_serve, args=(self._orders,), name="spawner", daemon=True)
                self._thread.start()
            return self._orders


class _Order:
    """A command and the place for its answer."""

    def __init__(self, command: Command) -> None:
        self.command = command
        self.answer: Future[subprocess.Popen[bytes]] = Future()


def _serve(orders: SimpleQueue[_Order]) -> None:
    while True:
        _fill(orders.get())


def _fill(order: _Order) -> None:
    try:
        order.answer.set_result(_popen(order.command))
    except (OSError, ValueError) as error:
        order.answer.set_exception(error)


def _popen(command: Command) -> subprocess.Popen[bytes]:
    return subprocess.Popen(  # noqa: S603 - no shell, and every caller builds its own argument list
        command.argv,
        env=dict(command.env),
        cwd=command.cwd,
        pass_fds=command.fds,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        bufsize=0,
        start_new_session=True,
    )


SPAWNER = Spawner()
