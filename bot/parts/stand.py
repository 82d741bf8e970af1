"""Where the trees of one site are served and asked, under the rules of `[gate.routes]`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from random import Random

from bot.frozen import frozen
from bot.model import Holdings, Site
from bot.parts.patience import Patience
from bot.parts.served import Served, served
from bot.parts.tools import Tools
from gates.frames import Hello
from gates.login import Login
from gates.plan import Ground
from gates.rules import chosen


@frozen
class RouteRules:
    """`[gate.routes]`: what is asked besides, what pages may hold, who signs in, the floor, and the time limits."""

    examples: tuple[str, ...] = ()
    allow: tuple[str, ...] = ()
    floor: float = 0.3
    seconds: float = 300.0
    page_seconds: float = 10.0
    foreign_hosts: tuple[str, ...] = ()
    inline_scripts: bool = False
    login: Login | None = None


class Stand:
    """One site, whichever of its trees; `random` makes orders and made-up paths.

    `secure` is whether its trees are asked over https, because base insists on it.
    """

    def __init__(self, tools: Tools, site: Site, rules: RouteRules, random: Random) -> None:
        self.tools, self.site, self.rules, self.random = tools, site, rules, random
        self._newest: Served | None = None
        self.secure = False

    @property
    def last(self) -> str:
        """The URL that the site served last was asked for last."""
        return self._newest.last.url if self._newest else "/"

    def visited(self) -> Stand:
        """The same for visitors alone."""
        return Stand(self.tools, self.site, replace(self.rules, login=None), self.random)

    def holdings(self, tree: str) -> Holdings:
        """What the tree holds. Raises SiteBroken."""
        return self.tools.reader.holdings(tree)[1]

    def ground(self, holdings: Holdings, hello: Hello | None = None) -> Ground:
        """What questions are made from, as far as it is known before the site was served."""
        return Ground(
            self.site,
            holdings,
            server=hello.host if hello else "",
            matching=hello.matching if hello else False,
            examples=self.rules.examples,
            allow=self.rules.allow,
            user=self.rules.login is not None,
            choices={name: found for name, text in hello.converters if (found := chosen(text))} if hello else {},
        )

    @contextmanager
    def serving(self, tree: str) -> Iterator[Patience]:
        """The site of that tree, the user signed in. Raises SiteBroken."""
        rules = self.rules
        self._newest = None
        with served(self.tools, self.site, tree, rules.seconds, secure=self.secure) as site:
            self._newest = site
            asker = Patience(site, self.tools.clock, rules.seconds, rules.page_seconds, self.tools.tell)
            if rules.login is not None:
                asker.sign_in(rules.login)
            yield asker
