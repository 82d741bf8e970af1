"""Each script, played in order on a copy of the site, does what its ending needs."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from bot.agents.tools import claim_of
from bot.demo import ENDINGS, ending
from tests.support import lights, player

ARTICLES = "src/lights/content/articles.py"
HORN = "the-horn-on-gannet-rock"
SCRIPTED = [one.name for one in ENDINGS if one.script]
TOOLS = {"bash", "str_replace_based_edit_tool", "submit", "decline"}


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> lights.Lights:
    return lights.ask(lights.copy(tmp_path_factory.mktemp("base") / "site"))


@pytest.fixture
def site(tmp_path: Path) -> Path:
    return lights.copy(tmp_path / "site")


def read(name: str) -> player.Script:
    path = ending(name).script
    assert path is not None
    return player.load(path)


def fresh(site: Path) -> Counter[tuple[str, str]]:
    return lights.violations(site) - lights.violations(lights.TEMPLATE)


def changed(site: Path) -> set[str]:
    paths = {path.relative_to(site) for path in site.rglob("*") if path.is_file() and path.suffix != ".mo"}
    same = {path for path in paths if (lights.TEMPLATE / path).is_file()}
    return {
        str(path)
        for path in paths
        if path not in same or (site / path).read_bytes() != (lights.TEMPLATE / path).read_bytes()
    }


@pytest.mark.parametrize("name", SCRIPTED)
def test_a_script_has_a_visit_for_each_time_that_its_nodes_are_reached(name: str) -> None:
    script, expected = read(name), ending(name)
    assert set(script) == {"build", "validate", "fix"}
    assert len(script["build"]) == 1 and len(script["fix"]) == expected.repairs
    assert bool(script["validate"]) == (expected.outcome == "committed" or expected.stage == "validate")
    blocks = [block for node in script.values() for visit in node for turn in visit for block in turn]  # type: ignore[attr-defined]
    assert {block["name"] for block in blocks if block["type"] == "tool_use"} <= TOOLS
    assert all("id" not in block for block in blocks)


@pytest.mark.parametrize("name", SCRIPTED)
def test_a_build_visit_ends_with_one_submission_or_refusal(name: str, site: Path) -> None:
    visit = read(name)["build"][0]
    ends = player.play(visit, site)
    assert len(ends) == 1 and visit[-1][-1] == ends[0]
    assert ends[0]["name"] == ("decline" if name == "declined" else "submit")
    if name != "declined":
        claim = claim_of(ends[0]["input"])
        assert claim.kind in ("article", "feature") and claim.routes


def test_committed_adds_one_article_and_takes_nothing(site: Path, base: lights.Lights) -> None:
    player.play(read("committed")["build"][0], site)
    after = lights.ask(site)
    assert after.articles == [*base.articles, HORN]
    assert (after.projects, after.rules) == (base.projects, base.rules)
    assert after.statuses.items() >= base.statuses.items()
    assert after.statuses[f"zh /articles/{HORN}"] == 200
    assert (changed(site), fresh(site)) == ({ARTICLES}, Counter())
    assert "passed" in lights.python(site, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", "tests")


def test_committed_feature_adds_one_route_in_both_languages(site: Path, base: lights.Lights) -> None:
    player.play(read("committed-feature")["build"][0], site)
    after = lights.ask(site)
    assert set(after.rules) - set(base.rules) == {"/tides"} and len(after.rules) == len(base.rules) + 1
    assert (after.articles, after.projects) == (base.articles, base.projects)
    assert "rule of twelfths" in after.pages["en /tides"][1]
    assert "十二分之 3" in after.pages["zh /tides"][1] and "twelfth" not in after.pages["zh /tides"][1]
    assert after.statuses.items() >= base.statuses.items() and fresh(site) == Counter()
    assert len(changed(site)) == 4


def test_two_things_are_two_articles(site: Path, base: lights.Lights) -> None:
    player.play(read("guard-two-things")["build"][0], site)
    assert len(lights.ask(site).articles) == len(base.articles) + 2


def test_the_known_article_is_one_that_the_configuration_names(site: Path, base: lights.Lights) -> None:
    ends = player.play(read("guard-known")["build"][0], site)
    key = str(ends[0]["input"]["key"])
    assert lights.ask(site).articles == [*base.articles, key]
    assert f'"articles/{key}"' in (lights.TEMPLATE.parent / "plusone.toml").read_text(encoding="utf-8")
    assert fresh(site) == Counter()


def test_the_protected_file_is_the_one_that_would_have_hidden_a_violation(site: Path) -> None:
    player.play(read("scope-protected")["build"][0], site)
    assert changed(site) == {"pyproject.toml", ARTICLES} and fresh(site) == Counter()
    (site / "pyproject.toml").write_bytes((lights.TEMPLATE / "pyproject.toml").read_bytes())
    assert fresh(site) == Counter({(ARTICLES, "E501"): 1})


def test_declined_touches_nothing(site: Path) -> None:
    assert player.play(read("declined")["build"][0], site)[0]["input"]["reason"]
    assert changed(site) == set()


def test_gate_repaired_boots_before_and_is_clean_after(site: Path, base: lights.Lights) -> None:
    script = read("gate-repaired")
    player.play(script["build"][0], site)
    assert fresh(site) == Counter({(ARTICLES, "F401"): 1})
    assert lights.ask(site).articles == [*base.articles, HORN]
    player.play(script["fix"][0], site)
    assert (changed(site), fresh(site)) == ({ARTICLES}, Counter())


def test_review_repaired_drops_the_figure(site: Path, base: lights.Lights) -> None:
    script = read("review-repaired")
    player.play(script["build"][0], site)
    before, rules = lights.ask(site), fresh(site)
    assert before.articles == [*base.articles, HORN] and rules == Counter()
    assert "31 miles" in before.pages[f"en /articles/{HORN}"][1]
    player.play(script["fix"][0], site)
    assert "31 miles" not in (site / ARTICLES).read_text(encoding="utf-8")
    assert [_verdict(visit) for visit in script["validate"]] == ["reject", "approve"]


def test_review_unreadable_gives_no_verdict_in_two_turns() -> None:
    (visit,) = read("review-unreadable")["validate"]
    assert len(visit) == 2
    for turn in visit:
        with pytest.raises(json.JSONDecodeError):
            json.loads(turn[0]["text"])


def test_not_converged_leaves_another_violation_after_each_repair(site: Path, base: lights.Lights) -> None:
    script = read("not-converged")
    player.play(script["build"][0], site)
    seen = [fresh(site)]
    for visit in script["fix"]:
        player.play(visit, site)
        seen.append(fresh(site))
    assert [list(one.elements()) for one in seen] == [[(ARTICLES, rule)] for rule in ("F401", "E731", "E741", "F541")]
    assert lights.ask(site).articles == [*base.articles, HORN]


def test_no_progress_leaves_the_tree_as_it_was(site: Path) -> None:
    script = read("no-progress")
    player.play(script["build"][0], site)
    before = (site / ARTICLES).read_bytes()
    player.play(script["fix"][0], site)
    assert (site / ARTICLES).read_bytes() == before and fresh(site) == Counter({(ARTICLES, "F401"): 1})


def _verdict(visit: list[list[player.Block]]) -> object:
    return json.loads(visit[-1][-1]["text"])["verdict"]
