"""The script file: what a model is to answer, turn by turn, instead of a model."""

from __future__ import annotations

import json
from pathlib import Path

from bot.agents.tools import NAMES
from bot.errors import ScriptError
from bot.frozen import frozen

NODES = ("build", "validate", "fix")
Block = dict[str, object]
Turn = tuple[Block, ...]
Call = tuple[Turn, ...]


@frozen
class Script:
    """The calls of each node; a call is one visit: its turns, each a list of content blocks."""

    path: str
    calls: dict[str, tuple[Call, ...]]

    def turn(self, node: str, visit: int, number: int) -> Turn:
        """The blocks of a turn, from 0; after the last turn of a visit there are none.

        Raises ScriptError where the node is visited more often than the script has calls for.
        """
        calls = self.calls.get(node, ())
        if not 1 <= visit <= len(calls):
            raise ScriptError(
                f"{self.path}: visit {visit} of {node}, but the script has {len(calls)} call(s) for it: add one"
            )
        call = calls[visit - 1]
        return call[number] if number < len(call) else ()


def load_script(path: Path) -> Script:
    """Read and check a whole script. Raises ScriptError naming the file and the line or the place in it."""
    if path.exists() and not path.is_file():  # a pipe would be waited for, a device read for ever
        raise ScriptError(f"{path}: cannot be read: it is not a file; name another one")
    try:
        found = json.loads(path.read_text(encoding="utf-8"), object_pairs_hook=_unique)
    except OSError as error:
        raise ScriptError(f"{path}: cannot be read: {error.strerror}") from error
    except json.JSONDecodeError as error:
        raise ScriptError(f"{path}:{error.lineno}: not JSON: {error.msg} (column {error.colno})") from error
    except (ValueError, RecursionError) as error:
        raise ScriptError(f"{path}: not a script: {error}") from error
    if not isinstance(found, dict):
        raise ScriptError(f"{path}: a script is an object of {', '.join(NODES)}")
    if unknown := sorted(found.keys() - set(NODES)):
        raise ScriptError(f"{path}: unknown node {unknown[0]!r}: a script has {', '.join(NODES)}")
    return Script(str(path), {node: _calls(f"{path}: {node}", node, calls) for node, calls in found.items()})


def _calls(where: str, node: str, calls: object) -> tuple[Call, ...]:
    return tuple(
        tuple(
            tuple(_block(at_block, node, block) for at_block, block in _numbered(at_turn, "block", turn))
            for at_turn, turn in _numbered(at_call, "turn", call)
        )
        for at_call, call in _numbered(where, "call", calls)
    )


def _numbered(where: str, noun: str, found: object) -> list[tuple[str, object]]:
    if not isinstance(found, list):
        raise ScriptError(f"{where}: a list of {noun}s is needed")
    return [(f"{where}, {noun} {number}", one) for number, one in enumerate(found, start=1)]


def _block(where: str, node: str, block: object) -> Block:
    kind = block.get("type") if isinstance(block, dict) else None
    if not isinstance(block, dict) or kind not in tuple(_KEYS):
        raise ScriptError(f'{where}: a block is an object of type "text" or "tool_use"')
    if block.keys() != _KEYS[kind]:
        odd = sorted(block.keys() ^ _KEYS[kind])[0]
        raise ScriptError(f"{where}: key {odd!r} is {'unknown' if odd in block else 'missing'} in a {kind} block")
    if kind == "text" and not isinstance(block["text"], str):
        raise ScriptError(f"{where}: `text` must be a text")
    if kind == "tool_use":
        _check_use(where, node, block)
    return block


def _check_use(where: str, node: str, block: Block) -> None:
    if node == "validate":
        raise ScriptError(f"{where}: the reviewer has no tools")
    if block["name"] not in NAMES:
        raise ScriptError(f"{where}: unknown tool {block['name']!r}: there are {', '.join(NAMES)}")
    if not isinstance(block["input"], dict):
        raise ScriptError(f"{where}: `input` must be an object")


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) != len(pairs):
        keys = [key for key, _ in pairs]
        raise ValueError(f"the key {next(key for key in keys if keys.count(key) > 1)!r} stands twice in one object")
    return found


_KEYS = {"text": {"type", "text"}, "tool_use": {"type", "name", "input"}}
