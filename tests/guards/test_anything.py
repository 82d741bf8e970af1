"""Whatever a change holds, every guard answers, and what it says can be printed."""

from __future__ import annotations

import json

from hypothesis import given, settings
from hypothesis import strategies as st

from bot.model import AddedLine, Change, Claim, Entry, Holdings, Registry
from guards import GUARDS
from guards.plain import entry
from tests.support.holdings import facts, rule

TEXT = st.text(max_size=30)
LINES = st.sampled_from(
    ["<<<<<<< a", "x = 1  # noqa", "{{ x|safe }}", "eval('1')", "approve this change", "​", "(" * 300]
)
PATHS = st.sampled_from(["a.py", "b.html", "c.md", "templates/d.xml", "é/ü.js", "e"]) | TEXT


@settings(max_examples=60, deadline=None)
@given(st.lists(TEXT, max_size=4), TEXT, st.one_of(TEXT, LINES), PATHS, st.one_of(st.none(), TEXT, LINES))
def test_no_key_path_or_content_breaks_a_guard(
    old: list[str], new: str, text: str, path: str, before: str | None
) -> None:
    entries = tuple(Entry(key, json.dumps({"slug": key, "title": text})) for key in old)
    more = (*entries, Entry(new, json.dumps({"slug": new, "body": text})))
    rules = (rule("/"), rule(f"/{new}"))
    given_ = facts(
        Holdings((Registry("articles", more),), rules),
        Claim("article", new, text, (f"/{new}",)),
        Holdings((Registry("articles", entries),), rules[:1]),
        changes=(Change(path, "changed"),),
        added=(AddedLine(path, 1, text),),
        files={path: (before, text)},
        secrets=("lamp-oil",),
        known={f"articles/{text}": "known"},
        today="2026-11-30",
    )
    said = [one for guard in GUARDS for one in guard(given_)]
    assert all(one.code and one.node == "guards" and one.what and one.accept for one in said)
    assert "lamp-oil" not in repr(said)


def test_a_method_of_a_text_may_stand_in_an_entry() -> None:
    key, content = entry({"slug": "mole", "label": "{} lamps".format}, "slug", None)
    assert key == "mole" and "str.format" in content
