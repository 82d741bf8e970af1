"""A real chromium, spoken to through a pipe: open a page, run a line in it, press buttons, hear its complaints."""

from __future__ import annotations

import base64
import json
import os
import select
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

PROGRAM = shutil.which("chromium")
_FLAGS = ("--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe", "--no-first-run")
_SECONDS = 30.0


class Browser:
    """One page of one browser; `complaints` are errors on its console, refused resources among them."""

    def __init__(self, hears: int, speaks: int) -> None:
        self._speaks, self._hears = speaks, hears
        self._rest, self._number, self._session = b"", 0, ""
        self.events: list[dict[str, Any]] = []
        self.complaints: list[str] = []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self._session = str(self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"])
        for domain in ("Page", "Log", "Runtime"):
            self.call(f"{domain}.enable")

    def call(self, method: str, **given: object) -> dict[str, Any]:
        """Ask for one thing and wait for the answer."""
        self._number += 1
        message: dict[str, object] = {"id": self._number, "method": method, "params": given}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._speaks, json.dumps(message).encode() + b"\0")
        deadline = time.monotonic() + _SECONDS
        while (found := self._heard(deadline)).get("id") != self._number:
            self._note(found)
        assert "error" not in found, found
        result: dict[str, Any] = found["result"]
        return result

    def open(self, url: str) -> None:
        """Go there, and wait until it is loaded."""
        self.events.clear()
        self.call("Page.navigate", url=url)
        self._loaded()

    def press(self, label: str) -> None:
        """Press the button of that label, as a person would, and wait for the page that follows."""
        self.events.clear()
        self.run(f"[...document.querySelectorAll('button')].find(b => b.textContent === {json.dumps(label)}).click()")
        self._loaded()

    def run(self, line: str) -> Any:
        """What a line of script is worth in the page; the debugger may, whatever the page's policy says."""
        return self.call("Runtime.evaluate", expression=line, returnByValue=True)["result"].get("value")

    def promised(self, line: str) -> Any:
        """The same for a line that promises its worth."""
        done = self.call("Runtime.evaluate", expression=line, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in done, done
        return done["result"].get("value")

    def scheme(self, name: str) -> None:
        """Be for a person who wants it `light` or `dark`."""
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": name}])

    def look(self, path: Path, width: int = 1000, dark: bool = False) -> None:
        """A picture of the whole page."""
        self.scheme("dark" if dark else "light")
        self.resize(width)
        shot = self.call("Page.captureScreenshot", captureBeyondViewport=True)
        path.write_bytes(base64.b64decode(shot["data"]))

    def resize(self, width: int) -> None:
        """Make the window as wide as a phone, or as a desk."""
        self.call(
            "Emulation.setDeviceMetricsOverride", width=width, height=800, deviceScaleFactor=1, mobile=width < 600
        )

    def _loaded(self) -> None:
        deadline = time.monotonic() + _SECONDS
        while not any(event["method"] == "Page.loadEventFired" for event in self.events):
            self._note(self._heard(deadline))

    def _note(self, event: dict[str, Any]) -> None:
        if "method" not in event:
            return
        self.events.append(event)
        if event["method"] == "Log.entryAdded" and event["params"]["entry"]["level"] in ("error", "warning"):
            self.complaints.append(event["params"]["entry"]["text"])
        if event["method"] == "Runtime.exceptionThrown":
            self.complaints.append(json.dumps(event["params"]["exceptionDetails"])[:300])

    def _heard(self, deadline: float) -> dict[str, Any]:
        while b"\0" not in self._rest:
            ready, _, _ = select.select([self._hears], [], [], max(0.0, deadline - time.monotonic()))
            assert ready, "the browser does not answer"
            piece = os.read(self._hears, 1 << 16)
            assert piece, "the browser has ended"
            self._rest += piece
        first, _, self._rest = self._rest.partition(b"\0")
        found: dict[str, Any] = json.loads(first)
        return found


@contextmanager
def browsing(folder: Path) -> Iterator[Browser]:
    """A browser with an empty profile in the folder, gone after the block."""
    assert PROGRAM is not None
    theirs_in, speaks = os.pipe()
    hears, theirs_out = os.pipe()
    shell = f'exec 3<&{theirs_in} 4>&{theirs_out}; exec "$@"'
    command = ["/bin/bash", "-c", shell, "browser", PROGRAM, *_FLAGS, f"--user-data-dir={folder}", "about:blank"]
    child = subprocess.Popen(
        command, pass_fds=(theirs_in, theirs_out), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    os.close(theirs_in)
    os.close(theirs_out)
    try:
        yield Browser(hears, speaks)
    finally:
        child.terminate()
        child.wait(timeout=20)
        os.close(speaks)
        os.close(hears)
