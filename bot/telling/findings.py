"""The gate's verdict in the forms that people and other programs read."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import asdict
from hashlib import sha256
from urllib.parse import quote

from bot import __version__
from bot.frozen import frozen
from bot.lines import one_line, printable
from bot.model import Evidence, GateObjections, GatePassed, Objection
from bot.store.revisions import Revision
from bot.telling.story import objection

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


@frozen
class Findings:
    """What the gate found in the candidate that base has not."""

    base: Revision
    candidate: Revision
    verdict: GatePassed | GateObjections

    @property
    def objections(self) -> tuple[Objection, ...]:
        """Those of all parts; none where it passed."""
        return self.verdict.objections if isinstance(self.verdict, GateObjections) else ()


def as_text(found: Findings) -> str:
    """For a person at a terminal."""
    against = len(found.objections)
    said = "passed" if not against else "1 objection" if against == 1 else f"{against} objections"
    lines = [f"{found.base.oid[:12]}..{found.candidate.oid[:12]}: {said}"]
    for one in found.objections:
        lines += objection(one)
    lines += ["", "  evidence", *(f"    {_evidence(one)}" for one in found.verdict.evidence)]
    lines += [f"      {one_line(note)}" for one in found.verdict.evidence for note in one.notes]
    return printable("\n".join(lines))


def as_json(found: Findings) -> str:
    """One object."""
    told = {
        "schema_version": 1,
        "passed": not found.objections,
        "base": asdict(found.base),
        "candidate": asdict(found.candidate),
        "objections": [asdict(one) for one in found.objections],
        "evidence": [asdict(one) for one in found.verdict.evidence],
    }
    return json.dumps(told)


def as_sarif(found: Findings) -> str:
    """SARIF 2.1.0, for services that show findings beside the code."""
    rules = {one.code: one.accept or one.what for one in found.objections}
    shown = [{"id": code, "shortDescription": {"text": one_line(rules[code]) or code}} for code in sorted(rules)]
    driver = {"name": "plusone", "version": __version__, "rules": shown}
    run = {
        "tool": {"driver": driver},
        "results": [_result(one) for one in found.objections],
        "properties": {"evidence": [one.line for one in found.verdict.evidence]},
    }
    return json.dumps({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]})


def as_github(found: Findings) -> str:
    """Workflow commands, which GitHub shows beside the lines that they name."""
    return "\n".join(_commands(found))


FORMATS: dict[str, Callable[[Findings], str]] = {
    "text": as_text,
    "json": as_json,
    "sarif": as_sarif,
    "github": as_github,
}


def _evidence(one: Evidence) -> str:
    return one_line(f"{one.line}; {one.seconds:.1f} s{', cached' if one.cached else ''}")


def _result(one: Objection) -> dict[str, object]:
    told = "; ".join(one_line(text) for text in (one.what, one.seen, one.accept and f"accepted: {one.accept}") if text)
    mark = sha256(repr(one.identity).encode()).hexdigest()
    return {
        "ruleId": one.code,
        "level": "error",
        "message": {"text": told or one.code},
        "locations": [_location(one)] if one.where else [],
        "partialFingerprints": {"plusone/v1": mark},
    }


def _location(one: Objection) -> dict[str, object]:
    if one.file is None:
        return {"logicalLocations": [{"fullyQualifiedName": one.where, "kind": "resource"}]}
    region = {"region": {"startLine": _line(one)}} if _line(one) else {}
    return {"physicalLocation": {"artifactLocation": {"uri": quote(one.file)}, **region}}


def _commands(found: Findings) -> Iterator[str]:
    for one in found.objections:
        where = f"file={_property(one.file)}," if one.file else ""
        line = f"line={_line(one)}," if one.file and _line(one) else ""
        parts = (one.what if one.file else f"{one.where}: {one.what}", one.seen, one.accept)
        told = "\n".join(one_line(part) for part in parts if part)
        yield f"::error {where}{line}title={_property(one.code)}::{_data(told)}"
    for evidence in found.verdict.evidence:
        yield f"::notice title=plusone gate::{_data(_evidence(evidence))}"


def _line(one: Objection) -> int:
    number = one.where.removeprefix(one.path).strip(":").partition(":")[0]
    return int(number) if number else 0


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(one_line(text)).replace(":", "%3A").replace(",", "%2C")
