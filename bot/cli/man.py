"""`plusone man`: the manual page, made from the very commands, so that it cannot be behind them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

import typer

_STATUS = (
    ("0", "committed, reverted, waiting, or skipped for now"),
    ("1", "failed; for doctor and the checks: something is amiss"),
    ("2", "wrong usage"),
    ("69", "the remote or the model's service cannot be reached"),
    ("75", "another cycle is running, or the service is overloaded"),
    ("77", "a key or a token is missing or refused"),
    ("78", "configuration, set-up, or no sandbox"),
    ("129", "stopped by SIGHUP, as the end of a terminal's session does"),
    ("143", "stopped by SIGTERM"),
)


class Word(Protocol):
    """An option or an argument, as typer keeps it."""

    @property
    def name(self) -> str | None:
        """What the program calls it."""

    @property
    def opts(self) -> Sequence[str]:
        """What the operator calls it."""

    @property
    def secondary_opts(self) -> Sequence[str]:
        """What its contrary is called."""


class Known(Protocol):
    """A command, as typer keeps it."""

    @property
    def help(self) -> str | None:
        """What it does."""

    @property
    def params(self) -> Sequence[Word]:
        """Its options and arguments."""


def man(context: typer.Context) -> None:
    """Print the manual page (save it as plusone.1; read it with man -l)."""
    from bot import __version__

    root = context.find_root()
    lines = [
        f'.TH PLUSONE 1 "" "plusone {_plain(__version__)}" "User Commands"',
        ".SH NAME",
        r"plusone \- one verified addition per cycle, or nothing",
        ".SH SYNOPSIS",
        r".B plusone",
        r"\fICOMMAND\fR [\fIOPTIONS\fR]",
        ".SH COMMANDS",
        *_commands(root.command, ""),
        ".SH EXIT STATUS",
        *(line for number, what in _STATUS for line in (".TP", f".B {number}", _plain(what))),
    ]
    typer.echo("\n".join(lines))


def _commands(command: Known, name: str) -> Iterator[str]:
    """A group is its commands; a command is its name, its help and its options."""
    inner = getattr(command, "commands", {})
    for word, one in sorted(inner.items()):
        if not one.hidden:
            yield from _commands(one, f"{name} {word}".strip())
    if not inner:
        yield from (".SS", f"plusone {_plain(name)}", _plain(_prose(command.help or "")))
        for parameter in command.params:
            options = [word for word in (*parameter.opts, *parameter.secondary_opts) if word.startswith("-")]
            words = ", ".join(options) or (parameter.name or "").upper()
            told = _prose(getattr(parameter, "help", "") or "")
            yield from (".TP", f".B {_plain(words)}", _plain(told))


def _prose(text: str) -> str:
    return " ".join(text.split())


def _plain(text: str) -> str:
    """Text in which roff sees no command of its own."""
    escaped = text.replace("\\", "\\e").replace("-", "\\-")
    return "\\&" + escaped if escaped[:1] in (".", "'") else escaped
