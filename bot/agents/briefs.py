"""What each visit is told: the prompts' blanks filled from the configuration, the ledger and the change at hand."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence

from bot.agents import prompts
from bot.base.known import Known
from bot.lines import one_line, shortened
from bot.model import Addition, Claim, GatePassed, Objection, Range, Ready, Repair, Snapshot, Source
from bot.ports import Objects
from bot.settings import Settings
from ledger.trailers import split

DIFF = 60_000  # characters that a fixer is shown; the rest it can read in its workspace
WHOLE = 240_000  # characters that a reviewer is shown, who must see all of it
LISTED = 400
_SMALL = frozenset(
    {"a", "an", "and", "at", "by", "for", "from", "get", "in", "of", "on", "or", "post", "the", "to", "with"}
)
_ENDING = re.compile(r"(?<=\w{3})(?:ies|es|s|ing|ed|ly|y)$")


class Briefs:
    """Writes the system prompt and the task of build, fix and validate.

    `known` reads what the ledger knew when a cycle began.
    """

    def __init__(
        self,
        settings: Settings,
        objects: Objects,
        known: Callable[[Ready], Known],
        protected: Sequence[str],
    ) -> None:
        self._settings, self._objects = settings, objects
        self._known, self._protected = known, tuple(protected)

    def build(self, ready: Ready) -> tuple[str, str]:
        """What is one addition here, where it may go, and what is known; a list that is cut says so."""
        settings, known = self._settings, self._known(ready)
        return prompts.fill(
            "build",
            {
                **self._common(),
                "kinds": _lines(_kind(one) for one in settings.additions),
                "registries": _lines(_source(one) for one in settings.sources) or "The site has none but its URL map.",
                "allowed": ", ".join(settings.cycle.allow),
                "known": _lines(_listed(known.keys)) or "(nothing yet)",
                "rejected": _lines(known.rejected) or "(nothing yet)",
            },
        )

    def fix(self, _: Ready, repair: Repair, may_touch: tuple[str, ...]) -> tuple[str, str]:
        """The rejected difference, and every objection to it."""
        snapshot = repair.snapshot
        return prompts.fill(
            "fix",
            {
                **self._common(),
                "claim": claim(snapshot.claim),
                "objections": "\n\n".join(_objection(one) for one in repair.objections),
                "may_touch": _lines(may_touch),
                "diff": self._diff(snapshot),
            },
        )

    def review(self, ready: Ready, snapshot: Snapshot, gate: GatePassed) -> tuple[str, str] | None:
        """The difference and what the checks counted; of what the builder said the reviewer sees only its claim.

        None for a difference that is too large to be shown whole: what was not read may not be approved.
        """
        settings, diff = self._settings, self._patch(snapshot)
        if len(diff) > WHOLE:
            return None
        return prompts.fill(
            "validate",
            {
                "site": settings.site.name,
                "locales": ", ".join(settings.site.locales) or "the site's own language",
                "claim": claim(snapshot.claim),
                "evidence": _lines(one.line for one in gate.evidence),
                "nearest": _lines(nearest(snapshot.claim.key, self._known(ready).keys)) or "(none)",
                "diff": diff,
            },
        )

    def _common(self) -> dict[str, str]:
        settings = self._settings
        limits = settings.limits
        return {
            "site": settings.site.name,
            "protected": ", ".join(self._protected),
            "limits": f"At most {limits.max_files} files, {limits.max_added_lines} added lines and "
            f"{limits.max_file_bytes} bytes a file.",
            "locales": ", ".join(settings.site.locales) or "the site's own",
        }

    def _patch(self, snapshot: Snapshot) -> str:
        return self._objects.patch(snapshot.base_tree, snapshot.tree)

    def _diff(self, snapshot: Snapshot) -> str:
        text = self._patch(snapshot)
        return text if len(text) <= DIFF else f"{text[:DIFF]}\n[cut after {DIFF} characters of {len(text)}]"


def claim(of: Claim) -> str:
    """A claim as lines."""
    parts = {"routes": of.routes, "changes": of.changes, "sources": of.sources}
    lists = [f"{name}: {', '.join(map(one_line, values))}" for name, values in parts.items() if values]
    head = [f"kind: {one_line(of.kind)}", f"key: {one_line(of.key)}", f"summary: {one_line(of.summary)}"]
    return _lines(head + lists)


def nearest(key: str, known: Mapping[str, str], most: int = 8) -> list[str]:
    """The known ledger keys that share the most words with this entry's, and how each is known.

    Evidence for a reader, never a veto: by any measure, neighbours score above twins. Endings and small words are left
    out; of equally near keys the shorter comes first.
    """
    words = _words(key)
    shared = {other: _overlap(words, _words(split(other)[1])) for other in known}
    ranked = sorted(shared, key=lambda other: (-shared[other], len(other), other))
    return [f"{other}: {shortened(known[other])}" for other in ranked[:most] if shared[other] > 0]


def _listed(known: Mapping[str, str]) -> list[str]:
    """Each key; with how it is known where the site itself does not show it. A list that is cut says by what rule."""
    rule = "first what the site does not show any more, then the newest; look at the site for the rest"
    more = [f"(and {len(known) - LISTED} more: listed are {rule})"] if len(known) > LISTED else []
    return [_how(key, how) for key, how in list(known.items())[:LISTED]] + more


def _how(key: str, how: str) -> str:
    return f"{key} ({shortened(how, 120)})" if "removed since" in how or how.startswith("known before") else key


def _words(key: str) -> frozenset[str]:
    said = "".join(c if c.isalnum() else " " for c in key.casefold()).split()
    return frozenset(_ENDING.sub("", word) for word in said if word not in _SMALL)


def _overlap(one: frozenset[str], other: frozenset[str]) -> float:
    return len(one & other) / max(1, len(one | other))


def _kind(addition: Addition) -> str:
    counts = ", ".join(f"{_count(span)} new in {name}" for name, span in addition.adds.items())
    return f"- kind `{addition.kind}`: {counts}"


def _count(span: Range) -> str:
    return str(span.least) if span.least == span.most else f"{span.least} to {span.most}"


def _source(source: Source) -> str:
    where = source.object or source.glob or (f"{source.file} at {source.at}" if source.at else source.file)
    page = f", each with its page at {source.page}" if source.page else ""
    return f"- `{source.name}`: {where}, key `{source.key}`{page}"


def _objection(one: Objection) -> str:
    lines = [f"[{one.code}] {one_line(one.where) or 'the change as a whole'}: {shortened(one.what, 1000)}"]
    lines += [f"  seen: {shortened(one.seen, 1500)}"] if one.seen else []
    lines += [f"  accepted would be: {shortened(one.accept, 500)}"] if one.accept else []
    return "\n".join(lines)


def _lines(items: Iterable[str]) -> str:
    return "\n".join(items)
