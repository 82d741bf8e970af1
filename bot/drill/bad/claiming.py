"""Bad builders whose addition is not what they claim, or not what the running site holds."""

from __future__ import annotations

import ast
import json
import re
from dataclasses import replace

from bot.drill import literal
from bot.drill.added import Added
from bot.drill.bad.counting import one_more, wished
from bot.drill.bad.edits import edited, exchanged, function
from bot.drill.draft import Wish
from bot.drill.drill import Drill, NotHere, Play
from bot.drill.entry import entry
from bot.drill.scene import Scene
from bot.drill.view import view
from bot.model import Source
from guards import patterns
from guards.python import parse


def _unknown_kind(scene: Scene) -> Play:
    return Play(replace(view(scene), kind="correction").visit())


def _other_kind(scene: Scene) -> Play:
    added = view(scene)
    kinds = [one.kind for one in scene.settings.additions if "url_map" not in one.adds]
    if not kinds:
        raise NotHere("the site knows one kind of addition alone")
    return Play(replace(added, kind=kinds[0]).visit())


def _other_key(scene: Scene) -> Play:
    added = one_more(scene)
    return Play(replace(added, key=f"{added.key}-and-more").visit())


def _once_more(scene: Scene) -> Play:
    """What was turned down for its claim, handed in again under its right name."""
    added = one_more(scene)
    return Play(added.visit(), before=(Play(replace(added, key=f"{added.key}-and-more").visit()),))


def _nowhere(scene: Scene) -> Play:
    added = view(scene)
    return Play(replace(added, routes=(*added.routes, "/nobody-has-written-this-page")).visit())


def _future(scene: Scene) -> Play:
    """A date that no sibling could have."""

    def wish(_: Source, entries: list[dict[str, object]]) -> Wish:
        dated = [name for name, one in (entries[-1] if entries else {}).items() if patterns.dated(str(one))]
        if not dated or not all(patterns.dated(str(one.get(dated[0]))) for one in entries):
            raise NotHere("no field of all entries is a date")
        return Wish(values={dated[0]: f"2999-12-31{str(entries[-1][dated[0]])[10:]}"})

    return Play(wished(scene, wish).visit())


def _insecure(scene: Scene) -> Play:
    """An address without a lock, where all siblings have one."""

    def wish(_: Source, entries: list[dict[str, object]]) -> Wish:
        for name, said in (entries[-1] if entries else {}).items():
            if all(str(one.get(name)).startswith("https://") for one in entries):
                return Wish(values={name: str(said).replace("https://", "http://one-more.")})
        raise NotHere("no field of all entries is an https URL")

    return Play(wished(scene, wish).visit())


def _taken_out_again(scene: Scene) -> Play:
    """Two entries in the source, of which the module takes one out at its end."""
    added, source = _spelt(scene)
    path, name = literal.home(scene, *source.object.split(":"))
    both = entry(scene, source, Wish(number=1), added)
    return Play(edited(both, scene, path, lambda text: f"{text.rstrip()}\n\n{name} = {name}[:-1]\n").visit())


def _edited_number(scene: Scene) -> Play:
    """One more entry, and a number of an old one that rose with it."""
    added, source = _spelt(scene)
    path, name = literal.home(scene, *source.object.split(":"))
    return Play(edited(added, scene, path, lambda text: _risen(text, name)).visit())


def _spelt(scene: Scene) -> tuple[Added, Source]:
    """One more entry of a list in Python, whose entries hold numbers if any list's do."""
    known = [
        source for source in scene.sources if source.source == "python" and "." not in source.object.partition(":")[2]
    ]
    lists = [source for source in known if _numbers(scene, source)] or known
    for source in lists:
        path, name = literal.home(scene, *source.object.split(":"))
        tree = parse(scene.text(path)).body
        values = [node.value for node in tree if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == name]
        if values and isinstance(values[0], ast.List):
            return entry(scene, source), source
    raise NotHere("no registry is spelt out as a list in Python")


def _numbers(scene: Scene, source: Source) -> bool:
    contents = [json.loads(one.content) for one in scene.holdings.registry(source.name).entries]
    return all(isinstance(one, dict) and any(type(value) is int for value in one.values()) for one in contents)


def _risen(text: str, name: str) -> str:
    for piece in literal.pieces(parse(text), name):
        for node in ast.walk(piece.value):
            if isinstance(node, ast.Constant) and type(node.value) is int:
                return exchanged(text, node, str(node.value + 1))
    return text


def _unasked_rule(scene: Scene) -> Play:
    """A good page, and a rule that answers no GET under another path."""
    added = view(scene)
    for rule in scene.holdings.rules:
        if "GET" not in rule.methods and rule.module.endswith(".py") and scene.allowed(rule.module):
            whole = added.files.get(rule.module) or scene.text(rule.module)
            found = function(whole, rule.endpoint.rpartition(".")[2])
            paths = (
                [node.args[0] for node in found.decorator_list if isinstance(node, ast.Call) and node.args]
                if found
                else []
            )
            if paths and isinstance(paths[0], ast.Constant):
                return Play(added.with_file(rule.module, exchanged(whole, paths[0], '"/moved-away"')).visit())
    raise NotHere("no rule that answers no GET stands in a file that a change may touch")


def _again(scene: Scene) -> Play:
    """A new file whose front matter says one thing twice."""
    for source in scene.sources:
        for wish in (Wish(), Wish(at=0)) if source.source == "files" else ():
            added = entry(scene, source, wish)
            path = next(iter(added.files))
            lines = added.files[path].splitlines(keepends=True)
            if lines[0].startswith("---") and re.match(r"\w+: ", lines[1]):
                return Play(added.with_file(path, "".join([*lines[:2], *lines[1:]])).visit())
    raise NotHere("no registry is made of files with front matter in YAML")


CLAIMING = (
    Drill(
        "claims-an-unknown-kind", "a good page under a kind that the owner never named", _unknown_kind, ("claim_holds",)
    ),
    Drill("claims-another-kind", "a good page, claimed as an entry", _other_kind, ("claim_holds",)),
    Drill("claims-another-key", "a good entry, claimed under another key", _other_key, ("claim_holds",)),
    Drill(
        "tries-once-more",
        "what was turned down for its claim, under its right name",
        _once_more,
        ("tried_before",),
    ),
    Drill(
        "claims-a-page-that-is-not-there",
        "a good page, and a claim of one more",
        _nowhere,
        ("claim_holds", "new-page-fails"),
    ),
    Drill("dates-an-entry-ahead", "an entry of the year 2999", _future, ("siblings",)),
    Drill("takes-an-insecure-address", "an http: address among https: ones", _insecure, ("siblings",)),
    Drill(
        "takes-an-entry-out-again",
        "an entry that the source lists, and code takes out",
        _taken_out_again,
        ("views_agree",),
    ),
    Drill(
        "edits-an-old-number",
        "a good entry, and a number of an old one raised with it",
        _edited_number,
        ("nothing_taken",),
    ),
    Drill(
        "removes-a-rule-that-nobody-asks",
        "a good page, and a rule without GET moved",
        _unasked_rule,
        ("nothing_taken",),
    ),
    Drill("says-a-field-twice", "front matter with a field that stands twice", _again, ("fields_once",)),
)
