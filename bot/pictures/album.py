"""The pictures of one cycle, as they are kept: which pages, new or changed, and each before and after."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from pathlib import Path

from bot.frozen import frozen
from bot.lines import one_line
from bot.machine.removal import remove
from bot.model import Claim
from bot.pictures.camera import Taken

MOST, LONGEST = 5, 300
_NAME = re.compile(r"[0-9]-(before|after)\.png")
_CONTENTS = "album.json"


@frozen
class Shown:
    """One page. `before` and `after` name files, and are empty where there is none; `why` then tells the reason."""

    url: str
    new: bool
    before: str = ""
    after: str = ""
    why: str = ""


@frozen
class Album:
    """The pages in the claim's order; `why` tells why there are none at all."""

    pages: tuple[Shown, ...] = ()
    why: str = ""


def chosen(claim: Claim) -> dict[str, bool]:
    """The pages that the claim names, as far as a browser can ask for them, and whether each is new."""
    found = dict.fromkeys(claim.routes, True) | dict.fromkeys(claim.changes, False)
    return {url: new for url, new in found.items() if _askable(url)}


def _askable(url: str) -> bool:
    """Whether it is a path of the site, and no rule with blanks."""
    ours = url.startswith("/") and not url.startswith(("//", "/\\"))
    return ours and len(url) <= LONGEST and url.isprintable() and not {" ", "<"} & {*url}


def arranged(pages: Mapping[str, bool], before: Mapping[str, Taken], after: Mapping[str, Taken]) -> Iterator[Shown]:
    """Each page with the names of its pictures, and one reason where one of them is missing."""
    for number, (url, new) in enumerate(pages.items(), start=1):
        then, now = before.get(url, Taken(b"")), after[url]
        yield Shown(
            url,
            new,
            f"{number}-before.png" if then.picture else "",
            f"{number}-after.png" if now.picture else "",
            one_line(then.why or now.why)[:500],
        )


def keep(folder: Path, album: Album, pictures: Mapping[str, bytes]) -> None:
    """Write the album as that folder, whole or not at all; one that was there is thrown away."""
    draft = folder.with_name(f".{folder.name}-draft")
    remove(draft)
    draft.mkdir(mode=0o700)
    for name, content in pictures.items():
        (draft / name).write_bytes(content)
    (draft / _CONTENTS).write_text(json.dumps(asdict(album)), encoding="utf-8")
    remove(folder)
    draft.rename(folder)


def kept(folder: Path) -> Album | None:
    """The album, None where none was made; what cannot be read is an empty one that says so."""
    try:
        found = json.loads((folder / _CONTENTS).read_text(encoding="utf-8"))
        return Album(tuple(Shown(**page) for page in found["pages"]), found["why"])
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError, TypeError):
        return Album(why="they were kept, but cannot be read")


def picture(folder: Path, name: str) -> bytes | None:
    """The bytes of one picture; None for every name that no picture of ours has."""
    if not _NAME.fullmatch(name):
        return None
    try:
        return (folder / name).read_bytes()
    except OSError:
        return None
