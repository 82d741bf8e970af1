"""One more entry of a registry, like its siblings: written beside one of them, in the site's own spelling."""

from __future__ import annotations

from yaml import YAMLError

from bot.drill import data, document, literal
from bot.drill.added import Added
from bot.drill.draft import Draft, Wish, sketched
from bot.drill.drill import NotHere
from bot.drill.pieces import home
from bot.drill.scene import Scene
from bot.model import Source
from bot.sources.yaml_text import Unreadable
from gates.plan import page_url

PLAIN = Wish()


def entry(scene: Scene, source: Source, wish: Wish = PLAIN, onto: Added | None = None) -> Added:
    """One more entry and its claim; `onto` is what was added before and goes with it. Raises NotHere."""
    kind = scene.kind(source.name)
    files = dict(onto.files) if onto else {}
    try:
        draft, made = _WAYS[source.source](scene, source, wish, files)
    except (SyntaxError, ValueError, YAMLError, Unreadable) as error:
        raise NotHere(f"{source.name} is written in a way that the drill cannot write: {error}") from error
    routes = (page_url(source, draft.key),) if source.page else ()
    return Added({**files, **made}, kind, draft.key, routes, summary=f"Add {draft.key} to {source.name}")


def _python(scene: Scene, source: Source, wish: Wish, files: dict[str, str]) -> tuple[Draft, dict[str, str]]:
    module, _, name = source.object.partition(":")
    path, own = home(scene, module, name)
    if not scene.allowed(path):
        raise NotHere(f"{source.name} is spelt in {path}, which a change may not touch")
    code = literal.Source(files.get(path) or scene.text(path), own)
    here = {one.key for one in scene.holdings.registry(source.name).entries}
    spelt = [(key, piece) for piece in code.pieces if (key := code.key(piece, source.key)) in here]
    if not spelt:
        raise NotHere(f"{path} does not spell out the entries of {source.name}")
    at, piece = spelt[wish.at % len(spelt)]
    made = sketched(scene, source, wish, at)
    return made, {path: code.added(piece, made)}


_WAYS = {"python": _python, "data": data.inserted, "files": document.one_more}
