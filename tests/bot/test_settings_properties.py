"""Whatever stands in the file, reading it gives settings or one line."""

from __future__ import annotations

import copy
import tomllib
from pathlib import Path

from hypothesis import example, given
from hypothesis import strategies as st

from bot.errors import ConfigError
from bot.settings import Settings, settings_from
from bot.settings.text import as_toml
from tests.support.settings import SOUND

FILE = Path("/nowhere/plusone.toml")
KEYS = st.sampled_from([*Settings.model_fields, "name", "app", "allow", "adds", "source", "key", "page", "form"])
LEAVES = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=12), st.dates(), st.datetimes(), st.times()
)
VALUES = st.recursive(
    LEAVES,
    lambda below: st.lists(below, max_size=3) | st.dictionaries(KEYS | st.text(max_size=6), below, max_size=4),
    max_leaves=12,
)
TABLES = st.dictionaries(KEYS | st.text(max_size=6), VALUES, max_size=6)


def settings_or_line(table: dict[str, object]) -> Settings | None:
    try:
        return settings_from(table, FILE)
    except ConfigError as error:
        assert str(error).startswith("/nowhere/plusone.toml: ")
        assert str(error).isprintable()
        assert len(str(error)) < 600
        return None


@given(TABLES)
def test_any_mapping_is_settings_or_one_line(table: dict[str, object]) -> None:
    settings_or_line(table)


@st.composite
def damaged(draw: st.DrawFn) -> dict[str, object]:
    """The sound file with one value, anywhere in it, put to something else."""
    table = copy.deepcopy(tomllib.loads(SOUND))
    here: object = table
    while True:
        assert isinstance(here, dict)
        key = draw(st.sampled_from(sorted(here)) | KEYS)
        below = here.get(key)
        below = below[0] if isinstance(below, list) and below and isinstance(below[0], dict) else below
        if not isinstance(below, dict) or not below or draw(st.booleans()):
            here[key] = draw(VALUES)
            return table
        here = below


@given(damaged())
def test_a_damaged_file_is_settings_that_read_back_or_one_line(table: dict[str, object]) -> None:
    if settings := settings_or_line(table):
        again = settings_from(tomllib.loads(as_toml(settings.table())), FILE)
        assert again == settings


@given(st.recursive(st.text() | st.integers() | st.booleans(), lambda below: st.lists(below), max_leaves=5))
@example("\x7f \x00 \U0001f6a2")
def test_any_value_is_written_as_toml_that_reads_back(value: object) -> None:
    assert tomllib.loads(as_toml({"a b": {"key": value}})) == {"a b": {"key": value}}
