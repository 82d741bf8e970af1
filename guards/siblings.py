"""Guard: a new entry is like its siblings, in all that the siblings agree on.

Fields and their kinds are asked from the first sibling on, for a page reads them blindly. The rest needs four
siblings: with fewer, what they have in common is chance. A closed set needs eight, each value seen at least twice
and two and a half times on average: where nothing was seen only once, the expected share of values never seen is
about nothing (Good and Turing). Texts with digits and long texts make no closed set, for years and titles go on.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from bot.frozen import frozen
from bot.model import FieldRule, Objection
from guards import patterns
from guards.alike import plain
from guards.entries import KEY, Newcomer, Value, fields, newcomers
from guards.facts import Facts

TELLING = 4
CLOSED = 8
SEEN = 2.5
WORD, LINE = 40, 100
PROSE = 4


@frozen
class Column:
    """One field over all siblings: the values of those that have it, and how many siblings there are."""

    name: str
    values: tuple[Value, ...]
    siblings: int

    @property
    def kinds(self) -> set[str]:
        """The kinds of values, nothing left out."""
        return {value.kind for value in self.values} - {"nothing"}

    @property
    def texts(self) -> list[str]:
        """The texts, where every sibling that has the field has a text in it; else none. Numbers are none."""
        held = [value.text for value in self.values if value.kind != "nothing"]
        return held if all(held) and len(self.kinds) == 1 and not self.kinds & {"number", "truth"} else []


@frozen
class Finding:
    """In what the entry's field differs from its siblings'."""

    code: str
    what: str
    seen: str
    accept: str


def siblings(facts: Facts) -> Iterator[Objection]:
    """Objects where a field is missing, empty, of another kind, outside a closed set or off the common pattern.

    Also to a date in the future, a value that was unique and is repeated, and to markup where no sibling has any.
    """
    for one in newcomers(facts):
        rules, mine = facts.rules.get(one.registry, {}), fields(one.entry)
        for column in _columns(one, rules):
            rule = rules.get(column.name, FieldRule())
            for finding in _judged(column, mine.get(column.name), rule, facts.today):
                yield _objection(facts, one, column.name, finding)


def _columns(one: Newcomer, rules: Mapping[str, FieldRule]) -> Iterator[Column]:
    table = [fields(sibling) for sibling in one.siblings]
    asked = [name for name, rule in rules.items() if rule.required]
    for name in dict.fromkeys([*(name for row in table for name in row), *asked]):
        yield Column(name, tuple(row[name] for row in table if name in row), len(table))


def _judged(column: Column, value: Value | None, rule: FieldRule, today: str) -> Iterator[Finding]:
    everywhere = len(column.values) == column.siblings and all(one.kind != "nothing" for one in column.values)
    required = rule.required if rule.required is not None else everywhere and column.name != KEY
    if value is None or value.kind == "nothing":
        if required:
            yield Finding("field-missing", "is missing, and an entry must have it", "nothing", "the field, filled")
        return
    if wrong := _kind(column, value):
        yield wrong
    elif value.empty:
        yield from _empty(column, rule)
    elif not rule.open and len(column.values) >= TELLING:
        yield from _unlike(column, value, today)


def _kind(column: Column, value: Value) -> Finding | None:
    known, inside = column.kinds, {item.kind for one in column.values for item in one.items}
    if known and value.kind not in known:
        return _kinds("is of another kind than the siblings'", {value.kind}, known)
    strange = {item.kind for item in value.items} - inside
    if inside and strange:
        return _kinds("holds another kind of item than the siblings'", strange, inside)
    return None


def _kinds(what: str, seen: set[str], known: set[str]) -> Finding:
    return Finding("field-kind", what, " or ".join(sorted(seen)), " or ".join(sorted(known)))


def _empty(column: Column, rule: FieldRule) -> Iterator[Finding]:
    """An empty list may mean something; where four siblings have none it does not."""
    full = bool(column.values) and not any(one.empty for one in column.values) and rule.required is not False
    if full and (column.texts or len(column.values) >= TELLING):
        yield Finding("field-empty", "is empty, and no sibling's is", "nothing", "the field, filled")


def _unlike(column: Column, value: Value, today: str) -> Iterator[Finding]:
    if value.items:
        yield from _outside(column, [item.text for item in value.items])
    texts = column.texts
    if not (texts and value.text):
        return
    yield from _outside(column, [value.text])
    pattern = patterns.common(texts)
    if pattern and not pattern.fits(value.text):
        yield Finding("field-pattern", "is off the pattern of all siblings", _short(value.text), pattern.name)
    elif "\n" in value.text.strip() and not any("\n" in text.strip() or len(text) > LINE for text in texts):
        yield Finding("field-pattern", "has several lines, and no sibling's has", _short(value.text), "one line")
    yield from _future(texts, value.text, today)
    if (pattern and pattern.telling) or min(len(text.split()) for text in texts) >= PROSE:
        yield from _repeated(texts, value.text)
    if patterns.is_markup(value.text) and not any(map(patterns.has_tags, texts)):
        yield Finding("field-markup", "is written as markup, and no sibling's is", _short(value.text), "plain text")


def _outside(column: Column, mine: list[str]) -> Iterator[Finding]:
    closed = _closed(column)
    for text in mine:
        if closed and text not in closed:
            accept = "one of: " + ", ".join(sorted(closed))
            yield Finding("field-value", "is none of the few values that all siblings have", _short(text), accept)


def _closed(column: Column) -> set[str]:
    """The few values that the siblings share, or none where the next may well be another."""
    counts = Counter(text for one in column.values for text in {item.text for item in one.items} or {one.text})
    few = len(column.values) >= CLOSED and len(counts) * SEEN <= counts.total()
    if not few or min(counts.values()) < 2 or any(column.kinds - {"text", "list"}):
        return set()
    return set() if any(len(text) > WORD or any(map(str.isdigit, text)) for text in counts) else set(counts)


def _future(texts: list[str], text: str, today: str) -> Iterator[Finding]:
    dates = [*texts, text] if today else []
    if dates and all(map(patterns.dated, dates)) and max(texts)[:10] <= today < text[:10]:
        yield Finding("field-future", "is a date in the future, and no sibling's is", text, f"at most {today}")


def _repeated(texts: list[str], text: str) -> Iterator[Finding]:
    there = [plain(one).strip() for one in texts]
    if len(set(there)) == len(there) and plain(text).strip() in there:
        yield Finding(
            "field-repeated", "repeats what was different in every sibling", _short(text), "a value of its own"
        )


def _short(text: str) -> str:
    return text if len(text) <= 60 else text[:59] + "…"


def _objection(facts: Facts, one: Newcomer, name: str, finding: Finding) -> Objection:
    value = fields(one.entry).get(name)
    where = (facts.place(value.text.strip()) if value and value.text.strip() else "") or facts.place(one.entry.key)
    word = "required = false" if finding.code in ("field-missing", "field-empty") else "open = true"
    accept = f"{finding.accept}; or, by the owner, [registry.fields] {name} = {{ {word} }}"
    what = f"{name} {finding.what}"
    return Objection(finding.code, "guards", where, f"{one.name}: {name}", what, finding.seen, accept)
