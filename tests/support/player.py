"""Plays the visits of a script file on a plain folder, with the real editor but without a sandbox."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import TypedDict

ROOT = Path(__file__).parents[2]
EDITOR = ROOT / "bot" / "agents" / "editor.py"
ENDS = ("submit", "decline")


class Block(TypedDict, total=False):
    """One content block of a turn."""

    type: str
    text: str
    name: str
    input: dict[str, object]


class Script(TypedDict):
    """A script file: for each node its visits, each a list of turns."""

    build: list[list[list[Block]]]
    validate: list[list[list[Block]]]
    fix: list[list[list[Block]]]


def load(path: Path) -> Script:
    """The script in that file."""
    script: Script = json.loads(path.read_text(encoding="utf-8"))
    return script


def play(visit: list[list[Block]], folder: Path) -> list[Block]:
    """Do what the visit's turns do; return the submissions and refusals in it."""
    calls = [block for turn in visit for block in turn if block["type"] == "tool_use"]
    for call in calls:
        if call["name"] == "bash":
            _bash(str(call["input"]["command"]), folder)
        elif call["name"] == "str_replace_based_edit_tool":
            _edit(call["input"], folder)
    return [call for call in calls if call["name"] in ENDS]


def _bash(command: str, folder: Path) -> None:
    done = subprocess.run(["/usr/bin/bash", "-c", command], cwd=folder, capture_output=True, text=True, timeout=20)
    assert done.returncode == 0, (command, done.stderr)


def _edit(call: dict[str, object], folder: Path) -> None:
    command = [sys.executable, "-I", "-S", "-B", str(EDITOR)]
    done = subprocess.run(command, cwd=folder, input=json.dumps(call), capture_output=True, text=True, timeout=20)
    assert json.loads(done.stdout)["ok"], (call, done.stdout)
