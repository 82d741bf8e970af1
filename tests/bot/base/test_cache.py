"""The cache: whole or not there."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.base.cache import FolderCache
from bot.errors import ConfigError


@pytest.fixture
def cache(tmp_path: Path) -> FolderCache:
    return FolderCache(tmp_path / "cache")


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=30)
@given(st.text(st.characters(codec="utf-8")), st.binary())
def test_what_was_put_is_got(cache: FolderCache, key: str, content: bytes) -> None:
    cache.put(key, content)
    assert cache.get(key) == content


def test_what_was_never_put_is_none(cache: FolderCache) -> None:
    assert cache.get("x") is None


@pytest.mark.parametrize("damage", [b"", b"x", b"\0" * 40, b"\xff" * 100])
def test_damage_reads_as_none_and_can_be_mended(cache: FolderCache, tmp_path: Path, damage: bytes) -> None:
    cache.put("key", b"content")
    (file,) = (tmp_path / "cache").iterdir()
    file.write_bytes(damage)
    assert cache.get("key") is None
    cache.put("key", b"again")
    assert cache.get("key") == b"again"


@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir])
def test_what_is_no_file_reads_as_none_and_is_never_waited_for(
    make: Callable[[Path], None], cache: FolderCache, tmp_path: Path
) -> None:
    cache.put("key", b"content")
    (file,) = (tmp_path / "cache").iterdir()
    file.unlink()
    make(file)
    assert cache.get("key") is None


def test_what_stands_in_the_way_is_named(cache: FolderCache, tmp_path: Path) -> None:
    cache.put("key", b"content")
    (file,) = (tmp_path / "cache").iterdir()
    file.unlink()
    file.mkdir()
    with pytest.raises(ConfigError, match=r"cache cannot be written \(.*directory.*\); mend that, or move it away"):
        cache.put("key", b"again")
    assert list((tmp_path / "cache").iterdir()) == [file]


def test_every_flipped_byte_is_noticed(cache: FolderCache, tmp_path: Path) -> None:
    cache.put("key", b"content")
    (file,) = (tmp_path / "cache").iterdir()
    whole = file.read_bytes()
    for at in range(len(whole)):
        file.write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
        assert cache.get("key") is None


def test_another_keys_file_is_not_believed(cache: FolderCache, tmp_path: Path) -> None:
    cache.put("one", b"1")
    (one,) = (tmp_path / "cache").iterdir()
    cache.put("two", b"2")
    (two,) = (path for path in (tmp_path / "cache").iterdir() if path != one)
    two.write_bytes(one.read_bytes())
    assert cache.get("two") is None


def test_a_new_value_replaces_the_old_and_leaves_no_draft(cache: FolderCache, tmp_path: Path) -> None:
    cache.put("key", b"1")
    cache.put("key", b"2")
    assert cache.get("key") == b"2"
    assert len(list((tmp_path / "cache").iterdir())) == 1
