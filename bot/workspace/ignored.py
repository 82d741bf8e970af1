"""Which paths git would ignore by the rules of a tree: files that a person's commit would leave out."""

from __future__ import annotations

import os
from collections.abc import Iterable

from bot.errors import CommandFailed
from bot.machine.drafts import draft
from bot.store.git import Git, last_words
from bot.store.repository import Store

_RULES = ".gitignore"
_NONE = 1


def ignored(store: Store, base_tree: str, paths: Iterable[str]) -> tuple[str, ...]:
    """Those of the paths that base's own `.gitignore` files exclude; git itself is asked, over these files alone."""
    asked = tuple(paths)
    rules = {
        path: one.oid
        for path, one in store.entries(base_tree).items()
        if path.rpartition("/")[2] == _RULES and one.mode.startswith("100")
    }
    if not rules or not asked:
        return ()
    contents = store.blobs(rules.values())
    with draft("plusone-ignored") as scratch:
        for path, oid in rules.items():
            place = scratch / path
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(contents[oid])
        # This one command refuses literal paths; `./` before each keeps any of them from being read as a pattern.
        git = Git(store.folder, {"GIT_WORK_TREE": str(scratch), "GIT_LITERAL_PATHSPECS": "0"})
        listed = b"".join(b"./" + os.fsencode(path) + b"\0" for path in asked)
        status, printed, complaint = git.ask(
            "-C", str(scratch), "check-ignore", "--no-index", "-z", "--stdin", stdin=listed
        )
    if status not in (0, _NONE):
        raise CommandFailed(f"git check-ignore: {last_words(complaint, status, git.seconds)}")
    return tuple(os.fsdecode(name).removeprefix("./") for name in printed.split(b"\0") if name)
