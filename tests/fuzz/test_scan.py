"""Whatever a workspace is made to hold, the walk ends, and lets nothing through that a tree may not hold."""

from __future__ import annotations

import os
import socket
import stat
import tempfile
import unicodedata
from contextlib import suppress
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from bot.machine.removal import remove
from bot.model import TreeEntry
from bot.store.trees import blob_id
from bot.workspace.handles import OPEN
from bot.workspace.scan import ScanLimits, walk

LIMITS = ScanLimits(file_bytes=64, files=12)
BASE = {"app.py": TreeEntry("100644", blob_id(b"app\n"), 4), "link": TreeEntry("120000", blob_id(b"/etc/passwd"), 11)}
NAMES = [
    *(b"a", b"A", b"app.py", b"APP.py", b"link", b"d", b".git", b".GIT", b"git~1", b".git.", b".git ", b"GIT~2"),
    *(b".gitmodules", b".gitattributes", b"__pycache__", b"x.pyc", b"a\\b", b" a", b"a ", b"a\nb", b"\x1b[2J", b"\xff"),
    *(one.encode() for one in ("é", "é", "ß", "SS", ".g\u200cit", "．git", "\u202egpj", "\u3164", "ﬁ", "\ue000", "ａ")),
    *(b"n" * 201, b"n" * 255, b"con", b"-x", b"*", b"CAF\xc3\x89", b".g\xc2\xadit", b"\xef\xbb\xbf.git"),
]
NAME = st.sampled_from(NAMES) | st.binary(min_size=1, max_size=6).filter(lambda name: not set(name) & {0, 47})
PATH = st.lists(NAME, min_size=1, max_size=3)
KINDS = ["file", "file", "file", "folder", "link", "hard", "fifo", "socket", "setuid", "closed", "hole"]
ACT = st.tuples(st.sampled_from(KINDS), PATH, st.binary(max_size=80))


@given(st.lists(ACT, max_size=8))
def test_the_walk_ends_and_lets_nothing_unfit_through(acts: list[tuple[str, list[bytes], bytes]]) -> None:
    folder = Path(tempfile.mkdtemp())
    try:
        for kind, parts, content in acts:
            with suppress(OSError, StopIteration):  # what cannot be made there is not made
                _do(os.fsencode(folder), kind, parts, content)
        scan = walk(folder, BASE, LIMITS)
        for path in scan.files.keys() - scan.refused.keys():
            _fit(folder, path, scan.files[path].mode, scan.files[path].oid)
        assert all(scan.refused.values()), "a refusal says why"
        if len(acts) <= 4:  # else the walk may have been cut short, which is a refusal by itself
            assert _unseen(folder, scan.files.keys() | scan.refused.keys()) == []
    finally:
        remove(folder)


def _do(root: bytes, kind: str, parts: list[bytes], content: bytes) -> None:
    path = os.path.join(root, *parts)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    match kind:
        case "folder":
            os.makedirs(path)
        case "link":
            os.symlink(content.replace(b"\0", b"") or b"/etc/passwd", path)
        case "hard":
            os.link(_first(root), path)
        case "fifo":
            os.mkfifo(path)
        case "socket":
            with socket.socket(socket.AF_UNIX) as one:
                one.bind(path)
        case _:
            with open(path, "xb") as file:
                file.write(content)
            os.chmod(path, {"setuid": 0o4755, "closed": 0o000, "hole": 0o2644}.get(kind, 0o644))


def _first(root: bytes) -> bytes:
    return next(entry.path for entry in os.scandir(root) if entry.is_file(follow_symlinks=False))


def _fit(folder: Path, path: str, mode: str, oid: str) -> None:
    """What the rules say of a path that was let through, written down once more and otherwise."""
    if BASE.get(path) == TreeEntry("120000", oid, 11) and mode == "120000":
        return
    info = (folder / path).lstat()
    assert stat.S_ISREG(info.st_mode) and info.st_nlink == 1 and not info.st_mode & 0o7000
    assert mode in ("100644", "100755")
    content = (folder / path).read_bytes()
    assert oid == blob_id(content) and len(content) <= LIMITS.file_bytes
    assert not any((folder / above).is_symlink() for above in Path(path).parents)
    for name in path.split("/"):
        assert name.encode("utf-8") and name not in ("", ".", "..") and "\\" not in name
        assert unicodedata.normalize("NFC", name) == name
        assert not {unicodedata.category(one) for one in name} & {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
        plain = unicodedata.normalize("NFKC", name).casefold().rstrip(" .")
        assert plain != ".git" and not plain.startswith("git~")


def _unseen(folder: Path, told: set[str]) -> list[str]:
    """Files that are neither found nor refused, nor below what is refused, nor the rubbish that is passed over."""
    left = []
    for above, _, names in os.walk(folder):
        for name in names:
            path = os.path.relpath(os.path.join(above, name), folder)
            covered = any(path == one or path.startswith(f"{one}/") for one in told)
            rubbish = any(part.endswith(".pyc") or part == "__pycache__" for part in path.split("/"))
            if not covered and not rubbish and path != ".git":
                left.append(path)
    return left


def test_the_flags_with_which_files_are_opened_neither_follow_nor_wait() -> None:
    assert OPEN & os.O_NOFOLLOW and OPEN & os.O_NONBLOCK
