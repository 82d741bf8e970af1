"""A secret is taken out by value, however it is spelt, and what is no secret stays as it is."""

from __future__ import annotations

import html
import json
import subprocess
import traceback
from collections.abc import Callable, Iterator
from dataclasses import replace
from urllib.parse import quote

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from bot.errors import SiteBroken
from bot.model import WITHHELD, GateObjections, Objection
from bot.redaction import Redaction
from tests.support import values

SECRET = 'lamp "oil" & \\wick é'
TEXTS = st.text(alphabet=st.characters(exclude_categories=["Cs"]), min_size=6, max_size=30)
SPELT = (str, json.dumps, lambda text: json.dumps(text, ensure_ascii=False), repr, quote, html.escape)


@given(TEXTS, st.text(), st.sampled_from(SPELT))
def test_no_spelling_of_a_secret_is_left(secret: str, around: str, spell: object) -> None:
    spelt = spell(secret)  # type: ignore[operator]
    core = spelt[1:-1] if spelt[:1] in "'\"" and spelt != secret else spelt
    assume(core not in around and core not in WITHHELD)
    clean = Redaction(lambda: [secret]).text(f"{around}|{spelt}|{around}")
    assert WITHHELD in clean and clean.count(core) == 0


@given(st.text(max_size=5), st.text())
def test_what_is_too_short_to_be_a_secret_changes_nothing(secret: str, text: str) -> None:
    assert Redaction(lambda: [secret, ""]).text(text) == text
    assert Redaction(lambda: [secret]).content(text.encode("utf-8", "replace")) == text.encode("utf-8", "replace")


def test_a_secret_of_any_bytes_is_taken_out_too() -> None:
    secret = b"key-\xff-of-no-alphabet".decode("utf-8", "surrogateescape")
    told = Redaction(lambda: (secret,)).text(f"a {secret} b key-%FF-of-no-alphabet c")
    assert "key-" not in told and told.startswith("a ") and told.endswith(" c")


def test_the_longer_of_two_secrets_leaves_no_end_of_itself() -> None:
    assert Redaction(lambda: ["lantern", "lantern-4711"]).text("lantern-4711") == WITHHELD


def test_json_inside_json_is_cleaned_and_stays_json() -> None:
    body = json.dumps({"error": {"message": f"no: {SECRET}"}})
    line = {"body": body, "headers": {SECRET: "x"}, "seq": 1, "error": None}
    clean = json.loads(json.dumps(Redaction(lambda: [SECRET, '"seq": 1', '"error"']).plain(line)))
    assert clean["seq"] == 1 and clean["headers"] == {WITHHELD: "x"}
    assert "wick" not in str(clean)


def test_a_value_without_secrets_is_the_very_same_and_one_with_them_the_same_but_for_its_texts() -> None:
    value = GateObjections(values.TREE, (values.objection(),), ())
    assert Redaction(lambda: [SECRET]).value(value) is value
    told = replace(value, objections=(Objection("page", "gate", SECRET, "x", f"it says {SECRET}", SECRET),))
    clean = Redaction(lambda: [SECRET]).value(told)
    assert isinstance(clean, GateObjections) and clean.tree == value.tree
    assert clean.objections[0] == Objection("page", "gate", WITHHELD, "x", f"it says {WITHHELD}", WITHHELD)


def test_what_a_body_returns_and_raises_is_clean_with_all_that_it_came_from() -> None:
    def body(text: str) -> object:
        if text != "fine":
            try:
                raise ValueError(f"bad {text}")
            except ValueError as error:
                raise SiteBroken(f"broken {text}", where=text) from error
        return values.trigger()

    clean = Redaction(lambda: [SECRET]).around(body)
    assert clean(text="fine") == values.trigger()
    with pytest.raises(SiteBroken) as caught:
        clean(text=SECRET)
    assert str(caught.value) == f"broken {WITHHELD}" and str(caught.value.__cause__) == f"bad {WITHHELD}"


def _decoding() -> Exception:
    return UnicodeDecodeError("ascii", f"{SECRET} ".encode() + b"\xff", 0, 1, f"not {SECRET}")


def _noted() -> Exception:
    error = ValueError("bad")
    error.add_note(f"asked with {SECRET}")
    return error


def _beside() -> Exception:
    try:
        raise KeyError(SECRET)
    except KeyError:
        try:
            raise OSError(2, f"no {SECRET}", SECRET) from ValueError("plain")
        except OSError as error:
            return error


class Stubborn(Exception):
    """Says what is kept where nobody can change it."""

    def __str__(self) -> str:
        return f"never {SECRET}"


def _stubborn_cause() -> Exception:
    try:
        raise ValueError("plain") from Stubborn()
    except ValueError as error:
        return error


TOLD: dict[str, Callable[[], Exception]] = {
    "the file of an OSError": lambda: OSError(2, "no such file", SECRET, None, f"/of/{SECRET}"),
    "what cannot be decoded": _decoding,
    "a document that is no JSON": lambda: json.JSONDecodeError("no", f'{{"{SECRET}"', 1),
    "a line of source": lambda: SyntaxError("no", ("a.py", 1, 1, f"key = '{SECRET}'")),
    "a module's name": lambda: ImportError("none", name=SECRET, path=f"/{SECRET}"),
    "a program's words": lambda: subprocess.CalledProcessError(1, ["git", SECRET], SECRET.encode(), SECRET),
    "arguments in arguments": lambda: ValueError(("a", [SECRET], {"b": SECRET.encode()})),
    "a note": _noted,
    "a cause and a context": _beside,
    "several at once": lambda: ExceptionGroup("all", [ValueError(SECRET), _noted()]),
    "a cause that cannot be changed": _stubborn_cause,
    "words that cannot be changed": Stubborn,
}


@pytest.mark.parametrize("name", TOLD)
def test_nothing_that_an_exception_carries_is_left_where_it_could_be_printed(name: str) -> None:
    clean = Redaction(lambda: [SECRET]).clear(TOLD[name]())
    said = "".join(traceback.format_exception(clean)) + repr(clean) + repr([*_carried(clean)])
    assert "wick" not in said


def test_an_exception_without_secrets_stays_the_very_same() -> None:
    error = _beside()
    before = (error.args, error.__cause__, error.__context__)
    assert Redaction(lambda: ["lantern-4711"]).clear(error) is error
    assert (error.args, error.__cause__, error.__context__) == before


def _carried(error: BaseException) -> Iterator[object]:
    names = ("filename", "filename2", "object", "doc", "text", "name", "path", "cmd", "output", "stderr", "__notes__")
    yield from (getattr(error, name, None) for name in names)
    if isinstance(error, ExceptionGroup):
        for one in error.exceptions:
            yield from _carried(one)
