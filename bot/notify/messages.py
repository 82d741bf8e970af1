"""Notices by whatever Apprise speaks to: mail, chat, a telephone."""

from __future__ import annotations

import importlib

from bot.notify.delivery import Undelivered
from bot.notify.notice import Notice


def send(addresses: tuple[str, ...], notice: Notice) -> None:
    """To every address. Raises Undelivered where one of them did not take it; which one, Apprise does not tell."""
    messenger = importlib.import_module("apprise").Apprise()
    unfit = sum(not messenger.add(address) for address in addresses)
    if unfit:
        raise Undelivered(f"{unfit} of {len(addresses)} addresses are none that apprise knows")
    if not messenger.notify(title=notice.title[:200], body=notice.log):
        raise Undelivered("apprise: not every address took it")
