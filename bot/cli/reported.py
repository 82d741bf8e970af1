"""How a command ends when something breaks: one line for the operator, an exit status for the timer."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import typer

from bot.errors import PlusoneError, shortage
from bot.lines import one_line
from bot.machine.stopping import Stopped

_INTERRUPTED = 130


@contextmanager
def reported(tell: Callable[[str], None] = lambda _: None) -> Iterator[None]:
    """Turn what broke into one line on standard error and an exit status; `tell` hears the line first.

    What nobody foresaw is named by its type and ends with 1; with PLUSONE_DEBUG it propagates, with its traceback.
    """
    try:
        yield
    except PlusoneError as error:
        told = shortage(error) or error
        _end(str(told), told.exit_code, error, tell)
    except KeyboardInterrupt as error:
        _end("interrupted", _INTERRUPTED, error, tell)
    except Stopped as error:
        _end(str(error), error.status, error, tell)
    except (typer.Exit, typer.Abort, BrokenPipeError):
        raise
    except Exception as error:
        if _debugging():
            raise
        if short := shortage(error):
            _end(str(short), short.exit_code, error, tell)
        _end(f"unforeseen {type(error).__name__}: {error}; PLUSONE_DEBUG=1 shows where", 1, error, tell)


@contextmanager
def tolerated(tell: Callable[[str], None]) -> Iterator[None]:
    """What breaks inside breaks nothing outside: `tell` hears it as one line. A wish to stop goes on its way."""
    try:
        yield
    except Exception as error:
        if _debugging():
            raise
        kind = "" if isinstance(error, PlusoneError) else f"unforeseen {type(error).__name__}: "
        tell(one_line(f"{kind}{error}"))


def _end(text: str, status: int, error: BaseException, tell: Callable[[str], None]) -> None:
    tell(text)
    complain(text)
    raise typer.Exit(status) from error


def complain(text: str) -> None:
    """One line on standard error, which systemd's journal keeps as an error."""
    from bot.machine.environment import read_environment
    from bot.machine.logs import marked

    typer.echo(marked(f"plusone: {one_line(text)}", "error", read_environment().journal_stream), err=True)


def _debugging() -> bool:
    from bot.machine.environment import read_environment

    return read_environment().debug
