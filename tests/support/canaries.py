"""Plants a value for every secret that a firing knows, and finds it again in whatever was written, said or shown."""

from __future__ import annotations

import os
import subprocess
import threading
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

from tests.support.firing import Place
from tests.support.traces import descendants

API = {
    "systemd": "sk-ant-api03-canary-of-systemd-0001",
    "file": "sk-ant-api03-canary-of-a-file-0002",
    "environment": "sk-ant-api03-canary-of-environment-0003",
}
TOKEN = "push-canary-4f1d-token"
SSH = "b3BlbnNzaCanaryOfTheDeployKey"
LENT = "lantern-canary-7731"
SITE = "harbour-canary-5512"
HOOK = "hook-canary-8c21"
SETTINGS = f"""
[credentials]
api_key_file = "secret/api"
token_file = "secret/token"
ssh_key = "secret/ssh"

[notify]
healthchecks = "%(url)s/{HOOK}"
webhook = "%(url)s/{HOOK}/web"
on = ["committed", "reverted", "failed", "setup"]
"""


@dataclass
class Canaries:
    """What was planted. `seen` is where one turned up in a child's environment or command line while it ran."""

    way: str
    seen: list[str] = field(default_factory=list)

    @property
    def values(self) -> tuple[str, ...]:
        """Every planted value."""
        return (API[self.way], TOKEN, SSH, LENT, SITE, HOOK)

    def found(self, content: bytes) -> list[str]:
        """Those that the bytes hold."""
        return [value for value in self.values if value.encode() in content]

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Inside, every process below this one is looked at again and again."""
        over = threading.Event()
        thread = threading.Thread(target=self._watch, args=(over,))
        thread.start()
        try:
            yield
        finally:
            over.set()
            thread.join()

    def _watch(self, over: threading.Event) -> None:
        while not over.wait(0.005):
            for pid in descendants(os.getpid()):
                for name in ("environ", "cmdline"):
                    with suppress(OSError):
                        content = Path(f"/proc/{pid}/{name}").read_bytes()
                        own = SITE if name == "environ" else ""  # the site's environment is the site's
                        self.seen += [f"{name} of a child: {one}" for one in self.found(content) if one != own]


def plant(here: Place, way: str, url: str) -> Canaries:
    """Put a value wherever the firing may read one; the API key comes by the given way, as it would by default."""
    folder = here.made.config.parent
    for name, text in {"secret/token": TOKEN, "secret/ssh": SSH, "instance/site.cfg": f"SECRET_KEY={LENT}"}.items():
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text + "\n")
        path.chmod(0o600)
    text = SETTINGS % {"url": url}
    environment = replace(here.environment, key="")
    if way == "systemd":
        (folder / "given").mkdir()
        (folder / "given/anthropic-api-key").write_text(API[way])
        environment = replace(environment, credentials=folder / "given")
    if way == "environment":
        environment = replace(environment, key=API[way])
    if way == "file":
        (folder / "secret/api").write_text(API[way])
        (folder / "secret/api").chmod(0o600)
    else:
        text = text.replace('api_key_file = "secret/api"\n', "")
    here.environment = environment
    here.edit(("[site]\n", f'[site]\nprovide = ["instance/"]\nenv = {{ LIGHTS_SECRET = "{SITE}" }}\n'))
    here.made.config.write_text(here.made.config.read_text() + text)
    return Canaries(way)


def written(here: Place) -> Iterator[tuple[str, bytes]]:
    """Every file of the state, packed ones unpacked too, and every object of the store, the remote and the checkout."""
    for path in sorted(here.environment.state.rglob("*")):
        if path.is_file():
            content = path.read_bytes()
            yield str(path), content
            with suppress(zlib.error):
                yield f"{path}, unpacked", zlib.decompress(content[32:])
    for repository in (here.state.store, here.made.remote, here.made.checkout / ".git"):
        if repository.exists():
            command = ["git", "cat-file", "--batch-all-objects", "--batch"]
            yield f"objects of {repository}", subprocess.run(command, cwd=repository, capture_output=True).stdout
