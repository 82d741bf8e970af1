"""What the model does with its tools: commands and edits, all inside the sandbox."""

from __future__ import annotations

import json
from collections.abc import Mapping
from importlib import resources
from pathlib import Path

from bot.agents.plain import capped, inert
from bot.agents.tools import text_of
from bot.frozen import frozen
from bot.model import Bounds, Job, Ran
from bot.ports import Sandbox

_OUTPUT = 30_000
_COMMAND = 20_000
_EDIT_SECONDS = 20.0
_QUIET = {"PYTEST_ADDOPTS": "-p no:cacheprovider", "RUFF_NO_CACHE": "true"}  # nothing stray in the workspace
_ENDED = {
    "wall": "it ran longer than {seconds:g} seconds",
    "memory": "it used too much memory",
    "output": "it wrote too much output",
    "workspace": "the workspace grew too large",
    "processes": "it started too many processes",
}


@frozen
class Result:
    """What a tool call came to, as text for the model."""

    text: str
    failed: bool = False


class Hands:
    """Runs tool calls in a workspace. `python` is the site's interpreter and `read` the host folders it needs."""

    def __init__(self, sandbox: Sandbox, python: str, read: tuple[str, ...] = (), seconds: float = 120.0) -> None:
        self._sandbox, self._python, self._read, self._seconds = sandbox, python, read, seconds
        self._env = {**_QUIET, "PATH": f"{Path(python).parent}:/usr/bin:/bin"}  # `python` is the site's own
        # given on the command line, so that no path of ours has to be visible inside
        self._editor = resources.files("bot.agents").joinpath("editor.py").read_text(encoding="utf-8")

    def bash(self, given: Mapping[str, object], workspace: Path) -> Result:
        """Run a shell command at the workspace's root. Raises BadInput, and NoSandbox when nothing can run."""
        if given.get("restart"):
            return Result("every command starts in a fresh shell at the root of the workspace")
        command = text_of(given, "command", _COMMAND)
        ran = self._sandbox.run(self._job(("/usr/bin/bash", "-c", command), workspace, self._seconds))
        return _told(ran, self._seconds)

    def edit(self, given: Mapping[str, object], workspace: Path) -> Result:
        """Do one command of the text editor. Raises BadInput, and NoSandbox when nothing can run."""
        argv = (self._python, "-I", "-S", "-B", "-c", self._editor)
        asked = json.dumps(given).encode()
        ran = self._sandbox.run(self._job(argv, workspace, _EDIT_SECONDS, asked))
        try:
            answer = json.loads(ran.stdout)
            text, failed = str(answer["text"]), answer["ok"] is not True
        except (ValueError, LookupError, TypeError):
            return Result(f"the editor failed: {_told(ran, _EDIT_SECONDS).text}", failed=True)
        return Result(capped(inert(text), _OUTPUT), failed)

    def _job(self, argv: tuple[str, ...], workspace: Path, seconds: float, stdin: bytes = b"") -> Job:
        return Job(
            argv=argv,
            work=str(workspace),
            profile="agent",
            env=self._env,
            read=self._read,
            stdin=stdin,
            bounds=Bounds(seconds=seconds),
        )


def _told(ran: Ran, seconds: float) -> Result:
    parts = [part.decode("utf-8", "replace").rstrip() for part in (ran.stdout, ran.stderr)]
    text = capped(inert("\n".join(part for part in parts if part)), _OUTPUT)
    if ran.ended != "exit":
        return Result(f"{text}\n[stopped: {_ENDED[ran.ended].format(seconds=seconds)}]".strip(), failed=True)
    if ran.status:
        return Result(f"{text}\n[exit status {ran.status}]".strip())
    return Result(text or "[no output]")
