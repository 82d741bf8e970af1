"""What a site is asked: each rule, each entry's page, examples, static files, a wrong method, made-up paths."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import field, replace
from random import Random
from urllib.parse import quote

from bot.frozen import frozen
from bot.model import Holdings, Rule, Site, Source
from gates import rules
from gates.question import Question, Why

_BLANK = re.compile(r"\{[^{}]*\}")


@frozen
class Ground:
    """What the questions are made from. `server` is the site's SERVER_NAME; with `matching`, rules name whole hosts.

    `user` says that a login is configured, so that everything is asked a second time by somebody signed in.
    """

    site: Site
    holdings: Holdings
    server: str = ""
    matching: bool = False
    examples: tuple[str, ...] = ()
    allow: tuple[str, ...] = ()
    user: bool = False
    choices: rules.Choices = field(default_factory=dict)

    def urls(self, rule: Rule) -> tuple[str, ...]:
        """The URLs that the rule itself tells."""
        return rules.urls(rule, self.site.locales, self.choices)

    @property
    def rules(self) -> tuple[Rule, ...]:
        """The rules that the sweep covers, those that look harmful left out."""
        return tuple(rule for rule in self.holdings.rules if rules.asked(rule) and not self.skips(rule))

    @property
    def skipped(self) -> tuple[str, ...]:
        """The rules that look harmful and are not allowed."""
        return tuple(rules.name(rule) for rule in self.holdings.rules if rules.asked(rule) and self.skips(rule))

    def skips(self, rule: Rule) -> bool:
        """Whether the rule is left alone."""
        return rules.harms(rule) and not {rule.rule, rule.endpoint} & set(self.allow)

    def host(self, rule: Rule) -> str | None:
        """Where the rule is asked; None for hosts that are made up per visitor."""
        if "<" in rule.host:
            return None
        if self.matching:
            return rule.host
        return f"{rule.host}.{self.server}" if rule.host and self.server else self.server

    def localised(self, question: Question) -> Iterator[Question]:
        """The question in each of the site's locales, as the site tells them apart."""
        by, _, name = self.site.locale_by.partition(":")
        if by == "accept-language":
            yield from (replace(question, locale=locale) for locale in self.site.locales or ("",))
        elif by == "query" and self.site.locales and not re.search(rf"[?&]{re.escape(name)}=", question.url):
            joint = "&" if "?" in question.url else "?"
            yield from (replace(question, url=f"{question.url}{joint}{name}={code}") for code in self.site.locales)
        else:
            yield question

    def everywhere(self, plain: Iterable[Question]) -> tuple[Question, ...]:
        """The questions in each locale, by a visitor and, where a login is configured, by a user; none twice."""
        localised = [one for question in plain for one in self.localised(question)]
        signed_in = [replace(one, user=True) for one in localised] if self.user else []
        return tuple(dict.fromkeys((*localised, *signed_in)))


def questions(ground: Ground) -> tuple[Question, ...]:
    """Everything that base and candidate are asked alike, made-up paths left out; in a fixed order, none twice."""
    asked = [*_of_rules(ground), *_of_entries(ground)]
    asked += [Question("GET", url, host_of(ground, url), why="example") for url in ground.examples]
    return tuple(dict.fromkeys((*ground.everywhere(asked), *_wrong_method(ground))))


def plain(ground: Ground, urls: Iterable[str], why: Why) -> tuple[Question, ...]:
    """Questions about these URLs, each at the host of the rule that it reaches."""
    return ground.everywhere(Question("GET", url, host_of(ground, url), why=why) for url in urls)


def host_of(ground: Ground, url: str) -> str:
    """The host at which a rule answers the URL; the site's own where none does."""
    hosts = [ground.host(rule) for rule in ground.rules if rules.reaches(rule, url)]
    return next((host for host in hosts if host is not None), ground.server)


def page_url(source: Source, key: str) -> str:
    """The URL of an entry's page."""
    return _BLANK.sub(lambda _: quote(key, safe=""), source.page)


def pages_of(ground: Ground, source: Source, keys: Iterable[str]) -> tuple[Question, ...]:
    """The pages of these entries of one registry, in each locale."""
    urls = (url for key in keys for url in _prefixed(ground, source, key))
    return ground.everywhere(Question("GET", url, host_of(ground, url), why="entry") for url in urls)


def unknown(ground: Ground, random: Random) -> tuple[Question, ...]:
    """Paths that nobody has: at the top, further down, and among each registry's pages."""
    made = [("/<unknown>", f"/{_word(random)}"), ("/<unknown>/<unknown>", f"/{_word(random)}/{_word(random)}")]
    for source in ground.site.sources:
        if source.page:
            made.append((page_url(source, "<unknown>"), page_url(source, _word(random))))
    locale = next(iter(ground.site.locales), "") if ground.site.locale_by == "accept-language" else ""
    return tuple(Question("GET", url, host_of(ground, url), locale, "unknown", label) for label, url in made)


def _of_rules(ground: Ground) -> Iterator[Question]:
    for rule in ground.rules:
        host = ground.host(rule)
        if host is not None:
            yield from (Question("GET", url, host) for url in ground.urls(rule))


def _of_entries(ground: Ground) -> Iterator[Question]:
    for source in ground.site.sources:
        if source.page:
            for entry in ground.holdings.registry(source.name).entries:
                for url in _prefixed(ground, source, entry.key):
                    yield Question("GET", url, host_of(ground, url), why="entry")


def _prefixed(ground: Ground, source: Source, key: str) -> tuple[str, ...]:
    url = page_url(source, key)
    return tuple(f"/{locale}{url}" for locale in ground.site.locales) if ground.site.locale_by == "prefix" else (url,)


def _wrong_method(ground: Ground) -> Iterator[Question]:
    """A method that one of the rules does not answer, as the rules stand at base."""
    posts = [rule for rule in ground.holdings.rules if "POST" in rule.methods]
    for rule in sorted(ground.rules, key=lambda one: one.rule):
        host = ground.host(rule)
        if host is not None and "<" not in rule.rule and not any(rules.reaches(post, rule.rule) for post in posts):
            yield Question("POST", rule.rule, host, why="method")
            return


def _word(random: Random) -> str:
    return f"{random.getrandbits(64):016x}"
