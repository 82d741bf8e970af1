"""How data leaves a command: one JSON object on one line."""

from __future__ import annotations

import json
from collections.abc import Mapping

import typer


def print_object(found: Mapping[str, object]) -> None:
    """The object on standard output, readable as it is; what does not print (control, bidi, surrogate) is escaped."""
    text = json.dumps(found, ensure_ascii=False)
    typer.echo("".join(one if one.isprintable() else json.dumps(one)[1:-1] for one in text))
