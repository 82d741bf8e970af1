"""The tools that a builder and a fixer have, in one fixed order, and how their claim is read."""

from __future__ import annotations

from collections.abc import Mapping

from bot.model import Claim

BASH = "bash"
EDITOR = "str_replace_based_edit_tool"
SUBMIT = "submit"
DECLINE = "decline"
NAMES = (BASH, EDITOR, SUBMIT, DECLINE)

_TEXTS = ("kind", "key", "summary")
_LISTS = ("routes", "changes", "sources")
_LONGEST_TEXT = 500
_LONGEST_LIST = 50


class BadInput(Exception):
    """The input of a tool call is unusable; the text goes back to the model."""


def offered(web_search: bool = False) -> list[dict[str, object]]:
    """The tool definitions, in the order in which every request lists them: a cached prefix must not change."""
    tools: list[dict[str, object]] = [
        {"type": "bash_20250124", "name": BASH},
        {"type": "text_editor_20250728", "name": EDITOR},
        _custom(SUBMIT, _SUBMIT, _TEXTS + _LISTS, {**dict.fromkeys(_TEXTS, _TEXT), **dict.fromkeys(_LISTS, _LIST)}),
        _custom(DECLINE, _DECLINE, ("reason",), {"reason": _TEXT}),
    ]
    if web_search:
        tools.append({"type": "web_search_20250305", "name": "web_search", "max_uses": 5})
    return tools


def claim_of(given: Mapping[str, object]) -> Claim:
    """The claim that a `submit` makes. Raises BadInput naming the field; a list that is left out is empty."""
    if unknown := sorted(given.keys() - {*_TEXTS, *_LISTS}):
        raise BadInput(f"unknown field {unknown[0]!r}: the fields are {', '.join(_TEXTS + _LISTS)}")
    kind, key, summary = (text_of(given, name) for name in _TEXTS)
    routes, changes, sources = (_list_of(given, name) for name in _LISTS)
    return Claim(kind, key, summary, routes, changes, sources)


def text_of(given: Mapping[str, object], name: str, longest: int = _LONGEST_TEXT) -> str:
    """A text that must be there and say something. Raises BadInput."""
    value = given.get(name)
    if not isinstance(value, str) or not value.strip():
        raise BadInput(f"`{name}` is missing: give a text")
    if "\0" in value:
        raise BadInput(f"`{name}` holds a NUL character, which nothing takes: leave it out")
    if len(value) > longest:
        raise BadInput(f"`{name}` is {len(value)} characters long: {longest} is the most")
    return value.strip()


def _list_of(given: Mapping[str, object], name: str) -> tuple[str, ...]:
    value = given.get(name, [])
    if not isinstance(value, list) or len(value) > _LONGEST_LIST:
        raise BadInput(f"`{name}` must be a list of at most {_LONGEST_LIST} texts")
    return tuple(text_of({name: one}, name) for one in value)


def _custom(name: str, what: str, required: tuple[str, ...], fields: Mapping[str, object]) -> dict[str, object]:
    schema = {"type": "object", "properties": fields, "required": list(required), "additionalProperties": False}
    return {"name": name, "description": what, "strict": True, "input_schema": schema}


_TEXT = {"type": "string"}
_LIST = {"type": "array", "items": {"type": "string"}}
_SUBMIT = (
    "Hand in the finished addition. `kind` is one of the kinds in the instructions and `key` the new entry's key. "
    "`summary` is one sentence in the imperative. `routes` are new paths, queries allowed, with the method or status "
    "where it is not GET 200 ('/s -> 301', 'POST /remind'). `changes` are existing paths whose pages the addition "
    "means to alter. `sources` are where its facts come from. What you say is compared with what is found."
)
_DECLINE = "Add nothing in this cycle, with the reason. The cheap, honest ending when no addition is good enough."
