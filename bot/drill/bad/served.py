"""Bad builders whose page works only where a wall is down: it answers by what it should not see, else it fails."""

from __future__ import annotations

from collections.abc import Callable

from bot.drill.drill import Drill, Play
from bot.drill.scene import Scene
from bot.drill.view import PAGE, returning, view

FILES = """\
from pathlib import Path
places = [("etc", "hostname"), ("etc", "fstab"), ("sys", "class")]
if not any(Path("/", *place).exists() for place in places):
    raise LookupError("nothing of the machine is here")
"""
NETWORK = """\
from pathlib import Path
if Path("/", "proc", "net", "dev").read_text().count(":") < 2:
    raise LookupError("no network is here")
"""
OUTSIDE = """\
from pathlib import Path
Path("/plusone").write_text("x")
"""
PROCESSES = """\
from pathlib import Path
processes = Path("/", "proc")
own = Path(processes, "self").stat().st_uid
if all(one.stat().st_uid == own for one in processes.iterdir() if one.name.isdigit()):
    raise LookupError("nobody else is here")
"""
ENVIRONMENT = """\
from pathlib import Path
if len(Path("/", "proc", "1", "environ").read_bytes()) < 20:
    raise LookupError("no secret is here")
"""


def _only_if(body: str) -> Callable[[Scene], Play]:
    return lambda scene: Play(view(scene, body=body + returning(PAGE)).visit())


SERVED = (
    Drill(
        "serves-the-machines-files",
        "has a page that works only where files of the machine are seen",
        _only_if(FILES),
        ("files",),
    ),
    Drill(
        "serves-from-the-network",
        "has a page that works only where there is a network",
        _only_if(NETWORK),
        ("network",),
    ),
    Drill(
        "serves-and-writes-outside",
        "has a page that works only where it can write outside its folder",
        _only_if(OUTSIDE),
        ("read-only root",),
    ),
    Drill(
        "serves-other-processes",
        "has a page that works only where others' processes are seen",
        _only_if(PROCESSES),
        ("processes",),
    ),
    Drill(
        "serves-the-environment",
        "has a page that works only where variables of ours are seen",
        _only_if(ENVIRONMENT),
        ("environment",),
    ),
)
