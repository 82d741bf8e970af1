"""Python source as the guards read it."""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from guards.python import parse, parsed

TEXT = "def f(a, b={'x': [1, 2, (3, 4)]}):\n    return [a.b.c(d) for d in b if d > 1]\n" * 100


@pytest.fixture
def hasty() -> Iterator[None]:
    """Threads that take turns as often as they can, also while a tree is made."""

    def noise(*_: object) -> None:
        for number in range(300):
            str(number)

    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    gc.callbacks.append(noise)
    yield
    gc.callbacks.remove(noise)
    sys.setswitchinterval(before)


def test_two_threads_may_parse_at_once(hasty: None) -> None:
    with ThreadPoolExecutor(4) as pool:
        sizes = list(pool.map(lambda _: len(parse(TEXT).body), range(16)))
    assert sizes == [100] * 16


def test_what_cannot_be_parsed_is_none_and_warns_nobody(recwarn: pytest.WarningsRecorder) -> None:
    assert parsed("def") is None and parsed("x = '\0'") is None
    assert parsed("x = '\\d'") is not None
    assert not recwarn.list
