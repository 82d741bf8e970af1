"""One line for what is wrong with the file: which key, what is wrong with it, and what would be right."""

from __future__ import annotations

import difflib
from typing import get_args

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from bot.lines import shortened
from bot.settings.document import Settings

_WANTED = {
    "string_type": "must be a text in quotes",
    "int_type": "must be a whole number",
    "float_type": "must be a number",
    "bool_type": "must be true or false",
    "tuple_type": "must be a list in square brackets",
    "dict_type": "must be a table",
    "model_type": "must be a table",
    "time_delta_type": 'must be a duration in quotes, like "3h"',
    "dataclass_type": 'must be a whole number, or a range like "0..2"',
    "dataclass_exact_type": 'must be a whole number, or a range like "0..2"',
    "string_too_short": "may not be empty",
    "finite_number": "must be an ordinary number",
    "int_parsing_size": "is too large",
}
_PRIVATE = ("form", "env", "credentials", "notify", "remote")


def explain(error: ValidationError) -> str:
    """The one complaint to mend first. An unknown key comes first: a misspelt key is why another one is missing."""
    found = sorted(error.errors(include_url=False), key=lambda one: one["type"] != "extra_forbidden")
    more = f" (and {len(found) - 1} more)" if len(found) > 1 else ""
    return _sentence(found[0]) + more


def _sentence(found: ErrorDetails) -> str:
    place = found["loc"]
    if found["type"] == "extra_forbidden":
        return _unknown(place)
    if found["type"] == "missing":
        return f"{_spelt(place)}: is missing; add it"
    prefix = f"{_spelt(place)}: " if place else ""
    return prefix + _complaint(found) + _seen(found)


def _complaint(found: ErrorDetails) -> str:
    if found["type"] == "value_error":
        return shortened(str(found["ctx"]["error"]), 240)
    if found["type"] == "too_short":
        return "may not be empty"
    message = found["msg"].removeprefix("Input should be ")
    return _WANTED.get(found["type"], shortened(f"must be {message}", 200))


def _seen(found: ErrorDetails) -> str:
    """The value itself, where it is short, single and no one's secret."""
    value, place = found["input"], found["loc"]
    if not isinstance(value, str | int | float) or value == "" or any(part in _PRIVATE for part in place):
        return ""
    if isinstance(value, bool):
        return f"; it is {str(value).lower()}"
    return f'; it is "{shortened(value, 60)}"' if isinstance(value, str) else f"; it is {shortened(_digits(value), 60)}"


def _digits(value: float) -> str:
    """A number as text; Python refuses to spell very long ones."""
    return str(value) if isinstance(value, float) or value.bit_length() < 4000 else "a very large number"


def _unknown(place: tuple[int | str, ...]) -> str:
    key, known = str(place[-1]), _known(place[:-1])
    near = difflib.get_close_matches(key, known, n=1, cutoff=0.6)
    homes = [section for section in _known(()) if key in _known((section,))]
    if near:
        hint = f'did you mean "{near[0]}"?'
    elif homes:
        hint = f"it belongs in [{homes[0]}]"
    else:
        hint = f"known here: {', '.join(known)}" if known else "nothing can be set here"
    return f"{_spelt(place)}: unknown key; {hint}"


def _known(place: tuple[int | str, ...]) -> tuple[str, ...]:
    """The keys that may stand at a place of the file."""
    model: type[BaseModel] | None = Settings
    for part in place:
        if model and isinstance(part, str):
            named = {info.alias or name: info.annotation for name, info in model.model_fields.items()}
            model = _model(named[part]) if part in named else model
    return tuple(info.alias or name for name, info in model.model_fields.items()) if model else ()


def _model(annotation: object) -> type[BaseModel] | None:
    """The table inside an annotation, through tuples, mappings and options."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    return next((found for argument in get_args(annotation) if (found := _model(argument))), None)


def _spelt(place: tuple[int | str, ...]) -> str:
    """`registry #2.key`: counted from one, as people do."""
    text = ""
    for part in place:
        text += f" #{part + 1}" if isinstance(part, int) else f".{part}" if text else part
    return shortened(text)
