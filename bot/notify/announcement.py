"""When something is said: at the start of a firing, at its end, and when a unit failed that could not say so itself."""

from __future__ import annotations

from typing import TYPE_CHECKING
from uuid import NAMESPACE_URL, uuid5

from bot.errors import JournalError
from bot.journal import Journal
from bot.machine.environment import Environment
from bot.notify.delivery import deliver, ready, wanted
from bot.settings import Settings
from bot.telling.report import Report

if TYPE_CHECKING:
    from bot.notify.notice import Notice

ANNOUNCED = "announced-invocation"


def starting(settings: Settings, journal: Journal, cycle: str) -> None:
    """Say that a firing begins, to whoever measures how long it takes. Raises ConfigError as `ready` does."""
    ready(settings.notify)
    if settings.notify.healthchecks:
        from bot.notify.pings import start

        deliver(journal, "healthchecks", lambda: start(settings.notify.healthchecks, _rid(cycle)))


def announce(settings: Settings, environment: Environment, journal: Journal, report: Report) -> None:
    """Say how a firing ended. A dry run is nobody's news; nothing is raised for what cannot be delivered."""
    if not wanted(settings.notify) or report["dry_run"]:
        return
    from bot.notify.notice import Notice, event_of, is_news, tail

    cycle, reason = str(report["cycle"]), str(report["reason"])
    status = report.get("exit_code")
    notice = Notice(
        event_of(report),
        status if isinstance(status, int) else 1,
        f"{settings.site.name}: {report['outcome']}: {reason}",
        tail(_log(journal, cycle) or [reason]),
        _rid(cycle),
        report,
        is_news(journal, report),
    )
    _say(settings, journal, notice)
    if environment.invocation:
        journal.set_note(ANNOUNCED, environment.invocation)


def _log(journal: Journal, cycle: str) -> list[str]:
    """The cycle's story; empty where it never came to a row."""
    from bot.telling.story import story

    try:
        run = journal.run(cycle)
    except JournalError:
        return []
    return list(story(journal, run))


def answered(settings: Settings, journal: Journal, report: Report) -> None:
    """Say what people did with a cycle that had ended before, or what its waiting came to. Nothing is raised.

    No ping: that a person acted is no sign that the timer does.
    """
    if not wanted(settings.notify):
        return
    from bot.notify.notice import Notice, event_of, tail
    from bot.telling.story import story

    status, cycle = report.get("exit_code"), str(report["cycle"])
    title = f"{settings.site.name}: {report['outcome']}: {report['reason']}"
    log = tail(list(story(journal, journal.run(cycle))))
    number = status if isinstance(status, int) else 1
    _post(settings, journal, Notice(event_of(report), number, title, log, _rid(cycle), report))


def left_unsaid(settings: Settings, environment: Environment, journal: Journal) -> None:
    """For the failure unit of systemd: a cycle that was killed, or broke before its record, could not say so."""
    invocation, result = environment.failed
    if not wanted(settings.notify) or (invocation and invocation == journal.note(ANNOUNCED)):
        return
    from bot.notify.notice import Notice

    reason = (
        f"systemd ended the cycle: {result or 'unknown'}; look with: journalctl _SYSTEMD_INVOCATION_ID={invocation}"
    )
    report: Report = {"cycle": "", "outcome": "failed", "reason": reason, "dry_run": False}
    title = f"{settings.site.name}: failed: {reason}"
    _say(settings, journal, Notice("failed", 1, title, reason, _rid(invocation), report))


def _say(settings: Settings, journal: Journal, notice: Notice) -> None:
    said = settings.notify
    if said.healthchecks and notice.news:
        from bot.notify.pings import end

        deliver(journal, "healthchecks", lambda: end(said.healthchecks, notice))
    _post(settings, journal, notice)


def _post(settings: Settings, journal: Journal, notice: Notice) -> None:
    said, name = settings.notify, settings.site.name
    if notice.event not in said.on or not notice.news:
        return
    if said.webhook:
        from bot.notify.webhook import post

        deliver(journal, "webhook", lambda: post(said.webhook, name, notice))
    if said.apprise:
        from bot.notify.messages import send

        deliver(journal, "apprise", lambda: send(said.apprise, notice))


def _rid(name: str) -> str:
    """A run id as Healthchecks wants it, the same at the start and at the end of a firing."""
    return str(uuid5(NAMESPACE_URL, f"plusone:{name}"))
