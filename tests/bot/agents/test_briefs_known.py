"""What the builder is told of registries and of known keys: bounded, and with the rule by which a list is cut."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.agents.briefs import LISTED, Briefs
from bot.base.known import Known
from bot.workspace.policy import PROTECTED
from tests.support.repository import scene
from tests.support.settings import SOUND, loaded
from tests.support.values import ready


def told(tmp_path: Path, known: Known, text: str = SOUND) -> str:
    store = scene(tmp_path / "git").store
    briefs = Briefs(loaded(tmp_path, text), store, lambda _: known, PROTECTED)
    return "\n".join(briefs.build(ready()))


def test_a_key_is_told_with_why_it_is_known_where_the_site_does_not_show_it(tmp_path: Path) -> None:
    keys = {
        "feature/feed": "known before, by [ledger] known",
        "articles/old": "committed in 0123456789 on 2026-01-01, and removed since",
        "articles/new": "committed in 0123456789 on 2026-02-02",
        "articles/own": "stands in the site",
    }
    text = told(tmp_path, Known(keys, ("articles/dull: too dull",)))
    assert "feature/feed (known before, by [ledger] known)\n" in text
    assert "articles/old (committed in 0123456789 on 2026-01-01, and removed since)\n" in text
    assert "\narticles/new\narticles/own\n" in text and "\narticles/dull: too dull\n" in text


@pytest.mark.parametrize("more", [0, 3])
def test_a_long_list_is_cut_and_says_by_what_rule(tmp_path: Path, more: int) -> None:
    keys = {f"articles/a-{number}": "stands in the site" for number in range(LISTED + more)}
    text = told(tmp_path, Known(keys))
    assert f"\narticles/a-{LISTED - 1}\n" in text and f"articles/a-{LISTED}\n" not in text
    assert (f"(and {more} more: listed are first what the site does not show any more" in text) is bool(more)


def test_data_is_told_with_the_way_to_it(tmp_path: Path) -> None:
    data = '\n[[registry]]\nname = "harbours"\nsource = "data"\nfile = "data/h.yaml"\nat = "all"\nkey = "id"\n'
    assert "- `harbours`: data/h.yaml at all, key `id`" in told(tmp_path, Known({}), SOUND + data)
