"""Which new files are old ones under another name."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from bot.model import TreeEntry
from gates.renames import renames

LINES = [f"line {number}\n" for number in range(8)]


def sides(base: dict[str, str], candidate: dict[str, str]) -> dict[str, str]:
    def entries(files: dict[str, str]) -> dict[str, TreeEntry]:
        return {path: TreeEntry("100644", text, len(text)) for path, text in files.items()}

    return renames(entries(base), entries(candidate), str.encode)


def test_equal_and_similar_files_are_paired_once_and_the_nearest_first() -> None:
    half, most = "".join(LINES[:4]) + "x\n" * 4, "".join(LINES[:7]) + "x\n"
    assert sides({"a.py": "".join(LINES)}, {"b.py": half, "c.py": most}) == {"c.py": "a.py"}
    assert sides({"a.py": half, "z.py": most}, {"b.py": most, "c.py": half}) == {"b.py": "z.py", "c.py": "a.py"}


def test_a_file_that_stays_or_shares_too_little_is_no_rename() -> None:
    assert sides({"a.py": "x\n"}, {"a.py": "y\n", "b.py": "x\n"}) == {}
    assert sides({"a.py": "".join(LINES)}, {"b.py": "".join(LINES[:2]) + "x\n" * 6}) == {}
    assert sides({"a.txt": "x\n"}, {"b.txt": "x\n"}) == {}


def test_a_great_move_pairs_what_is_equal_only() -> None:
    base = {f"old/{number}.py": f"{number}\nsame\n" for number in range(50)}
    moved = {path.replace("old", "new"): text for path, text in base.items()}
    assert len(sides(base, moved)) == 50
    assert sides(base, {path: text + "x\n" for path, text in moved.items()}) == {}


@given(st.dictionaries(st.sampled_from(["a.py", "b.py", "c.py"]), st.text("xy\n", max_size=8)),
       st.dictionaries(st.sampled_from(["b.py", "d.py", "e.py"]), st.text("xy\n", max_size=8)))  # fmt: skip
def test_each_old_file_goes_to_one_new_place(base: dict[str, str], candidate: dict[str, str]) -> None:
    found = sides(base, candidate)
    assert len(set(found.values())) == len(found)
    assert all(new in candidate and new not in base for new in found)
    assert all(old in base and old not in candidate for old in found.values())
