"""What can break, each with the exit status that the timer sees; refusals are values and do not live here."""

from __future__ import annotations

import errno
import os


class PlusoneError(Exception):
    """Something broke; the text says what, where and what next, in one line."""

    exit_code = 1


class GraphError(PlusoneError):
    """The table of the cycle cannot be what it says it is."""


class IllegalTransition(PlusoneError):
    """A node returned a type for which its table has no edge."""


class StaleVerdict(PlusoneError):
    """A verdict quotes another tree than the one that is to be decided on."""


class JournalError(PlusoneError):
    """The journal is damaged, or belongs to another program."""


class DiskFull(PlusoneError):
    """There is no room left to write to."""


class LedgerError(PlusoneError):
    """The ledger is damaged or disagrees with the history."""


class CommandFailed(PlusoneError):
    """A program exited with a status that nobody expected."""


class StoreDamaged(PlusoneError):
    """The store itself can no longer be read whole; what the remote holds is not touched by that."""


class SnapshotFailed(PlusoneError):
    """Git and the walk disagree about what is in the workspace."""


class GateBroken(PlusoneError):
    """A gate's own answer could not be read; broken is never passed."""


class SiteBroken(PlusoneError):
    """The site's code in one tree could not be imported, booted or asked; the text is the site's own message.

    `where` is the `path:line` of a file of the tree that cannot be read, empty where it is not one file's fault.
    """

    exit_code = 78

    def __init__(self, message: str, where: str = "") -> None:
        super().__init__(message)
        self.where = where


class BudgetSpent(PlusoneError):
    """A governor stopped the cycle; `stopped_by` names which."""

    def __init__(self, stopped_by: str, message: str) -> None:
        super().__init__(message)
        self.stopped_by = stopped_by


class ModelFailed(PlusoneError):
    """The model's answer cannot be used, and asking again did not help."""


class Unreachable(PlusoneError):
    """The remote or the model's service cannot be reached."""

    exit_code = 69


class Overloaded(PlusoneError):
    """The model's service turns us away for now."""

    exit_code = 75


class LockHeld(PlusoneError):
    """Another cycle of the same site is running."""

    exit_code = 75


class CredentialsRefused(PlusoneError):
    """A key or a token is missing, unreadable or refused."""

    exit_code = 77


class ConfigError(PlusoneError):
    """The configuration, the repository or an input file is not usable as it is."""

    exit_code = 78


class ScriptError(ConfigError):
    """A script file or a recording cannot be followed."""


class NoSandbox(ConfigError):
    """There is no sandbox to run untrusted code in, so nothing is run."""


_FULL = (errno.ENOSPC, errno.EDQUOT)
FULL = tuple(os.strerror(number) for number in _FULL)  # as git tells it


def shortage(error: BaseException) -> DiskFull | None:
    """What a full disk or a spent quota is to the operator; None for any other error."""
    told = isinstance(error, CommandFailed | SnapshotFailed) and any(one in str(error) for one in FULL)
    if told or (isinstance(error, PlusoneError) and _fills(error.__cause__)):
        return DiskFull(f"{error}: the disk is full; free some space, nothing recorded is lost")
    if not isinstance(error, OSError) or not _fills(error):
        return None
    where = error.filename if isinstance(error.filename, str) else "where records and temporary files are kept"
    return DiskFull(f"{where}: {error.strerror}, the disk is full; free some space, nothing recorded is lost")


def _fills(error: BaseException | None) -> bool:
    return isinstance(error, OSError) and error.errno in _FULL
