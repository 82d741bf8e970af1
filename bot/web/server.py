"""Listens for the page's visitors, by waitress."""

from __future__ import annotations

from typing import Protocol

from waitress import create_server

from bot.errors import ConfigError
from bot.frozen import frozen
from bot.web.application import LARGEST, application
from bot.web.doorkeeper import Doorkeeper
from bot.web.site import Watched

THREADS = 4


class Listening(Protocol):
    """What we use of waitress's server."""

    def run(self) -> None:
        """Answer."""

    def close(self) -> None:
        """Stop listening."""


@frozen
class Server:
    """A listening server: `host` and `port` are where."""

    inner: Listening
    door: Doorkeeper
    host: str
    port: int

    @classmethod
    def listening(cls, site: Watched, host: str, port: int, names: tuple[str, ...] = ()) -> Server:
        """Port 0 takes a free one; `names` are further hosts by which the page is known. Raises ConfigError."""
        door = Doorkeeper(frozenset(names))
        try:
            inner = create_server(
                application(site, door), host=host, port=port, threads=THREADS, ident="plusone",
                max_request_body_size=LARGEST, clear_untrusted_proxy_headers=True,
            )  # fmt: skip
        except (OSError, ValueError) as error:
            raise ConfigError(f"cannot listen on {host} port {port}: choose another --bind or --port") from error
        bound = [port for _, port in getattr(inner, "effective_listen", ())] or [inner.effective_port]
        own = {f"{name}:{number}" for name in ("127.0.0.1", "localhost", "[::1]") for number in bound}
        door.names = frozenset({name.lower() for name in names} | own)
        return cls(inner, door, host, int(bound[0]))

    @property
    def address(self) -> str:
        """The URL of the overview, by its own address."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"http://{host}:{self.port}/"

    def serve(self) -> None:
        """Answer until somebody ends the process, or stops it."""
        self.inner.run()

    def stop(self) -> None:
        """Listen no more."""
        self.inner.close()
