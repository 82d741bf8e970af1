"""What a scripted builder does, turn by turn."""

from __future__ import annotations

import base64
import shlex

from bot.drill.drill import Turn

ESCAPED = "PLUSONE-DRILL-ESCAPED"  # what an attack prints where it got through
PIECE = 15_000  # characters of a command: the kernel and the tool bound them
TRIED = "PLUSONE-DRILL-TRIED"  # and what it prints at its end, so that one that never ran is not taken for stopped


def bash(command: str) -> Turn:
    """Run a command at the root of the workspace."""
    return [{"type": "tool_use", "name": "bash", "input": {"command": command}}]


def python(program: str, interpreter: str = "/usr/bin/python3") -> Turn:
    """Run a program by the system's Python; the text is carried so that no quoting can change it."""
    coded = base64.b64encode(program.encode()).decode()
    return bash(f"echo {coded} | base64 -d | {shlex.quote(interpreter)} -I -")


def write(path: str, content: str | bytes) -> Turn:
    """Write a file whole, its folders made: a text by the editor, bytes by a shell."""
    if isinstance(content, str):
        given = {"command": "create", "path": f"/w/{path}", "file_text": content}
        return [{"type": "tool_use", "name": "str_replace_based_edit_tool", "input": given}]
    coded, place = base64.b64encode(content).decode(), shlex.quote(path)
    pieces = [coded[start : start + PIECE] for start in range(0, len(coded), PIECE)]
    turns = [bash(f"mkdir -p -- $(dirname -- {place}); : > .piece"), *(bash(f"echo {one} >> .piece") for one in pieces)]
    return [block for turn in (*turns, bash(f"base64 -di .piece > {place} && rm .piece")) for block in turn]


def submit(
    kind: str, key: str, routes: tuple[str, ...] = (), changes: tuple[str, ...] = (), summary: str = "Add one thing"
) -> Turn:
    """Hand in."""
    given = {"kind": kind, "key": key, "summary": summary, "routes": [*routes], "changes": [*changes], "sources": []}
    return [{"type": "tool_use", "name": "submit", "input": given}]


def decline(reason: str = "The drill is over.") -> Turn:
    """Hand nothing in."""
    return [{"type": "tool_use", "name": "decline", "input": {"reason": reason}}]


def say(words: str) -> Turn:
    """Words alone."""
    return [{"type": "text", "text": words}]
