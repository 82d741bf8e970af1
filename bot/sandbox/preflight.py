"""Proves at every start that the sandbox holds: one small job looks for what it must not find."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bot.errors import NoSandbox
from bot.model import Bounds, Job
from bot.sandbox.box import Box

SCRIPT = r"""
while read -r name value rest; do
  case $name in CapEff:|NoNewPrivs:|Seccomp:) echo "$name $value";; esac
done </proc/self/status
if [ -O /usr ]; then echo "administrator: yes"; else echo "administrator: no"; fi
devices=; while IFS=: read -r name rest; do case $rest in *[0-9]*) devices=$devices$name;; esac; done </proc/net/dev
echo "network:" $devices
[ -e "$1" ] && echo "canary: found" || echo "canary: none"
if (: >/w/written) 2>/dev/null; then echo "work: written"; else echo "work: kept"; fi
if (: >/usr/written) 2>/dev/null; then echo "system: written"; else echo "system: kept"; fi
if (: >>/proc/sys/kernel/core_pattern) 2>/dev/null; then echo "kernel: open"; else echo "kernel: closed"; fi
echo "files:" $(ulimit -n)
read -r environment </proc/1/environ; echo "environment: $environment"
if /usr/bin/unshare -U /usr/bin/true 2>/dev/null; then echo "namespaces: open"; else echo "namespaces: closed"; fi
"""
EXPECTED = {
    "CapEff": "0000000000000000", "NoNewPrivs": "1", "Seccomp": "2", "network": "lo", "canary": "none",
    "administrator": "no", "work": "kept", "system": "kept", "kernel": "closed", "files": "512", "namespaces": "closed",
}  # fmt: skip


def proven(box: Box, scratch: Path) -> Box:
    """The box, once it has shown that it holds. Raises NoSandbox with what it let through."""
    with _workspace(box, scratch) as (work, canary):
        job = Job(("/bin/sh", "-c", SCRIPT, "sh", str(canary)), str(work), bounds=Bounds(seconds=20))
        ran = box.run(job)
    seen = dict(line.split(":", 1) for line in ran.stdout.decode("utf-8", "replace").splitlines() if ":" in line)
    if misses := list(_misses({name: value.strip(" \0") for name, value in seen.items()})):
        raise NoSandbox(f"sandbox: {box.mode} does not hold: {'; '.join(misses)}; update bubblewrap and the kernel")
    return box


def _misses(seen: dict[str, str]) -> Iterator[str]:
    for name, good in EXPECTED.items():
        if seen.get(name) != good:
            yield f"{name} is {seen.get(name, 'unknown')}"
    if seen.get("environment", "?") not in ("", "PWD=/"):
        yield "the environment of its first process is not empty"


@contextmanager
def _workspace(box: Box, scratch: Path) -> Iterator[tuple[Path, Path]]:
    with tempfile.TemporaryDirectory(dir=scratch, prefix="preflight-") as folder:
        work, canary = Path(folder, "work"), Path(folder, "canary")
        work.mkdir()
        Path(folder).chmod(0o755)  # the walls must keep the canary, not its folder's rights
        canary.write_bytes(b"nobody inside may read this")
        if box.owner is not None:
            os.chown(work, *box.owner)
        yield work, canary
