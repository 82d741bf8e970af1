"""What is configured and cannot be done yet is refused, never ignored."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.errors import ConfigError
from bot.settings.later import later, refuse_later
from tests.support.settings import SOUND, loaded, with_lines


def test_the_sound_file_asks_for_nothing_that_cannot_be_done(tmp_path: Path) -> None:
    assert list(later(loaded(tmp_path, SOUND))) == []


@pytest.mark.parametrize(
    ("table", "line", "named"),
    [
        ("state", "keep_days = 30", "state.keep_days"),
    ],
)
def test_a_key_that_would_do_nothing_is_refused_by_name(tmp_path: Path, table: str, line: str, named: str) -> None:
    settings = loaded(tmp_path, with_lines(table, line))
    with pytest.raises(ConfigError, match="this version cannot carry out") as caught:
        refuse_later(settings)
    assert named in str(caught.value)
