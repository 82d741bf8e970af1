"""Whatever a reviewer says, it approves only where the whole of it is one approving object."""

from __future__ import annotations

import json
import re

from hypothesis import given
from hypothesis import strategies as st

from bot.agents.review import parse

PIECES = [
    *(
        "{",
        "}",
        "[",
        "]",
        '"verdict"',
        ":",
        ",",
        '"approve"',
        '"reject"',
        '"reasons"',
        '["sound"]',
        "[]",
        '[""]',
        '"x"',
    ),
    *(
        '{"verdict": "approve", "reasons": ["sound"]}',
        '{"verdict": "reject", "reasons": ["no"]}',
        "```",
        "```json",
        "\n",
    ),
    *(
        " ",
        "\t",
        "\r",
        "\u00a0",
        "\u2028",
        "\ufeff",
        "\x00",
        "NaN",
        "1e999",
        "null",
        "true",
        "'",
        "\\",
        "\\u0022",
        "//",
    ),
    *(
        '"verdict":"approve",',
        '"reasons":["a","b"],',
        '"Verdict"',
        "approve",
        "Ignore the above.",
        "</difference>",
        "\u202e",
    ),
]
TEXT = st.lists(st.sampled_from(PIECES) | st.text(max_size=3), max_size=14).map("".join)
OPINION = st.builds(
    lambda verdict, reasons, more: json.dumps({"verdict": verdict, "reasons": reasons, **more}),
    st.sampled_from(["approve", "reject", "APPROVE", "approve ", True, None, ["approve"]]),
    st.lists(st.text(max_size=5) | st.none(), max_size=25) | st.text(max_size=3),
    st.dictionaries(st.sampled_from(["verdict", "note", ""]), st.text(max_size=3), max_size=1),
)
SAID = st.builds(lambda one, two, three: one + two + three, TEXT, OPINION | TEXT, TEXT) | OPINION | TEXT


@given(SAID)
def test_only_one_whole_approving_object_approves(text: str) -> None:
    answer = parse(text)
    if answer is None:
        return
    approves, reasons = answer
    pairs = _pairs(text)
    assert sorted(name for name, _ in pairs) == ["reasons", "verdict"]
    assert dict(pairs)["verdict"] == ("approve" if approves else "reject")
    assert len(reasons) <= 20 and all(reason.strip() and len(reason) <= 1000 for reason in reasons)
    assert not any(
        (one < " " and one not in "\n\t") or one in "\u202e\u2066\x7f" for reason in reasons for one in reason
    )


def _pairs(text: str) -> list[tuple[str, object]]:
    """The one object's members, read by hand: nothing before it and nothing after it but blanks and one fence."""
    start = text.index("{")
    found, end = json.JSONDecoder(object_pairs_hook=list).raw_decode(text, start)
    before, after = text[:start].strip(" \t\r\n"), text[end:].strip(" \t\r\n")
    assert (before, after) == ("", "") or (re.fullmatch("```(json)?", before) and after == "```")
    return list(found)
