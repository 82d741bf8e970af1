"""A toy process with every feature of the real one: a loop that is re-entered, a bound, and values that go stale."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

from pydantic import TypeAdapter

from bot.budget.governor import Governor
from bot.engine import Engine
from bot.graph import Edge, Graph, Node
from bot.journal import Journal, Opening
from bot.model import Committed, Failed, Reverted, Skipped


@dataclass(frozen=True, slots=True)
class Seed:
    word: str = "seed"


@dataclass(frozen=True, slots=True)
class Ground:
    base: str = "base0"


@dataclass(frozen=True, slots=True)
class Draft:
    text: str = "draft"


@dataclass(frozen=True, slots=True)
class Frozen:
    tree: str


@dataclass(frozen=True, slots=True)
class Good:
    tree: str


@dataclass(frozen=True, slots=True)
class Bad:
    tree: str


@dataclass(frozen=True, slots=True)
class Fine:
    tree: str


@dataclass(frozen=True, slots=True)
class Yes:
    tree: str


@dataclass(frozen=True, slots=True)
class Again:
    flaw: str
    tree: str = "tree"


@dataclass(frozen=True, slots=True)
class No:
    why: str = "no"


@dataclass(frozen=True, slots=True)
class Mended:
    text: str


ADAPTERS: dict[str, TypeAdapter[object]] = {
    kind.__name__: TypeAdapter(kind)
    for kind in (
        Seed,
        Ground,
        Draft,
        Frozen,
        Good,
        Bad,
        Fine,
        Yes,
        Again,
        No,
        Mended,
        Committed,
        Reverted,
        Skipped,
        Failed,
    )
}


class Signatures:
    """What each toy node takes and returns; the bodies are scripted by `Script`."""

    def prepare(self, seed: Seed) -> Ground: ...  # type: ignore[empty-body]

    def write(self, ground: Ground) -> Draft: ...  # type: ignore[empty-body]

    def freeze(self, ground: Ground, work: Draft | Mended) -> Frozen: ...  # type: ignore[empty-body]

    def judge(self, ground: Ground, frozen: Frozen) -> Good | Bad: ...  # type: ignore[empty-body]

    def second(self, frozen: Frozen, good: Good) -> Fine: ...  # type: ignore[empty-body]

    def decide(self, frozen: Frozen, judged: Good | Bad, second: Fine | None) -> Yes | Again | No: ...  # type: ignore[empty-body]

    def mend(self, ground: Ground, again: Again) -> Mended: ...  # type: ignore[empty-body]

    def finish(self, ground: Ground, yes: Yes) -> Committed: ...  # type: ignore[empty-body]

    def drop(self, no: No) -> Reverted: ...  # type: ignore[empty-body]


NODES = (
    Node("prepare", Signatures.prepare, crash="again"),
    Node("write", Signatures.write, crash="restored", model=True),
    Node("freeze", Signatures.freeze, crash="again"),
    Node("judge", Signatures.judge, crash="again"),
    Node("second", Signatures.second, crash="again"),
    Node("decide", Signatures.decide, crash="again"),
    Node("mend", Signatures.mend, crash="restored", model=True),
    Node("finish", Signatures.finish, crash="again"),
    Node("drop", Signatures.drop, crash="again"),
)
EDGES = (
    Edge("prepare", "write", when=Ground),
    Edge("write", "freeze", when=Draft),
    Edge("freeze", "judge", when=Frozen),
    Edge("judge", "second", when=Good),
    Edge("judge", "decide", when=Bad),
    Edge("second", "decide", when=Fine),
    Edge("decide", "finish", when=Yes),
    Edge("decide", "drop", when=No),
    Edge("decide", "mend", when=Again, at_most=2),
    Edge("mend", "freeze", when=Mended),
)


def toy(
    nodes: tuple[Node, ...] = NODES, edges: tuple[Edge, ...] = EDGES, endings: tuple[type, ...] = (Committed, Reverted)
) -> Graph:
    """The toy graph, or one that differs from it."""
    return Graph("toy", "prepare", (Seed,), nodes, edges, frozenset(endings))


DONE = Committed("c0ffee", "tree1", "done")
STRAIGHT: dict[str, list[object]] = {
    "prepare": [Ground()],
    "write": [Draft()],
    "freeze": [Frozen("tree1")],
    "judge": [Good("tree1")],
    "second": [Fine("tree1")],
    "decide": [Yes("tree1")],
    "finish": [DONE],
}
REPAIRED: dict[str, list[object]] = {
    "prepare": [Ground()],
    "write": [Draft()],
    "freeze": [Frozen("tree1"), Frozen("tree2")],
    "judge": [Good("tree1"), Bad("tree2")],
    "second": [Fine("tree1")],
    "decide": [Again("spelling", "tree1"), No()],
    "mend": [Mended("mended")],
    "drop": [Reverted("decide", "no")],
}


@dataclass
class Script:
    """Bodies that return what is written down, in order, and note what they were handed; an exception is raised."""

    values: Mapping[str, list[object]]
    seen: list[tuple[str, dict[str, object]]] = field(default_factory=list)

    @property
    def bodies(self) -> dict[str, Callable[..., object]]:
        """A body for every node that has lines."""
        lines = {name: iter(values) for name, values in self.values.items()}

        def body(name: str) -> Callable[..., object]:
            def speak(**handed: object) -> object:
                self.seen.append((name, handed))
                value = next(lines[name])
                if isinstance(value, BaseException):
                    raise value
                return value

            return speak

        return {name: body(name) for name in lines}

    @property
    def path(self) -> list[str]:
        """The nodes whose bodies were called."""
        return [name for name, _ in self.seen]

    def handed(self, name: str, visit: int) -> dict[str, object]:
        """What the node got on its n-th visit, from 1."""
        return [handed for node, handed in self.seen if node == name][visit - 1]


class HandClock:
    """A clock that moves when told."""

    def __init__(self) -> None:
        self.at = datetime(2026, 11, 30, 4, 0, tzinfo=UTC)

    def now(self) -> datetime:
        """Aware UTC."""
        return self.at

    def monotonic(self) -> float:
        """Seconds of the same clock."""
        return self.at.timestamp()

    def forward(self, **by: float) -> None:
        """Move on by what `timedelta` understands."""
        self.at += timedelta(**by)


def encode(value: object) -> str:
    """Any toy as JSON."""
    return ADAPTERS[type(value).__name__].dump_json(value).decode()


def decode(name: str, text: str) -> object:
    """A toy back from its JSON."""
    return ADAPTERS[name].validate_json(text)


def journal(path: Path, clock: HandClock | None = None) -> Journal:
    """A journal over the toy codec."""
    return Journal(path / "journal.db", clock or HandClock(), encode, decode)


def opening(cycle: str = "c1", graph: str = "") -> Opening:
    """A run of the toy graph about to start."""
    return Opening(cycle, graph or toy().hash, Seed())


@dataclass
class Bench:
    """An engine over a real journal, with what is needed to look at it afterwards."""

    journal: Journal
    script: Script
    clock: HandClock = field(default_factory=HandClock)
    graph: Graph = field(default_factory=toy)
    restored: list[tuple[str, dict[type, object]]] = field(default_factory=list)
    steps: int | None = None

    @property
    def engine(self) -> Engine:
        """A fresh engine, as a new process would make it."""
        governor = Governor(self.clock, 60.0, self.steps)
        return Engine(
            self.graph, self.script.bodies, self.journal, governor,
            lambda node, standing: self.restored.append((node, dict(standing))),
        )  # fmt: skip
