"""Stand-alone: serves a site behind a pipe, in the site's own interpreter, in the sandbox; it answers, never judges.

Frames are a length of four bytes, big-endian, and that many bytes of JSON. The first frame out tells whether the site
loaded; then each frame in is a request and each frame out its answer. The first argument is JSON: `app` as for
`flask --app`, and `path`, the folders that hold the site's modules, relative to the tree, where this is started;
`secure` says that the site is asked over https.
"""

from __future__ import annotations

import base64
import importlib.util
import io
import json
import os
import re
import signal
import struct
import sys
from collections.abc import Iterable
from types import ModuleType
from typing import Any, BinaryIO, Optional
from urllib.parse import unquote_to_bytes

LARGEST = 8 * 1024 * 1024


class TooSlow(BaseException):
    """The site has not answered in time; it derives from BaseException so that no view swallows it."""


def main(request: dict[str, Any]) -> None:
    """Load the site, say so, and answer until the pipe closes."""
    source, sink = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    root = os.path.realpath(os.getcwd())
    loading = beside("loading")
    sys.argv = [request["app"]]
    try:
        app = loading.load(request["app"], request["path"], root)
        served = Served(app, root, loading, request.get("secure", False))
    except BaseException as error:
        send(sink, {"error": loading.origin(error, root)})
        return
    send(sink, beside("hello").hello(served.app, root))
    for frame in iter(lambda: receive(source), None):
        send(sink, served.answer(json.loads(frame.decode("utf-8"))))


def beside(name: str) -> ModuleType:
    """A file of this folder, which is not on the path: the site may own a module of the same name."""
    place = os.path.join(os.path.dirname(os.path.abspath(__file__)), name + ".py")
    spec = importlib.util.spec_from_file_location("plusone_" + name, place)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def receive(source: BinaryIO) -> Optional[bytes]:
    """One frame, or None at the end."""
    head = source.read(4)
    return source.read(struct.unpack(">I", head)[0]) if len(head) == 4 else None


def send(sink: BinaryIO, value: dict[str, Any]) -> None:
    """Write one frame."""
    frame = json.dumps(value).encode("utf-8")
    sink.write(struct.pack(">I", len(frame)) + frame)
    sink.flush()


class Served:
    """One application, and what its newest request did."""

    def __init__(self, app: Any, root: str, loading: ModuleType, secure: bool = False) -> None:
        self.app, self.root, self.loading = app, root, loading
        self.endpoint: Optional[str] = None
        self.error: Optional[BaseException] = None
        app.config["PROPAGATE_EXCEPTIONS"] = False
        self.scheme = "https" if secure or app.config.get("PREFERRED_URL_SCHEME") == "https" else "http"
        handle = app.handle_user_exception
        app.handle_user_exception = lambda *args, **keywords: self.noting(handle, *args, **keywords)
        self.listen()
        signal.signal(signal.SIGALRM, self.late)

    def listen(self) -> None:
        """Note the matched endpoint and each exception that the application reports."""
        from flask import got_request_exception, request, request_started

        def started(_: Any, **__: Any) -> None:
            self.endpoint = request.endpoint

        def failed(_: Any, exception: BaseException, **__: Any) -> None:
            self.error = exception

        request_started.connect(started, self.app, weak=False)
        got_request_exception.connect(failed, self.app, weak=False)

    def noting(self, handle: Any, *args: Any, **keywords: Any) -> Any:
        """Note an exception that a handler of the site may turn into an ordinary page; HTTP errors are ordinary."""
        from werkzeug.exceptions import HTTPException

        error = sys.exc_info()[1]
        if error is not None and not isinstance(error, HTTPException):
            self.error = error
        return handle(*args, **keywords)

    def late(self, *_: Any) -> None:
        """End a view that takes too long."""
        raise TooSlow("no answer in time")

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        """The site's answer to one request, as a WSGI server would get it; an escaped exception is a 500."""
        self.endpoint = self.error = None
        answer: dict[str, Any] = {"status": 500, "headers": []}

        def start_response(status: str, headers: list[Any], *_: Any) -> Any:
            answer.update(status=int(status.split()[0]), headers=[[str(name), str(value)] for name, value in headers])
            return body.extend

        body = bytearray()
        signal.setitimer(signal.ITIMER_REAL, request["seconds"])
        try:
            drain(self.app(environ(request, "http" if request.get("plain") else self.scheme), start_response), body)
        except BaseException as error:
            self.error = error
            answer = {"status": 0 if isinstance(error, TooSlow) else 500, "headers": []}
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
        answer["body"] = base64.b64encode(bytes(body[: LARGEST + 1])).decode("ascii")
        answer["endpoint"] = self.endpoint
        answer["origin"] = self.loading.origin(self.error, self.root) if self.error is not None else None
        return answer


def drain(chunks: Iterable[bytes], body: bytearray) -> None:
    """Read the body until it is over LARGEST, and close it: a streaming answer may have no end."""
    try:
        for chunk in chunks:
            body += chunk
            if len(body) > LARGEST:
                break
    finally:
        close = getattr(chunks, "close", None)
        if close is not None:
            close()


def environ(request: dict[str, Any], scheme: str = "http") -> dict[str, Any]:
    """A fresh WSGI environment; a site that prefers https is asked as behind a proxy that speaks it."""
    path, _, query = request["url"].partition("?")
    host = request["host"] or "localhost"
    port = re.search(r":(\d+)$", host)
    body = base64.b64decode(request["body"])
    made = {
        "REQUEST_METHOD": request["method"],
        "SCRIPT_NAME": "",
        "PATH_INFO": unquote_to_bytes(path).decode("latin-1"),
        "QUERY_STRING": query,
        "REQUEST_URI": request["url"],
        "SERVER_NAME": host[: port.start()] if port else host,
        "SERVER_PORT": port[1] if port else "443" if scheme == "https" else "80",
        "SERVER_PROTOCOL": "HTTP/1.1",
        "REMOTE_ADDR": request.get("address") or "127.0.0.1",
        "HTTP_HOST": host,
        "CONTENT_LENGTH": str(len(body)),
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": scheme,
        "wsgi.input": io.BytesIO(body),
        "wsgi.errors": sys.stderr,
        **dict.fromkeys(("wsgi.multithread", "wsgi.multiprocess", "wsgi.run_once"), False),
    }
    for name, value in request["headers"]:
        key = name.upper().replace("-", "_")
        made[key if key == "CONTENT_TYPE" else "HTTP_" + key] = value
    if scheme == "https":
        made["HTTP_X_FORWARDED_PROTO"] = scheme
        made["HTTP_REFERER"] = made.get("HTTP_REFERER", "").replace("http:", "https:", 1)
    if request["cookies"]:
        made["HTTP_COOKIE"] = "; ".join("%s=%s" % (name, value) for name, value in request["cookies"])
    return made


if __name__ == "__main__":
    main(json.loads(sys.argv[1]))
    sys.stderr.flush()
    os._exit(0)
