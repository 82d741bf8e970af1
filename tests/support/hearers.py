"""Servers on this machine that hear pings and webhooks, over real sockets."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@dataclass
class Hearer:
    """What was posted, as (path with query, body), and the status that is answered."""

    url: str
    heard: list[tuple[str, bytes]] = field(default_factory=list)
    status: int = 200

    @property
    def paths(self) -> list[str]:
        """The last word of each path, without the query."""
        return [path.partition("?")[0].rpartition("/")[2] for path, _ in self.heard]


@contextmanager
def hearing() -> Iterator[Hearer]:
    """A server for the length of the block."""
    hearer = Hearer("")

    class Ear(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("content-length", "0")))
            hearer.heard.append((self.path, body))
            self.send_response(hearer.status)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Nobody reads that."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Ear)
    hearer.url = f"http://127.0.0.1:{server.server_port}/ping/an-id"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield hearer
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
