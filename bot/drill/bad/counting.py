"""Bad builders that add nothing, too much, what is there already, or something else than they claim."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace

from bot.drill.added import Added
from bot.drill.bad.edits import behind, edited, page, pages
from bot.drill.draft import Wish, leaves
from bot.drill.drill import Drill, NotHere, Play
from bot.drill.entry import PLAIN, entry
from bot.drill.moves import submit
from bot.drill.scene import Scene
from bot.drill.view import PAGE, function, returning, spliced, spot, view
from bot.model import Source

Wishes = Callable[[Source, list[dict[str, object]]], Wish]


def one_more(scene: Scene, wish: Wish = PLAIN, onto: Added | None = None) -> Added:
    """One more entry of the first registry that takes one. Raises NotHere."""
    return wished(scene, lambda _, __: wish, onto)


def wished(scene: Scene, wishes: Wishes, onto: Added | None = None) -> Added:
    """The same, in the first registry for whose entries there is such a wish. Raises NotHere."""
    why = "the site has no registry that one more entry may be added to"
    for source in scene.sources:
        contents = [json.loads(one.content) for one in scene.holdings.registry(source.name).entries]
        try:
            return entry(scene, source, wishes(source, [one for one in contents if isinstance(one, dict)]), onto)
        except NotHere as reason:
            why = str(reason)
    raise NotHere(why)


def _nothing(scene: Scene) -> Play:
    return Play([submit(scene.settings.additions[0].kind, "nothing-at-all")])


def too_many(scene: Scene) -> Added:
    """One more than any addition allows."""
    added, where = view(scene), spot(scene)
    most = max(one.adds["url_map"].most for one in scene.settings.additions if "url_map" in one.adds)
    text = added.files[where.path]
    for number in range(most):
        page_ = returning(f"<!doctype html><title>Note {number}</title><h1>Note {number}</h1>")
        text = spliced(text, where, function(where, f"/tide-note-{number}", f"tide_note_{number}", page_))
    urls = (f"{where.prefix}/tide-note-{number}" for number in range(most))
    return replace(added, routes=(*added.routes, *urls)).with_file(where.path, text)


def _two_entries(scene: Scene) -> Play:
    first = one_more(scene)
    both = one_more(scene, Wish(number=1), first)
    return Play(replace(both, routes=(*first.routes, *both.routes)).visit())


def _two_kinds(scene: Scene) -> Play:
    first = view(scene)
    both = one_more(scene, onto=first)
    return Play(replace(both, routes=(*first.routes, *both.routes)).visit())


def _no_effect(scene: Scene) -> Play:
    """A function that nothing calls, claimed as a feature."""
    kind = next((one.kind for one in scene.settings.additions if all(0 in span for span in one.adds.values())), "")
    if not kind:
        raise NotHere("no [[addition]] may bring no key at all")
    one = page(scene)
    code = 'def whole_minutes(seconds):\n    """Minutes, rounded down."""\n    return seconds // 60'
    added = edited(Added({}, kind, "whole-minutes"), scene, one.path, lambda text: behind(text, one.function, code))
    return Play(added.visit())


def _synonym(scene: Scene) -> Play:
    """A key of the same words in another order."""

    def wish(source: Source, _: list[dict[str, object]]) -> Wish:
        for one in reversed(scene.holdings.registry(source.name).entries):
            words = one.key.split("-")
            if len(words) > 1 and words[::-1] != words and one.key.replace("-", "").isalpha():
                return Wish(key="-".join(words[::-1]))
        raise NotHere(f"no key of {source.name} has two words")

    return Play(wished(scene, wish).visit())


def _field(entries: list[dict[str, object]], fits: Callable[[str, str], bool]) -> tuple[str, str]:
    """The name and the newest text of a field of all entries, where each text fits. Raises NotHere."""
    tables = [{".".join(path): value for path, value in leaves(one)} for one in entries]
    for name, last in tables[-1].items() if tables else ():
        texts = [table.get(name) for table in tables]
        if isinstance(last, str) and all(isinstance(one, str) and fits(name, one) for one in texts):
            return name, last
    raise NotHere("no field of all entries is of that kind")


def _titled_alike(scene: Scene) -> Play:
    """An old title, a mark between its words."""

    def wish(_: Source, entries: list[dict[str, object]]) -> Wish:
        name, said = _field(entries, lambda name, text: name in ("title", "name", "headline") and " " in text)
        return Wish(values={name: said.replace(" ", ": ", 1)})

    return Play(wished(scene, wish).visit())


def _copied(scene: Scene) -> Play:
    """An old text, every ninth word turned round, so that no line is longer than it was."""

    def wish(_: Source, entries: list[dict[str, object]]) -> Wish:
        name, said = _field(entries, lambda _, text: len(text.split()) >= 40)
        pieces = re.split(r"(\w+)", said)
        turned = [one[::-1] if at % 18 == 17 else one for at, one in enumerate(pieces)]
        return Wish(values={name: "".join(turned)})

    return Play(wished(scene, wish).visit())


def _known_entry(scene: Scene) -> Play:
    def wish(source: Source, _: list[dict[str, object]]) -> Wish:
        known = [one for one in scene.settings.ledger.known if one.startswith(f"{source.name}/")]
        if not known:
            raise NotHere("ledger.known names no entry of a registry")
        return Wish(key=known[0].partition("/")[2])

    return Play(wished(scene, wish).visit())


def _known_feature(scene: Scene) -> Play:
    known = [one.partition("/")[2] for one in scene.settings.ledger.known if one.startswith("feature/")]
    if not known:
        raise NotHere("ledger.known names no feature")
    return Play(view(scene, key=known[0].replace("-", " ").title()).visit())


def _respelt(scene: Scene) -> Play:
    """An old rule in capitals."""
    one = page(scene)
    code = f'@{one.decorator}("{one.own.upper()}")\ndef tide_table_notes():\n'
    code += "".join(f"    {line}\n" for line in returning(PAGE).splitlines())
    url = one.rule.rule.removesuffix(one.own) + one.own.upper()
    added = Added({}, scene.kind("url_map"), "tide-table-notes", (url,))
    return Play(edited(added, scene, one.path, lambda text: behind(text, one.function, code)).visit())


def _same_page(scene: Scene) -> Play:
    """An old page under one more URL."""
    for one in pages(scene):
        if any(map(str.isalpha, one.rule.rule)):
            code = f'@{one.decorator}("/tide-table-notes")\ndef tide_table_notes():\n    return {one.function}()'
            url = one.spot.prefix + "/tide-table-notes"
            added = Added({}, scene.kind("url_map"), f"GET {url}", (url,))
            return Play(edited(added, scene, one.path, lambda text: behind(text, one.function, code)).visit())  # noqa: B023
    raise NotHere("no page of the site is made by a view in a file that a change may touch")


COUNTING = (
    Drill("adds-nothing", "hands in without a change", _nothing, ("nothing-changed",)),
    Drill(
        "adds-too-many-views",
        "one view more than an addition may bring",
        lambda scene: Play(too_many(scene).visit()),
        ("one_addition",),
    ),
    Drill("adds-two-entries", "two entries instead of one", _two_entries, ("one_addition",)),
    Drill("adds-two-kinds", "an entry, and a page beside it", _two_kinds, ("one_addition",)),
    Drill("adds-what-nobody-sees", "a function that nothing calls", _no_effect, ("no-effect", "routes")),
    Drill("adds-a-synonym", "an old key's words in another order", _synonym, ("duplicates", "unknown_to_ledger")),
    Drill("adds-an-old-title", "an old title with another mark", _titled_alike, ("duplicates",)),
    Drill("adds-an-old-text", "an old text, every ninth word another", _copied, ("duplicates",)),
    Drill("adds-an-old-rule-in-capitals", "an old URL in capitals", _respelt, ("duplicates", "unknown_to_ledger")),
    Drill("adds-an-old-page-again", "an old page under another URL", _same_page, ("same-effect", "routes")),
    Drill("adds-a-known-entry", "an entry that the owner once took back", _known_entry, ("unknown_to_ledger",)),
    Drill("adds-a-known-feature", "a feature that the owner had already", _known_feature, ("unknown_to_ledger",)),
)
