"""What the bot itself does to a snapshot: catalogues completed, compiled, kept quiet; over a real store and sandbox."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from bot.model import Change, Claim, Snapshot
from bot.parts import Extractor
from bot.parts.appender import Appender
from bot.workspace.export import FolderExports
from bot.workspace.folder import FolderWorkspace
from bot.workspace.freezer import WorkspaceFreezer
from bot.workspace.policy import Policy
from gates.catalogue import compile_catalogue
from gates.entries import same
from tests.support.catalogues import HEAD, KEPT, PATH, SITE, A, B, speaking
from tests.support.sites import Yard, yard

CLAIM = Claim("article", "one", "One article")
POLICY = Policy(allow=("app.py", "templates/**", "locales/**", "made/**"), max_file_bytes=2000)
GERMAN = PATH.replace("/fr/", "/de/")
DE = HEAD.replace("fr", "de").replace("(n > 1)", "(n != 1)") + '\nmsgid "Kept"\nmsgstr "Behalten"\n'
NEW = SITE[A] + '{{ _("Tides") }}\n'
TIDES = b'\n#: templates/a.html:2\nmsgid "Tides"\nmsgstr ""\n'
MO, MORE = PATH.replace(".po", ".mo"), GERMAN.replace(".po", ".mo")


@dataclass(frozen=True)
class Desk:
    """A workspace over a yard, and its freezer."""

    place: Yard
    root: Path

    @property
    def tip(self) -> str:
        return self.place.store.fetch("main")

    @property
    def freezer(self) -> WorkspaceFreezer:
        append = Appender(self.place.store, Extractor(self.place.tools, speaking())).files
        return WorkspaceFreezer(self.place.store, self.root, POLICY, compile_catalogue, same, append)

    def write(self, files: dict[str, str | bytes]) -> None:
        for path, content in files.items():
            (self.root / path).parent.mkdir(parents=True, exist_ok=True)
            (self.root / path).write_bytes(content if isinstance(content, bytes) else content.lstrip("\n").encode())

    def freeze(self) -> Snapshot:
        found = self.freezer.freeze(self.tip, self.place.base, CLAIM)
        assert isinstance(found, Snapshot), found
        return found

    def refused(self) -> list[tuple[str, str]]:
        found = self.freezer.freeze(self.tip, self.place.base, CLAIM)
        assert isinstance(found, tuple)
        return [(one.code, one.where) for one in found]

    def blob(self, tree: str, path: str) -> bytes:
        return self.place.store.blob(self.place.store.entries(tree)[path].oid)


def at(place: Yard, tmp_path: Path, tree: str = "") -> Desk:
    FolderWorkspace(place.store, tmp_path / "work").restore(tree or place.base)
    return Desk(place, tmp_path / "work")


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Yard:
    more = {GERMAN: DE, MORE: "as somebody compiled it", ".gitignore": "made/\n*.log\n!kept.log\n"}
    return yard(tmp_path_factory.mktemp("freezer"), {**SITE, **more, "templates/.gitignore": "drafts/\n"})


@pytest.fixture
def desk(place: Yard, tmp_path: Path) -> Desk:
    return at(place, tmp_path)


def test_missing_entries_are_appended_and_nothing_else_moves(desk: Desk) -> None:
    desk.write({A: NEW})
    snapshot = desk.freeze()
    assert [(one.path, one.by) for one in snapshot.changes] == [(GERMAN, "bot"), (PATH, "bot"), (A, "agent")]
    assert snapshot.paths == (A,)
    for path, text in ((PATH, SITE[PATH]), (GERMAN, DE)):
        before = text.lstrip("\n").encode()
        assert desk.blob(snapshot.tree, path).startswith(before)
    assert desk.blob(snapshot.tree, PATH) == SITE[PATH].lstrip("\n").encode() + TIDES
    assert b"#:" not in desk.blob(snapshot.tree, GERMAN).partition(b"Behalten")[2]


def test_what_base_lacked_already_is_not_appended(desk: Desk) -> None:
    desk.write({A: SITE[A] + "<hr>\n"})
    assert [change.path for change in desk.freeze().changes] == [A]


def test_what_the_agent_translated_itself_stays_and_only_the_rest_is_appended(desk: Desk) -> None:
    mine = SITE[PATH].lstrip("\n") + '\nmsgid "Tides"\nmsgstr "Marées"\n'
    desk.write({A: NEW + '{{ _("Moon") }}\n', PATH: mine})
    snapshot = desk.freeze()
    french = next(one for one in snapshot.changes if one.path == PATH)
    assert french == Change(PATH, "changed", "100644", len(mine.encode()), "agent", bot_lines=4)
    assert desk.blob(snapshot.tree, PATH).startswith(mine.encode())
    assert desk.blob(snapshot.tree, PATH).endswith(b'\nmsgid "Moon"\nmsgstr ""\n')


def test_the_agents_own_tree_is_without_what_the_bot_added_and_freezes_to_the_same(desk: Desk, tmp_path: Path) -> None:
    desk.write({A: NEW + '{{ _("Moon") }}\n', PATH: SITE[PATH] + '\nmsgid "Tides"\nmsgstr "Marées"\n'})
    snapshot = desk.freeze()
    own = desk.freezer.agents_tree(snapshot)
    assert desk.blob(own, PATH) == (desk.root / PATH).read_bytes()
    assert desk.blob(own, GERMAN) == DE.lstrip("\n").encode()
    assert at(desk.place, tmp_path / "again", own).freeze() == snapshot


def test_a_catalogue_of_which_only_headers_and_places_changed_is_no_change(desk: Desk) -> None:
    churned = SITE[PATH].replace("2020-01-01", "2026-11-30").replace("a.html:1", "a.html:7")
    desk.write({PATH: churned})
    assert desk.refused() == [("nothing-changed", ".")]
    desk.write({"app.py": SITE["app.py"] + "ONE = 1\n"})
    snapshot = desk.freeze()
    assert [change.path for change in snapshot.changes] == ["app.py"]
    assert [(one.path, one.why) for one in snapshot.dropped] == [(PATH, "only headers, comments or line breaks differ")]


def test_a_churned_catalogue_gets_its_entries_over_bases_own_text(desk: Desk) -> None:
    desk.write({A: NEW, PATH: SITE[PATH].replace("2020-01-01", "2026-11-30")})
    snapshot = desk.freeze()
    assert desk.blob(snapshot.tree, PATH) == SITE[PATH].lstrip("\n").encode() + TIDES
    assert {change.path: change.by for change in snapshot.changes}[PATH] == "bot"


@pytest.mark.parametrize(
    "edit",
    [("Garde", "Gardé"), ('msgid "Kept"', '#, fuzzy\nmsgid "Kept"'), ("nplurals=2", "nplurals=1"), (KEPT, "")],
)
def test_a_catalogue_that_says_something_else_is_the_agents_change(desk: Desk, edit: tuple[str, str]) -> None:
    desk.write({PATH: SITE[PATH].replace(*edit)})
    assert desk.freeze().paths == (PATH,)


def test_compiled_catalogues_are_the_bots_alone(desk: Desk) -> None:
    translated = DE + '\nmsgid "Lost one"\nmsgstr "Verloren"\n'
    desk.write({GERMAN: translated, MORE: b"the agent's own", "locales/it/LC_MESSAGES/messages.mo": b"the agent's own"})
    snapshot = desk.freeze()
    assert desk.blob(snapshot.tree, MORE) == compile_catalogue(translated.encode())
    assert [one.path for one in snapshot.dropped] == ["locales/it/LC_MESSAGES/messages.mo"]
    assert [change.path for change in snapshot.changes] == [MORE, GERMAN]


def test_a_compiled_catalogue_of_which_the_source_is_as_before_is_as_before(desk: Desk) -> None:
    desk.write({MORE: b"the agent's own"})
    (desk.root / MORE).chmod(0o755)
    assert desk.refused() == [("nothing-changed", ".")]
    (desk.root / MORE).unlink()
    desk.write({A: NEW})
    assert MORE not in {change.path for change in desk.freeze().changes}


def test_a_new_language_is_compiled_where_the_site_tracks_compiled_ones(desk: Desk) -> None:
    spanish = PATH.replace("/fr/", "/es/")
    desk.write({spanish: HEAD.replace("fr", "es") + KEPT})
    snapshot = desk.freeze()
    assert {change.path: change.by for change in snapshot.changes} == {
        spanish: "agent",
        spanish.replace(".po", ".mo"): "bot",
    }


def test_a_new_file_that_git_would_ignore_is_objected_to_by_name(desk: Desk) -> None:
    desk.write(
        {"made/page.html": "x", "templates/drafts/a.html": "x", "templates/b.log": "x", "templates/kept.log": "x"}
    )
    assert desk.refused() == [
        ("git-ignored", "made/page.html"),
        ("git-ignored", "templates/b.log"),
        ("git-ignored", "templates/drafts/a.html"),
    ]


def test_a_new_file_that_git_would_see_is_fine(desk: Desk) -> None:
    desk.write({"templates/kept.log": "x", "templates/new/drafts.html": "x"})
    assert desk.freeze().paths == ("templates/kept.log", "templates/new/drafts.html")


def test_a_candidate_that_cannot_be_extracted_is_left_to_the_gate(desk: Desk) -> None:
    desk.write({B: "{% chart %}" + SITE[B] + '{{ _("Tides") }}'})
    assert [change.path for change in desk.freeze().changes] == [B]


def test_a_candidate_that_stands_in_the_way_of_what_checks_are_lent_is_left_to_the_guards(
    desk: Desk, tmp_path: Path
) -> None:
    (tmp_path / "lent").write_text("lent")
    lending = FolderExports(desk.place.store, tmp_path / "s", provide=(("templates/lent/it", tmp_path / "lent"),))
    extractor = Extractor(replace(desk.place.tools, exports=lending), speaking())
    append = Appender(desk.place.store, extractor).files
    desk.write({A: NEW, "templates/lent": "a file"})
    found = WorkspaceFreezer(desk.place.store, desk.root, POLICY, compile_catalogue, same, append).freeze(
        desk.tip, desk.place.base, CLAIM
    )
    assert isinstance(found, Snapshot) and found.paths == (A, "templates/lent")
