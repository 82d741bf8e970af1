"""A full disk is told as what it is, wherever it was met; other errors keep their own words."""

from __future__ import annotations

import errno
import os

import pytest

from bot.errors import CommandFailed, ConfigError, PlusoneError, SiteBroken, shortage


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT])
def test_a_full_disk_and_a_spent_quota_are_told_with_the_file_and_what_next(number: int) -> None:
    error = shortage(OSError(number, os.strerror(number), "/var/lib/plusone/x"))
    assert error is not None and error.exit_code == 1
    assert str(error).startswith(f"/var/lib/plusone/x: {os.strerror(number)}")
    assert str(error).endswith("the disk is full; free some space, nothing recorded is lost")


def test_where_no_file_is_named_the_line_still_says_what_next() -> None:
    error = shortage(OSError(errno.ENOSPC, "No space left on device"))
    assert error is not None and "None" not in str(error) and "free some space" in str(error)


def test_an_error_of_ours_that_a_full_disk_caused_says_so_and_keeps_its_words() -> None:
    try:
        raise ConfigError("cannot write the recording x") from OSError(errno.ENOSPC, "No space left on device")
    except ConfigError as error:
        told = shortage(error)
    assert told is not None and told.exit_code == 1
    assert str(told).startswith("cannot write the recording x: the disk is full; free some space")


def test_git_tells_of_it_in_words() -> None:
    error = shortage(CommandFailed("git write-tree: fatal: unable to write loose object file: No space left on device"))
    assert error is not None and str(error).startswith("git write-tree: ") and "free some space" in str(error)


@pytest.mark.parametrize("error", [CommandFailed("git push: no"), SiteBroken("the site says: No space left on device")])
def test_a_site_that_says_so_speaks_of_its_own_room(error: PlusoneError) -> None:
    assert shortage(error) is None


@pytest.mark.parametrize(
    "error", [OSError(errno.EACCES, "denied"), OSError("odd"), ValueError(errno.ENOSPC), EOFError()]
)
def test_other_errors_are_none_of_its_business(error: Exception) -> None:
    assert shortage(error) is None
