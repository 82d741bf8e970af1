"""Python source as the guards read it."""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from guards.python import comments, parse, parsed

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


def test_comments_stand_on_the_lines_that_the_parser_counts() -> None:
    text = "x = 1  # é\r# two\ry = '''\r\n'''  # four\n\rz = 1 \\\r  + 1  # seven\r"
    assert list(comments(text)) == [(1, "# é"), (2, "# two"), (4, "# four"), (7, "# seven")]
    assert [node.end_lineno for node in parse(text).body] == [1, 4, 7]


@pytest.mark.parametrize("text", ["\r\x80", "\ud800", "\0", "'", "(", "  x\n y", "x = 1\x1a", "\ufeff\ufeff", "f'{"])
def test_comments_end_where_the_text_can_no_longer_be_read(text: str) -> None:
    assert list(comments(f"# a\n{text}"))[:1] in ([(1, "# a")], [])  # a text that no file holds may give none
