"""A part of the gate whose words hold no secret of this machine, whoever asks it: a cycle, a person, or the doctor."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from bot.frozen import frozen
from bot.model import Baseline, Evidence, Objection, Ready, Snapshot
from bot.ports import GatePart
from bot.redaction import Redaction


@frozen
class Discreet:
    """Implements `bot.ports.GatePart` over another one."""

    part: GatePart
    redaction: Redaction

    @property
    def name(self) -> str:
        """The part's own."""
        return self.part.name

    def baseline(self, base_tree: str) -> Baseline:
        """The part's own. Raises what it raises, in clean words."""
        with self._clean():
            found = self.redaction.value(self.part.baseline(base_tree))
        assert isinstance(found, Baseline)
        return found

    def judge(self, ready: Ready, snapshot: Snapshot) -> tuple[tuple[Objection, ...], Evidence]:
        """The part's own. Raises what it raises, in clean words."""
        with self._clean():
            against, evidence = self.part.judge(ready, snapshot)
        objections = tuple(one for each in against if isinstance(one := self.redaction.value(each), Objection))
        clean = self.redaction.value(evidence)
        assert isinstance(clean, Evidence) and len(objections) == len(against)
        return objections, clean

    @contextmanager
    def _clean(self) -> Iterator[None]:
        try:
            yield
        except Exception as error:
            if (safe := self.redaction.clear(error)) is not error:
                raise safe from None
            raise
