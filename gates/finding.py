"""What may be held against one page, and how the findings of many pages and locales become objections."""

from __future__ import annotations

from collections.abc import Iterable

from bot.frozen import frozen
from bot.model import Objection
from gates.question import Question


@frozen
class Finding:
    """One fault on one page in one locale; `subject` joins the pages that show the same fault."""

    code: str
    question: Question
    where: str
    what: str
    seen: str
    accept: str
    subject: str = ""


def objections(findings: Iterable[Finding]) -> tuple[Objection, ...]:
    """One objection for each fault, whatever the number of locales, visitors and pages that show it."""
    grouped: dict[tuple[str, str], list[Finding]] = {}
    for finding in findings:
        subject = finding.subject or f"{finding.question.host}{finding.question.shown}"
        grouped.setdefault((finding.code, subject), []).append(finding)
    return tuple(_objection(code, subject, group) for (code, subject), group in grouped.items())


def _objection(code: str, subject: str, group: list[Finding]) -> Objection:
    first = group[0]
    return Objection(
        code=code,
        node="gate",
        where=first.where,
        subject=subject,
        what=first.what + _among(group),
        seen=first.seen,
        accept=first.accept,
    )


def _among(group: list[Finding]) -> str:
    """In which locales, for whom, and on how many more pages."""
    told = sorted({finding.question.locale for finding in group} - {""})
    told += ["signed in"] if all(finding.question.user for finding in group) else []
    pages = len({finding.question.shown for finding in group}) - 1
    told += [f"and {pages} more page{'s' * (pages > 1)}"] if pages else []
    return f" ({', '.join(told)})" if told else ""
