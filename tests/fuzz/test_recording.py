"""Whatever became of a recording's file, it is read as what was written, or refused by name."""

from __future__ import annotations

import json
import tempfile
from dataclasses import asdict
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from bot.agents.recording import Exchange, Recording, load
from bot.errors import ScriptError

MADE = [
    Exchange(node, visit, seq, "2026-11-30T04:00:00+00:00", {"model": "m"}, status, {"request-id": "r"}, "data: {}\n\n")
    for node, visit, seq, status in (("build", 1, 1, 200), ("build", 1, 2, None), ("fix", 2, 1, 529))
]
GOOD = [json.dumps({"plusone": 1, "cycle": "c"}), *(json.dumps(asdict(one)) for one in MADE), json.dumps({"end": {}})]
ODD = [
    *(
        "",
        "{}",
        "[]",
        "null",
        "{",
        '{"end": 1}',
        '{"end": {}, "x": 1}',
        '{"end": {"outcome": "committed"}}',
        "\x00",
        "\ud800",
    ),
    *('{"plusone": 1}', '{"plusone": 2}', "[" * 3000, "9" * 5000, '{"a":' * 1200, "NaN", "\x85", "\u2028"),
]
LINE = st.sampled_from([*GOOD, *GOOD, *ODD]) | st.text(max_size=20)


@st.composite
def files(draw: st.DrawFn) -> bytes:
    """Lines, mostly good ones, put together, then changed in some bytes and cut."""
    lines = draw(
        st.just(GOOD) | st.lists(LINE, max_size=6).map(lambda more: [GOOD[0], *more]) | st.lists(LINE, max_size=4)
    )
    text = bytearray("\n".join([*lines, ""]).encode("utf-8", "surrogatepass"))
    for _ in range(draw(st.integers(0, 2)) if text else 0):
        text[draw(st.integers(0, len(text) - 1))] = draw(st.integers(0, 255))
    return bytes(text[: draw(st.integers(0, len(text)) | st.just(len(text)))])


@given(files())
def test_a_recording_is_read_as_it_was_written_or_refused_by_name(content: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "r.jsonl")
        path.write_bytes(content)
        try:
            found = load(path)
        except ScriptError as error:
            assert str(error).startswith(str(path)) and "\n" not in str(error)
            return
        lines = [json.loads(line) for line in content.split(b"\n")[:-1]]
        assert lines[0]["plusone"] == 1 == found.header["plusone"]
        told = [asdict(one) for one in found.exchanges]
        wanted = [{"error": None, **line} for line in lines[1 : len(told) + 1]]
        assert [{name: one for name, one in each.items() if name != "_places"} for each in told] == wanted
        assert len({(one.node, one.visit, one.seq) for one in found.exchanges}) == len(told)
        assert len(told) == len(lines) - 1 - bool(found.end)
        again = Recording(path).resume()
        assert (again.exchanges, again.end) == (found.exchanges, found.end) and not load(path).torn
