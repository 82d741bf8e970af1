"""The tables about the gate: how long each part may take, and what each part is told."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from bot.settings.values import Locale, Relative, Table, Text, UrlPath


class Lint(Table):
    """`[gate.lint]`: nothing to set; the rules are those of the site's own base."""


class Catalogue(Table):
    """`[gate.catalogue]`: how messages are extracted, and where catalogues lie; what is not set is looked for."""

    mapping: Relative | None = None
    folder: Relative | None = None
    require: tuple[Locale, ...] = ()


class Login(Table):
    """How the sweep becomes a user: a form, posted to a path of the site."""

    path: UrlPath
    form: dict[Text, str]


class Routes(Table):
    """`[gate.routes]`: what is asked, and what pages may hold."""

    floor: Annotated[float, Field(ge=0, le=1)] = 0.3
    foreign_hosts: tuple[Text, ...] = ()
    inline_scripts: bool = False
    examples: tuple[UrlPath, ...] = ()
    allow: tuple[UrlPath, ...] = ()
    login: Login | None = None


class Tests(Table):
    """`[gate.tests]`: the site's own test command; empty runs none."""

    command: tuple[Text, ...] = ()


class Gate(Table):
    """`[gate]`: `seconds` holds for each part."""

    seconds: Annotated[int, Field(ge=1, le=86_400)] = 300
    lint: Lint = Lint()
    catalogue: Catalogue = Catalogue()
    routes: Routes = Routes()
    tests: Tests = Tests()
