"""Whatever a registry looks like: one more entry is read back as one more, and no guard objects to it."""

from __future__ import annotations

import json
import pprint
import tempfile
from collections.abc import Callable
from pathlib import Path

import yaml
from hypothesis import given
from hypothesis import strategies as st

from bot.drill.draft import Wish
from bot.drill.wording import HAN, LATIN, prose, script, title
from tests.support.shelf import Shelf

SAID = (
    "The harbour froze twice in that winter.",
    "Boats were drawn up as far as the church, and some of them stayed there until May.",
    "A keeper counted 41 ships from the gallery on one clear afternoon.",
)
WORDS = st.lists(
    st.sampled_from(["sea", "bell", "rope", "lamp", "Mole", "stone", "x1", "ünder"]), min_size=1, max_size=3
)
SENTENCES = st.lists(st.sampled_from([*SAID, 'Wind & "rain": it\'s {all} the same.', "# no comment, this"]), max_size=3)
COLUMNS: dict[str, Callable[[int], st.SearchStrategy[object]]] = {
    "title": lambda at: WORDS.map(lambda words: " ".join([*words, f"no{at}"])),
    "note": lambda at: SENTENCES.map(lambda said: " ".join([f"Number {at} stands alone here.", *said])),
    "body": lambda at: SENTENCES.map(lambda said: "\n\n".join([f"Of number {at} we know this.", *said]) + "\n"),
    "注": lambda at: st.sampled_from(["港口那年冬天结了两次冰。", "守塔人在一个晴朗的下午数到四十一艘船。"]).map(
        lambda said: f"第{at}件。{said}"
    ),
    "order": lambda at: st.just(at),
    "year": lambda _: st.integers(1800, 2020),
    "date": lambda at: st.just(f"20{at + 10}-01-02"),
    "url": lambda at: st.just(f"https://host{at}.example/page"),
    "mail": lambda at: st.just(f"keeper{at}@host.example"),
    "open": lambda _: st.booleans(),
    "nothing": lambda _: st.none(),
    "status": lambda _: st.sampled_from(["open", "closed"]),
    "tags": lambda _: st.lists(st.sampled_from(["fog", "lamps"]), max_size=2, unique=True),
    "parts": lambda at: SENTENCES.map(lambda said: [{"head": f"Part {at}", "text": one} for one in said]),
    "in": lambda at: st.fixed_dictionaries({"en": st.just(f"Tower {at}"), "zh": st.just(f"灯塔{at}")}),
}
KEYS = {
    "words": "bell-no-{}",
    "counted": "L-{:03d}",
    "dated": "2020-01-0{}-bell",
    "plain": "bell{}x",
    "named": "Bell No {}",
}


@st.composite
def registries(draw: st.DrawFn) -> list[dict[str, object]]:
    columns = draw(st.lists(st.sampled_from(sorted(COLUMNS)), unique=True, max_size=6))
    shape = KEYS[draw(st.sampled_from(sorted(KEYS)))]
    rows = range(1, draw(st.integers(1, 9)) + 1)
    return [{"slug": shape.format(at), **{name: draw(COLUMNS[name](at)) for name in columns}} for at in rows]


def spellings(held: list[dict[str, object]]) -> dict[str, tuple[dict[str, str], dict[str, str]]]:
    data = {"source": "data", "key": "slug", "at": "things"}
    block = yaml.safe_dump({"a": 1, "things": held}, allow_unicode=True, sort_keys=False)
    keyed = yaml.safe_dump(
        {"things": {str(one["slug"]): one for one in held}}, allow_unicode=True, default_flow_style=None
    )
    python = {"source": "python", "object": "shop:THINGS", "key": "slug"}
    calls = "\n".join(
        f"    dict({', '.join(f'{name}={value!r}' for name, value in one.items() if name != 'in')})," for one in held
    )
    return {
        "block": ({"h.yaml": block}, {**data, "file": "h.yaml"}),
        "keyed": ({"h.yaml": keyed}, {**data, "file": "h.yaml"}),
        "json": ({"h.json": json.dumps({"things": held}, indent=2)}, {**data, "file": "h.json"}),
        "dense": ({"h.json": json.dumps({"things": held}, ensure_ascii=False)}, {**data, "file": "h.json"}),
        "python": ({"shop.py": f"THINGS = {pprint.pformat(held, sort_dicts=False)}\n"}, python),
        "calls": ({"shop.py": f"THINGS = [\n{calls}\n]\n"}, python),
    }


@given(
    registries(),
    st.sampled_from(["block", "keyed", "json", "dense", "python", "calls"]),
    st.integers(-2, 3),
    st.booleans(),
)
def test_one_more_entry_is_read_back_and_no_guard_objects(
    held: list[dict[str, object]], spelling: str, at: int, short: bool
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        shelf = Shelf(Path(folder), *spellings(held)[spelling])
        added = shelf.added(Wish(at=at, short=short))
        before, after = (one.holdings().registry("things").entries for one in (shelf, shelf.with_files(added)))
        assert [one for one in after if one.key != added.key] == list(before)
        assert len(after) == len(before) + 1
        assert shelf.objections(added) == []


@given(
    st.lists(st.sampled_from([*LATIN, *HAN, "Маяк стоит на скале.", "\n", "\n\n    "]), min_size=1, max_size=8),
    st.integers(0, 99),
)
def test_another_text_is_laid_out_like_the_first_and_hardly_longer(parts: list[str], number: int) -> None:
    like = " ".join(parts)
    told = prose(like, number)
    start, end = like[: len(like) - len(like.lstrip())], like[len(like.rstrip()) :]
    if not like.strip():
        assert told == like
        return
    assert told.startswith(start) and told.endswith(end) and told.strip()
    assert len(told) <= max(len(like), 31 + len(start) + len(end)) + 12 * like.count("\n")


@given(st.sampled_from(["Fog bell", "Fog Bell", "fog", "雾钟", "Туманный колокол"]), st.integers(0, 40))
def test_a_title_is_in_the_script_of_the_one_that_stands_there(like: str, number: int) -> None:
    assert script(title(like, number)) == script(like)
    assert title(like, number) != title(like, number + 1)
