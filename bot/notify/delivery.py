"""Delivering one notice by one channel, and remembering what could not be delivered."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Mapping
from urllib.parse import urlsplit

from bot.errors import ConfigError
from bot.journal import Journal
from bot.lines import shortened
from bot.machine.clock import SystemClock
from bot.settings.models import Notify

CHANNELS = ("healthchecks", "webhook", "apprise")
_NOTE = "undelivered-"


class Undelivered(Exception):
    """Nobody took it; the text says why, and never names an address in full, for addresses are secrets."""


def wanted(notify: Notify) -> bool:
    """Whether anybody is to hear anything."""
    return bool(notify.healthchecks or notify.webhook or notify.apprise)


def ready(notify: Notify) -> None:
    """Raises ConfigError for an address that cannot be one, and where messages are wanted without their library."""
    for name, address in (("healthchecks", notify.healthchecks), ("webhook", notify.webhook)):
        if address and (urlsplit(address).scheme not in ("http", "https") or not urlsplit(address).hostname):
            raise ConfigError(f"notify.{name}: must be an http or https address")
    if notify.apprise and importlib.util.find_spec("apprise") is None:
        raise ConfigError("notify.apprise: apprise is not installed: pip install 'plusone[notify]'")


def deliver(journal: Journal, channel: str, send: Callable[[], None]) -> None:
    """Try once; a failure is noted under the channel, a success takes the note away."""
    try:
        send()
    except Undelivered as error:
        when = SystemClock().now().isoformat(timespec="minutes")
        journal.set_note(_NOTE + channel, f"{when}: {shortened(str(error), 200)}")
    else:
        if journal.note(_NOTE + channel) is not None:
            journal.set_note(_NOTE + channel, None)


def undelivered(journal: Journal) -> Mapping[str, str]:
    """By channel, when and why the newest notice was not delivered."""
    notes = {channel: journal.note(_NOTE + channel) for channel in CHANNELS}
    return {channel: note for channel, note in notes.items() if note is not None}
