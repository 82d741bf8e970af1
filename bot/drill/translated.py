"""Messages of a new page in the site's catalogues: one entry for each, put at the end, in the catalogue's language."""

from __future__ import annotations

import json
from collections.abc import Mapping

from bot.drill.added import Added
from bot.drill.drill import NotHere
from bot.drill.scene import Scene
from gates.catalogue import catalogues, locale_of, target

Messages = Mapping[str, Mapping[str, str]]  # by message, then by language


def translated(scene: Scene, added: Added, messages: Messages) -> Added:
    """The same with the messages in each locale's catalogue; in a language that is not given they stay as they are.

    Raises NotHere where the site has none.
    """
    folder = scene.settings.gate.catalogue.folder or ""
    paths = tuple(catalogues(scene.entries, str(folder)))
    for locale in sorted({locale_of(path) for path in paths}):
        path = target(paths, locale)
        if path and scene.allowed(path):
            added = added.with_file(path, _appended(scene.text(path), locale, messages))
    if not any(path in added.files for path in paths):
        raise NotHere("the site has no catalogue that a change may touch")
    return added


def _appended(text: str, locale: str, messages: Messages) -> str:
    language = locale.partition("_")[0]
    told = {one: given.get(language, one) for one, given in messages.items()}
    said = "".join(f"\nmsgid {_quoted(one)}\nmsgstr {_quoted(text)}\n" for one, text in told.items())
    return text.rstrip("\n") + "\n" + said


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
