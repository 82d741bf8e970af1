"""Stand-alone: serves a site on a loopback address and takes pictures of its pages with a browser, all in the sandbox.

Frames are those of serve.py, out only: a length of four bytes, big-endian, and that many bytes of JSON. The first tells
whether the site and the browser are up; then there is one for each page, with the picture or why there is none. The
argument is JSON: `app` and `path` as for serve.py, `browser` (a program), `urls`, `width`, `height` (the most of each
page), `bytes` (the most of each picture) and `seconds` (for each page).
"""

from __future__ import annotations

import base64
import fcntl
import importlib.util
import json
import os
import select
import struct
import sys
import threading
import time
from types import ModuleType
from typing import Any, BinaryIO

FLAGS = (
    "--headless", "--no-sandbox", "--no-zygote", "--disable-gpu", "--disable-dev-shm-usage", "--disable-breakpad",
    "--disable-background-networking", "--disable-component-update", "--disable-extensions", "--disable-sync",
    "--hide-scrollbars", "--force-color-profile=srgb", "--no-first-run", "--no-default-browser-check",
    "--remote-debugging-pipe", "--user-data-dir=/tmp/browser",
)  # fmt: skip
STARTING = 40.0
SETTLING = 0.3  # seconds that a loaded page has to draw itself


class Missed(Exception):
    """No picture; the text says why."""


def main(request: dict[str, Any]) -> None:
    """Serve the site, start the browser, and answer with one frame for each page."""
    sink = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    root = os.path.realpath(os.getcwd())
    loading = beside("loading")
    sys.argv = [request["app"]]
    try:
        app = loading.load(request["app"], request["path"], root)
        port = listen(app)
    except BaseException as error:
        send(sink, {"error": "the site does not boot: %s: %s" % (type(error).__name__, loading.words(error))})
        return
    host = app.config.get("SERVER_NAME") or "localhost"  # as the gate asks
    try:
        browser = Browser(request["browser"], "MAP %s 127.0.0.1:%d" % (host.partition(":")[0], port))
    except (Missed, OSError) as error:
        send(sink, {"error": "the browser does not start: %s" % error})
        return
    send(sink, {"error": ""})
    for url in request["urls"]:
        try:
            picture = browser.picture("http://" + host + url, request)
            send(sink, {"picture": base64.b64encode(picture).decode("ascii"), "why": ""})
        except (Missed, OSError, KeyError, ValueError) as error:
            send(sink, {"picture": "", "why": str(error)[:200]})


def beside(name: str) -> ModuleType:
    """A file of this folder, which is not on the path: the site may own a module of the same name."""
    place = os.path.join(os.path.dirname(os.path.abspath(__file__)), name + ".py")
    spec = importlib.util.spec_from_file_location("plusone_" + name, place)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def send(sink: BinaryIO, value: dict[str, Any]) -> None:
    """Write one frame."""
    frame = json.dumps(value).encode("utf-8")
    sink.write(struct.pack(">I", len(frame)) + frame)
    sink.flush()


def listen(app: Any) -> int:
    """Serve the application on a free port of the loopback, in threads that end with the process."""
    from werkzeug.serving import WSGIRequestHandler, make_server

    class Quiet(WSGIRequestHandler):
        def log(self, type: str, message: str, *args: Any) -> None:
            """Requests are nobody's news."""

    server = make_server("127.0.0.1", 0, app, threaded=True, request_handler=Quiet)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return int(server.server_port)


class Browser:
    """A browser without a window, spoken to through a pipe: messages are JSON, each with a NUL behind it."""

    def __init__(self, program: str, places: str) -> None:
        inner_read, self.speaks = os.pipe()
        self.hears, inner_write = os.pipe()
        high = [fcntl.fcntl(fd, fcntl.F_DUPFD, 20) for fd in (inner_read, inner_write)]
        arguments = [program, *FLAGS, "--host-resolver-rules=" + places, "about:blank"]
        actions = [(os.POSIX_SPAWN_DUP2, high[0], 3), (os.POSIX_SPAWN_DUP2, high[1], 4)]
        os.posix_spawn(program, arguments, dict(os.environ), file_actions=actions)
        for fd in (inner_read, inner_write, *high):
            os.close(fd)
        self.rest, self.number, self.heard = b"", 0, []  # type: ignore[var-annotated]
        self.call(time.monotonic() + STARTING, "", "Browser.getVersion")

    def picture(self, url: str, request: dict[str, Any]) -> bytes:
        """One page as PNG, in a tab of its own. Raises Missed."""
        deadline = time.monotonic() + request["seconds"]
        target = self.call(deadline, "", "Target.createTarget", url="about:blank")["targetId"]
        try:
            session = self.call(deadline, "", "Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
            return self.look(deadline, session, url, request)
        finally:
            self.call(time.monotonic() + STARTING, "", "Target.closeTarget", targetId=target)

    def look(self, deadline: float, session: str, url: str, request: dict[str, Any]) -> bytes:
        """Go there, wait until it is loaded, and look at it from its top as far down as asked."""
        width, height = request["width"], request["height"]
        self.call(deadline, session, "Page.enable")
        self.call(deadline, session, "Page.setLifecycleEventsEnabled", enabled=True)
        size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
        self.call(deadline, session, "Emulation.setDeviceMetricsOverride", **size)
        self.heard = []
        said = self.call(deadline, session, "Page.navigate", url=url)
        if said.get("errorText"):
            raise Missed(said["errorText"])
        while not any(loaded(one, said.get("loaderId")) for one in self.heard):
            self.heard.append(self.hear(deadline))
        time.sleep(SETTLING)
        whole = self.call(deadline, session, "Page.getLayoutMetrics")["cssContentSize"]["height"]
        clip = {"x": 0, "y": 0, "width": width, "height": max(1, min(int(whole), height)), "scale": 1}
        beyond = {"format": "png", "clip": clip, "captureBeyondViewport": True}
        picture = base64.b64decode(self.call(deadline, session, "Page.captureScreenshot", **beyond)["data"])
        if len(picture) > request["bytes"]:
            raise Missed("the picture has %d bytes, over %d" % (len(picture), request["bytes"]))
        return picture

    def call(self, deadline: float, session: str, method: str, **given: Any) -> dict[str, Any]:
        """Ask for one thing and wait for the answer; what else is heard meanwhile is kept. Raises Missed."""
        self.number += 1
        number = self.number
        message = {"id": number, "method": method, "params": given}
        if session:
            message["sessionId"] = session
        os.write(self.speaks, json.dumps(message).encode("utf-8") + b"\0")
        while True:
            found = self.hear(deadline)
            if found.get("id") == number:
                if "error" in found:
                    raise Missed(found["error"].get("message", method))
                return dict(found["result"])
            self.heard.append(found)

    def dismiss(self, session: str) -> None:
        """Answer a dialogue, which would hold the page for ever; nobody waits for what that says."""
        self.number += 1
        message = {"id": self.number, "method": "Page.handleJavaScriptDialog", "params": {"accept": False}}
        os.write(self.speaks, json.dumps(dict(message, sessionId=session)).encode("utf-8") + b"\0")

    def hear(self, deadline: float) -> dict[str, Any]:
        """The next message. Raises Missed at the deadline, and where the browser has ended."""
        while b"\0" not in self.rest:
            ready, _, _ = select.select([self.hears], [], [], max(0.0, deadline - time.monotonic()))
            if not ready:
                raise Missed("the page was not loaded and drawn in time")
            piece = os.read(self.hears, 1 << 16)
            if not piece:
                raise Missed("the browser has ended")
            self.rest += piece
        first, _, self.rest = self.rest.partition(b"\0")
        found = dict(json.loads(first))
        if found.get("method") == "Page.javascriptDialogOpening":
            self.dismiss(found.get("sessionId", ""))
        return found


def loaded(event: dict[str, Any], loader: Any) -> bool:
    """Whether the event says that this page, and not the empty one before it, is loaded."""
    told = event.get("params", {})
    return event.get("method") == "Page.lifecycleEvent" and told["name"] == "load" and told["loaderId"] == loader


if __name__ == "__main__":
    main(json.loads(sys.argv[1]))
    sys.stderr.flush()
    os._exit(0)
