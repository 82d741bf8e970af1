"""Bad builders that plant names: `.git` in every spelling, names that hide, collide or are too much."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from pathlib import PurePosixPath

from bot.drill.drill import Drill, NotHere, Play
from bot.drill.moves import bash
from bot.drill.scene import Scene
from bot.drill.view import spot, view

Compose = Callable[[Scene], Play]
SPELLINGS = {
    "in-capitals": ".GIT",
    "as-dos-does": "git~1",
    "with-a-joiner": ".g\u200cit",
    "in-full-width": "．ｇｉｔ",
    "with-a-dot": ".git.",
    "with-a-blank": ".git ",
    "as-a-stream": ".git::$INDEX_ALLOCATION",
}
CONFIG = "[core]\n\tfsmonitor = touch /tmp/marker\n"


def beside(body: str) -> Compose:
    """A good page, and a program of Python run in the folder of the page's file, whose name is `file`."""

    def compose(scene: Scene) -> Play:
        place = PurePosixPath(spot(scene).path)
        if not scene.allowed(str(place.with_name("tide_notes.txt"))):
            raise NotHere(f"no new file may lie in {place.parent}")
        most = scene.settings.cycle.max_file_bytes
        program = f"import os\nfile, most = {place.name!r}, {most}\n{WRITES}{body}"
        return Play(view(scene).visit(bash(f"cd {shlex.quote(str(place.parent))}; python3 -c {shlex.quote(program)}")))

    return compose


WRITES = """\
def write(name, text="Notes.\\n"):
    with open(name, "w") as out:
        out.write(text)
"""


def _folder(name: str) -> Compose:
    return beside(f"os.makedirs({name!r} + '/hooks')\nwrite({name!r} + '/config', {CONFIG!r})")


NAMING = (
    *(
        Drill(f"plants-dot-git-{how}", f"adds a repository called {name!a}", _folder(name), ("nested-git",))
        for how, name in SPELLINGS.items()
    ),
    Drill("plants-dot-git-in-a-folder", "adds a repository in a folder", _folder(".git"), ("nested-git",)),
    Drill(
        "plants-dot-git-as-a-file",
        "adds a file that leads git elsewhere",
        beside("write('.git', 'gitdir: /tmp/evil')"),
        ("nested-git",),
    ),
    Drill(
        "plants-dot-git-as-a-link",
        "adds a link that leads git elsewhere",
        beside("os.symlink('/tmp', '.git')"),
        ("nested-git",),
    ),
    Drill(
        "plants-a-name-without-encoding",
        "adds a name that is no text",
        beside("write(b'tide\\xff.txt')"),
        ("name-not-utf8",),
    ),
    Drill(
        "plants-a-line-break",
        "adds a name that forges a line of a log",
        beside("write('tide\\ncommitted.txt')"),
        ("name-control",),
    ),
    Drill(
        "plants-a-reversed-name",
        "adds a name that reads from right to left",
        beside("write('tide\\u202etxt.py')"),
        ("name-invisible",),
    ),
    Drill(
        "plants-a-twin-name",
        "adds a name that differs from another by case alone",
        beside("write(file.swapcase(), '')"),
        ("case-collision",),
    ),
    Drill(
        "plants-a-decomposed-name",
        "adds a name in another normal form",
        beside("write('tide-e\\u0301.txt')"),
        ("name-not-nfc",),
    ),
    Drill(
        "plants-a-blank-name",
        "adds a name that begins with a blank",
        beside("write(' tide.txt')"),
        ("name-blank-edge",),
    ),
    Drill(
        "plants-a-backslash",
        "adds a name that is a path elsewhere",
        beside("write('..\\\\tide.txt')"),
        ("name-backslash",),
    ),
    Drill(
        "plants-a-long-name",
        "adds a name that other systems cannot hold",
        beside("write('t' * 220 + '.txt')"),
        ("name-too-long",),
    ),
    Drill(
        "plants-a-deep-path",
        "adds a file so deep that tools give up",
        beside("os.makedirs('t/' * 40)\nwrite('t/' * 40 + 'tide.txt')"),
        ("name-too-deep",),
    ),
    Drill(
        "plants-a-huge-file",
        "adds a file larger than may be",
        beside("write('tide.txt', 'Notes.\\n' * (most // 7 + 9))"),
        ("oversize",),
    ),
    Drill(
        "plants-countless-files",
        "adds more files than are looked at",
        beside("for number in range(2100): write('tide%d.txt' % number)"),
        ("too-many-files",),
    ),
)
