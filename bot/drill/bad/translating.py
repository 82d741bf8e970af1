"""Bad builders that harm the catalogues of a site, beside a good addition."""

from __future__ import annotations

import re
from collections.abc import Callable

from bot.drill.bad.edits import edited
from bot.drill.drill import Drill, NotHere, Play
from bot.drill.moves import bash
from bot.drill.scene import Scene
from bot.drill.view import PAGE, returning, view
from gates.catalogue import catalogues

_ENTRY = re.compile(r'(?m)^msgid "([^"\n]+)"\nmsgstr "([^"\n]+)"$')
_PLURALS = re.compile(r"nplurals=(\d+)")
_BROKEN = '\nmsgid "%(tides)d tides today"\nmsgstr "%(tide)d"\n'
Edit = Callable[[Scene, str], str]


def _catalogue(scene: Scene) -> str:
    """One that a change may touch. Raises NotHere."""
    for path in catalogues(scene.entries, scene.settings.gate.catalogue.folder or ""):
        if scene.allowed(path) and _ENTRY.search(scene.text(path)):
            return path
    raise NotHere("the site has no catalogue of translations that a change may touch")


def _unseen(scene: Scene, text: str) -> re.Match[str]:
    """An entry that no template says, where there is one: what it says is not on the pages that are asked."""
    said = "\n".join(scene.text(path) for path in scene.files(".html", ".xml", ".txt", ".jinja", ".jinja2"))
    found = list(_ENTRY.finditer(text))
    return next((one for one in found if one[1] not in said and "%" not in one[1]), found[-1])


def _harms(edit: Edit) -> Callable[[Scene], Play]:
    def compose(scene: Scene) -> Play:
        return Play(edited(view(scene), scene, _catalogue(scene), lambda text: edit(scene, text)).visit())

    return compose


def _emptied(scene: Scene, text: str) -> str:
    return text.replace(_unseen(scene, text)[0], f'msgid "{_unseen(scene, text)[1]}"\nmsgstr ""')


def _reworded(scene: Scene, text: str) -> str:
    """What a message says where no page is asked for it."""
    found = _unseen(scene, text)
    return text.replace(found[0], f'msgid "{found[1]}"\nmsgstr "{found[2]} {found[2]}"')


def _fuzzy(scene: Scene, text: str) -> str:
    return text.replace(_unseen(scene, text)[0], f"#, fuzzy\n{_unseen(scene, text)[0]}")


def _cut_out(scene: Scene, text: str) -> str:
    return text.replace(f"{_unseen(scene, text)[0]}\n", "")


def _twice(scene: Scene, text: str) -> str:
    """Before the old one, for of two equal entries the first is read: an idle second one is never taken."""
    found = _unseen(scene, text)
    return text.replace(found[0], f'msgid "{found[1]}"\nmsgstr "{found[2]} {found[2]}"\n\n{found[0]}', 1)


def _mismatched(_: Scene, text: str) -> str:
    return f"{text.rstrip()}\n{_BROKEN}"


def _malformed(_: Scene, text: str) -> str:
    return f'{text.rstrip()}\n\nmsgid "Tide notes\nmsgstr "..."\n'


def _more_plurals(_: Scene, text: str) -> str:
    return _PLURALS.sub(lambda found: f"nplurals={int(found[1]) + 1}", text, count=1)


def _removed(scene: Scene) -> Play:
    return Play(view(scene).visit(bash(f"rm -- {_catalogue(scene)!r}")))


def _untranslated(scene: Scene) -> Play:
    """A page with a message that nobody translated, where the owner wants each translated."""
    if not scene.settings.gate.catalogue.require:
        raise NotHere("gate.catalogue.require names no locale")
    _catalogue(scene)
    text = returning(PAGE).replace(
        '"<h1>Notes on the table</h1>\\n"', '"<h1>", tell("Kept in the tide house"), "</h1>\\n"'
    )
    lines = text.replace("return (", 'return "".join([', 1).rstrip(")").rstrip()
    pieces = "\n".join(line if line.endswith(("[", ",")) else f"{line}," for line in lines.splitlines())
    body = f"from flask_babel import gettext\n\n{pieces}\n])".replace("tell(", "gettext(")
    return Play(view(scene, body=body).visit())


def _drill(name: str, story: str, edit: Edit, check: str) -> Drill:
    return Drill(name, story, _harms(edit), (check, "catalogue"))


TRANSLATING = (
    _drill("empties-a-translation", "a good page, and a translation emptied", _emptied, "translation-lost"),
    _drill(
        "rewords-a-translation", "a good page, and other words for an old message", _reworded, "translation-changed"
    ),
    _drill("makes-a-translation-fuzzy", "a good page, and a translation marked as a guess", _fuzzy, "translation-lost"),
    _drill("cuts-a-translation-out", "a good page, and a translation less", _cut_out, "translation-lost"),
    _drill("translates-twice", "a good page, and a translation that stands twice", _twice, "catalogue-duplicate"),
    _drill("breaks-a-placeholder", "a translation with another placeholder", _mismatched, "catalogue-placeholder"),
    _drill("breaks-a-catalogue", "a catalogue that gettext cannot read", _malformed, "catalogue-malformed"),
    _drill("counts-plurals-wrong", "a catalogue with a plural form more", _more_plurals, "catalogue-plural-count"),
    Drill("removes-a-catalogue", "a good page, and a catalogue less", _removed, ("catalogue-gone", "catalogue")),
    Drill(
        "leaves-a-message-untranslated",
        "a page in one language where two are asked for",
        _untranslated,
        ("translation-missing", "catalogue"),
    ),
)
