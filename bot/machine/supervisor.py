"""Telling systemd what a cycle is at: it shows in `systemctl status`."""

from __future__ import annotations

import socket
from contextlib import suppress

from bot.lines import one_line


def tell(address: str, text: str) -> None:
    """Send a status line to the socket that systemd named; where there is none, or nobody listens, nothing happens."""
    if not address:
        return
    place = "\0" + address[1:] if address.startswith("@") else address
    with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as line:
        line.sendto(f"STATUS={one_line(text)}".encode("utf-8", "replace"), place)
