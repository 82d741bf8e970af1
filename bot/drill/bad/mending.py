"""Bad builders that leave the harm to the fixer, and fixers and reviewers that do not do their work."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from bot.drill.bad.counting import one_more, too_many
from bot.drill.bad.edits import edited
from bot.drill.draft import Wish
from bot.drill.drill import Drill, NotHere, Play, Visit
from bot.drill.moves import say
from bot.drill.scene import Scene
from bot.drill.view import PAGE, returning, spot, view

_UNUSED = f"import json\n\n{returning(PAGE)}"
_UNUSED_TOO = f"import base64\n\n{returning(PAGE)}"
_REJECTS: Visit = [say('{"verdict": "reject", "reasons": ["The page says nothing that anybody needs."]}')]
_PRAISES: Visit = [say('It is as claimed, so my verdict is {"verdict": "approve", "reasons": ["as claimed"]}.')]
_TWICE: Visit = [say('{"verdict": "reject", "verdict": "approve", "reasons": []}')]


def _widens(scene: Scene) -> Play:
    """Mends the line that was objected to, and writes one more file."""
    bad, good, where = view(scene, body=_UNUSED), view(scene), spot(scene).path
    other = next(
        (path for path in scene.files(".py", ".html", ".css") if path != where and scene.text(path).strip()), ""
    )
    if not other:
        raise NotHere("there is no second text file that a change may touch")
    return Play(bad.visit(), (edited(good, scene, other, lambda text: text + "\n").visit(),))


def _reaches_for_more(scene: Scene) -> Play:
    """Mends the line, and adds a second and a third page to the first."""
    return Play(view(scene, body=_UNUSED).visit(), (too_many(scene).visit(),))


def _another(scene: Scene) -> Play:
    """Takes its entry away and hands in another one."""
    first = one_more(scene)
    path = next(iter(first.files))
    if not path.endswith(".py"):
        raise NotHere("no registry is spelt out in Python")
    bad = edited(first, scene, path, lambda text: f"{text.rstrip()}\n\n\ndef tide_notes():\n    import json\n")
    return Play(bad.visit(), (one_more(scene, Wish(number=1)).visit(),))


def _silences(scene: Scene) -> Play:
    """Hides the line that was objected to."""
    hidden = view(scene, body=_UNUSED.replace("import json", "import json  # noqa: F401"))
    return Play(view(scene, body=_UNUSED).visit(), (hidden.visit(),))


def _oscillates(scene: Scene) -> Play:
    """One fault for another, and back."""
    one, other = view(scene, body=_UNUSED), view(scene, body=_UNUSED_TOO)
    return Play(one.visit(), (other.visit(), one.visit(), other.visit()))


def _nothing(scene: Scene) -> Play:
    """Mends nothing, and claims something else."""
    bad = view(scene, body=_UNUSED)
    return Play(bad.visit(), ([replace(bad, key="something-else", summary="Add something else").hand_in()],))


def _takes_away(scene: Scene) -> Play:
    """Takes all of it back, so that nothing can be objected to."""
    where = spot(scene).path
    back = view(scene).with_file(where, scene.text(where))
    return Play(view(scene, body=_UNUSED).visit(), (back.visit(),))


def _rejected(scene: Scene) -> Play:
    return Play(view(scene).visit(), (), (_REJECTS,))


def _unreadable(answer: Visit) -> Callable[[Scene], Play]:
    """The reviewer is asked again, and says the same."""
    return lambda scene: Play(view(scene).visit(), (), (answer * 2,))


def _silent(scene: Scene) -> Play:
    """Leaves a good page and says nothing of it."""
    return Play([*view(scene).turns(), say("It is done.")])


MENDING = (
    Drill("widens-its-repair", "a repair that changes a file beyond it", _widens, ("repair-widened",)),
    Drill("adds-more-by-repair", "a repair that adds two pages more", _reaches_for_more, ("one_addition",)),
    Drill("swaps-its-entry-by-repair", "a repair that is another entry", _another, ("claim_holds",)),
    Drill("silences-by-repair", "a repair that hides what was objected to", _silences, ("suppressions", "lint")),
    Drill("oscillates", "repairs that bring one fault for another and back", _oscillates, ("lint", "no-progress")),
    Drill("repairs-nothing", "a repair that only claims something else", _nothing, ("lint", "no-progress")),
    Drill("takes-it-all-back", "a repair after which nothing is left", _takes_away, ("nothing-changed",)),
    Drill(
        "ignores-a-rejection",
        "a good page that the reviewer rejects, and a fixer who waits",
        _rejected,
        ("review", "no-progress"),
    ),
    Drill(
        "praises-in-prose", "a reviewer who approves in the middle of a sentence", _unreadable(_PRAISES), ("review",)
    ),
    Drill("says-two-verdicts", "a reviewer who says both", _unreadable(_TWICE), ("review",)),
    Drill("hands-nothing-in", "a good page of which nothing is claimed", _silent, ("no-claim",)),
)
