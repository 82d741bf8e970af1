"""Messages of a new page in the site's catalogues: one entry for each, put at the end, in the catalogue's language."""

from __future__ import annotations

import json

from bot.drill.added import Added
from bot.drill.drill import NotHere
from bot.drill.scene import Scene
from bot.drill.wording import prose, title
from gates.catalogue import catalogues, locale_of, target

SCRIPTS = {"zh": "某某某某某某某某某某某某某某某某某某某某某某", "ja": "某某某某某某某某某某某某某某某某某某某某某某"}


def translated(scene: Scene, added: Added, messages: tuple[str, ...]) -> Added:
    """The same with the messages in the catalogue of each locale. Raises NotHere where the site has none."""
    folder = scene.settings.gate.catalogue.folder or ""
    paths = tuple(catalogues(scene.entries, str(folder)))
    for locale in sorted({locale_of(path) for path in paths}):
        path = target(paths, locale)
        if path and scene.allowed(path):
            added = added.with_file(path, _appended(scene.text(path), locale, messages))
    if not any(path in added.files for path in paths):
        raise NotHere("the site has no catalogue that a change may touch")
    return added


def _appended(text: str, locale: str, messages: tuple[str, ...]) -> str:
    said = "".join(
        f"\nmsgid {_quoted(one)}\nmsgstr {_quoted(_told(one, locale, at))}\n" for at, one in enumerate(messages)
    )
    return text.rstrip("\n") + "\n" + said


def _told(message: str, locale: str, number: int) -> str:
    """In Chinese characters where the locale is written in them; elsewhere the words stay, which no check can tell."""
    like = SCRIPTS.get(locale.partition("_")[0], "")
    if not like:
        return message
    return prose(like, number, short=True) if message.endswith(".") else title(like, number)


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
