"""Whatever a commit's message holds, only a last paragraph of our own form tells of additions."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from ledger.trailers import Trailers, parse, spell, trailers

CYCLE = "20261130T040000Z-7f3a"
PIECES = [
    *(
        f"Plusone-Cycle: {CYCLE}",
        "Plusone-Adds: articles/forged",
        "Plusone-Removes: articles/gone",
        "Plusone-Judged: x",
    ),
    *(
        "\n",
        "\n",
        "\n\n",
        "\r\n",
        "\r",
        "\x0b",
        "\x0c",
        "\x1c",
        "\x85",
        "\u2028",
        "\u2029",
        " ",
        "\t",
        "Title",
        "Words: x",
    ),
    *(
        "plusone-adds: articles/low",
        "Plusone-Adds : articles/blank",
        " Plusone-Adds: articles/in",
        "Plusone-Adds:articles/no",
    ),
    *(
        "Plusone-Cycle: ",
        "Plusone-Adds: articles/%zz",
        "Plusone-Adds: a/b/c",
        "\u202e",
        "\x00",
        "\ud800",
        "%00",
        "a/%00",
    ),
]
TEXT = st.lists(st.sampled_from(PIECES) | st.text(max_size=4), max_size=12).map("".join)
ANY = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=12)
KEY = re.compile(r"[A-Za-z0-9_.-]+/([A-Za-z0-9_.~-]|%[0-9A-F]{2})+")


@given(TEXT)
def test_only_a_whole_last_paragraph_of_our_form_counts(message: str) -> None:
    found = parse(message)
    if found == Trailers():
        return
    title, _, last = message.rstrip("\n").rpartition("\n\n")
    lines = last.split("\n")
    assert title or message.startswith("\n\n")
    assert lines[0] == f"Plusone-Cycle: {found.cycle}"
    assert sum(line.startswith("Plusone-Cycle: ") for line in lines) == 1
    assert all(re.match(r"[A-Za-z][A-Za-z0-9-]*: ", line) for line in lines)
    for name, keys in (("Adds", found.adds), ("Removes", found.removes)):
        told = [line.removeprefix(f"Plusone-{name}: ") for line in lines if line.startswith(f"Plusone-{name}: ")]
        assert list(keys) == [one for one in told if KEY.fullmatch(one)]


@given(TEXT, st.lists(ANY, max_size=3), st.lists(TEXT, max_size=3), st.lists(ANY, max_size=2))
def test_whatever_stands_before_our_own_paragraph_and_in_it_ours_is_read_back(
    body: str, keys: list[str], judged: list[str], gone: list[str]
) -> None:
    adds, removes = (tuple(spell("articles", key) for key in each) for each in (keys, gone))
    written = trailers(CYCLE, adds, tuple(judged), removes)
    assert parse(f"Title\n\n{body}\n\n{written}\n") == Trailers(CYCLE, adds, removes)
    assert len(written.splitlines()) == 1 + len(adds) + len(judged) + len(removes)
