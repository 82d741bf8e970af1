"""What a cycle asks of the machine: its clock, room on the disk, a state folder of its own, the key, known prices."""

from __future__ import annotations

import os
import pwd
import re
import shlex
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path

from bot.compose import Shop
from bot.doctor.check import Check, Look
from bot.errors import JournalError
from bot.machine.clock import synchronised
from bot.model import Tokens
from bot.notify import ready, undelivered, wanted
from bot.operation.unshown import unshown
from bot.pictures import Browser, located

_SCARCE, _FEW = 2 * 1024**3, 256 * 1024**2
_MODEL = re.compile(r"claude-[a-z0-9][a-z0-9.-]*")


def looks(shop: Shop) -> Iterator[Look]:
    """None of them asks the network."""
    yield Look("state", lambda: _state(shop), "plusone doctor --state DIR, with a folder that is yours")
    yield Look("disk", lambda: disk(shop.folders.root))
    yield Look("clock", lambda: clock(synchronised()))
    yield Look("key", lambda: _key(shop), "write the key to a file of mode 0600: credentials.api_key_file")
    yield Look("models", lambda: models(shop))
    yield Look("notify", lambda: notices(shop), "mend [notify]", ("state",))
    yield Look("page", lambda: _page(shop), "mend [page]", ("state",))


def _state(shop: Shop) -> Check:
    """Nothing that the journal is asked for is worth a look where it cannot be read."""
    found, journal = state(shop.folders.root), shop.folders.journal
    if found.level == "failure" or not journal.exists():
        return found
    try:
        shop.journal.runs(1)
    except JournalError as error:
        place = shlex.quote(str(journal))
        return Check("state", "failure", str(error), f"mv {place} {place}.damaged, or restore a copy")
    return found


def _page(shop: Shop) -> Check:
    trouble = unshown(shop.journal) if shop.folders.journal.exists() else {}
    return page(shop.settings.page.pictures, located(), trouble)


def page(wanted: str, browser: Browser | None, trouble: Mapping[str, str]) -> Check:
    """Whether the page could be made last, and what takes its pictures."""
    if trouble:
        told = "; ".join(f"its {part} could not be made, {why}" for part, why in trouble.items())
        return Check("page", "warning", told, "page.folder, or what is named there")
    if wanted == "never":
        return Check("page", "ok", "without pictures, as page.pictures says")
    if browser is None:
        mend = 'apt-get install chromium, or page.pictures = "never"'
        return Check("page", "warning", "without pictures: no Chromium is installed", mend)
    return Check("page", "ok", f"pictures by {browser.program}")


def state(folder: Path) -> Check:
    """It must be ours: what root leaves in the folder of a service's user, that user cannot read."""
    there = next(path for path in (folder, *folder.parents) if path.exists())
    owner = there.stat().st_uid
    if there == folder and owner != os.geteuid():
        name = _user(owner)
        return Check("state", "failure", f"{folder} belongs to {name}", f"sudo -u {name} plusone doctor")
    if there != folder:
        return Check("state", "ok", f"{folder} is not there yet; the first cycle makes it")
    if mode := there.stat().st_mode & 0o077:
        return Check("state", "warning", f"{folder} is open to others (mode ..{mode:02o})", f"chmod 700 {folder}")
    return Check("state", "ok", str(folder))


def disk(folder: Path) -> Check:
    """Room for exports, the store and the recordings."""
    there = next(path for path in (folder, *folder.parents) if path.exists())
    free = shutil.disk_usage(there).free
    seen = f"{free / 1024**3:.1f} GiB free below {there}"
    if free >= _SCARCE:
        return Check("disk", "ok", seen)
    return Check("disk", "failure" if free < _FEW else "warning", seen, "free some space, or set [state] dir elsewhere")


def clock(right: bool | None) -> Check:
    """Quiet periods, days and budgets are told by it."""
    if right:
        return Check("clock", "ok", "follows a time server")
    seen = "does not tell whether it is right" if right is None else "follows no time server"
    return Check("clock", "warning", seen, "timedatectl set-ntp true")


def _key(shop: Shop) -> Check:
    shop.environment.api_key(shop.settings.api_key_file)
    return Check("key", "ok", f"found ({shop.settings.api_key_file or 'from the environment'})")


def models(shop: Shop) -> Check:
    """A cap on money needs a price for every model; whether the service offers one, only a call can tell."""
    from bot.budget.prices import price

    names = tuple(dict.fromkeys(shop.settings.model_names.values()))
    unknown = [name for name in names if price(name, Tokens(1, 1), shop.settings.prices) is None]
    budget = shop.settings.budget
    capped = budget.usd_per_cycle is not None or budget.usd_per_day is not None
    if unknown:
        line = f'[models.prices] "{unknown[0]}" = {{ input = …, output = … }}'
        level: Check = Check(
            "models", "failure" if capped else "warning", f"no price known for {', '.join(unknown)}", line
        )
        return level
    if odd := [name for name in names if not _MODEL.fullmatch(name)]:
        return Check("models", "warning", f"{odd[0]} does not look like a model's id", "mend [models]")
    return Check("models", "ok", f"{', '.join(names)}: prices known")


def notices(shop: Shop) -> Check:
    """A bot that nobody hears of may be dead for months."""
    said = shop.settings.notify
    ready(said)
    if not wanted(said):
        return Check("notify", "warning", "nobody is told how cycles end", "[notify] healthchecks, webhook or apprise")
    lost = undelivered(shop.journal) if shop.folders.journal.exists() else {}
    if lost:
        channel, why = next(iter(lost.items()))
        return Check("notify", "warning", f"{channel} did not get through, {why}", f"mend notify.{channel}")
    return Check("notify", "ok", f"told of {', '.join(said.on)}")


def _user(uid: int) -> str:
    try:
        return pwd.getpwuid(uid).pw_name
    except KeyError:
        return f"#{uid}"
