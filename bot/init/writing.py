"""The text of plusone.toml for what was found, with a comment where something is left to its owner."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator
from pathlib import Path

from bot.errors import ConfigError
from bot.frozen import frozen
from bot.init.findings import Findings
from bot.init.registries import Likely
from bot.settings import settings_from

FILL = "# FILL IN: "
_PLAIN = Path("plusone.toml")
_PLACES = {"python": "object", "files": "glob", "data": "file"}


@frozen
class Written:
    """The file's text, and the lines that its owner must fill in before a cycle can run."""

    text: str
    missing: tuple[str, ...]


def written(found: Findings) -> Written:
    """A file that `plusone config check` accepts. A registry of a kind that cannot be read yet is a comment."""
    active = tuple(one for one in found.registries if one.page and _carried_out(one))
    text = "\n".join([*_site(found), *_cycle(found), *_registries(found, active), *_gate(found), *_rest()]) + "\n"
    settings_from(tomllib.loads(text), _PLAIN)
    return Written(text, tuple(line.strip() for line in text.splitlines() if FILL in line))


def _site(found: Findings) -> Iterator[str]:
    checkout, messages = found.checkout, found.catalogues
    yield "# How Plusone keeps this site; written by `plusone init`. deploy/plusone.toml of Plusone explains every key."
    yield "# Relative paths mean the folder of this file. `plusone config check` tells whether it is sound."
    yield ""
    yield "[site]"
    yield f"name = {_text(found.name)}"
    yield _or_fill(f"remote = {_text(checkout.remote or 'origin')}", not checkout.trouble, checkout.trouble)
    yield _or_fill(f"branch = {_text(checkout.branch or 'main')}", bool(checkout.branch), "the branch that is live")
    app = found.app.app if found.app else "app:app"
    asks = found.app.asks if found.app else ()
    what = f"values for {', '.join(asks)}" if asks else "as for `flask --app`"
    yield _or_fill(f"app = {_text(app)}", found.app is not None and not asks, what)
    yield f"path = {_list(found.path)}"
    yield _or_fill(
        f"python = {_text(found.python or '.venv/bin/python')}", bool(found.python), "the site's own interpreter"
    )
    if messages:
        yield f"locales = {_list(messages.locales)}"
        yield f"locale_by = {_text(found.locale_by)}"
    if found.variables:
        wanted = ", ".join(f'{name} = ""' for name in found.variables[:8])
        yield _or_fill(f"env = {{ {wanted} }}", False, "the source reads these: values that are fit for a test")
    if found.untracked:
        there = _list(found.untracked)
        yield _or_fill("provide = []", False, f"what the site cannot do without of {there}, which git does not hold")
    yield 'checkout = "."                       # watched, and moved forward after a push when it is clean'


def _cycle(found: Findings) -> Iterator[str]:
    yield ""
    yield "[cycle]"
    yield '# quiet_period = "3h"                # since the branch\'s last commit'
    yield f"allow = {_list(found.allow)}"


def _registries(found: Findings, active: tuple[Likely, ...]) -> Iterator[str]:
    for one in found.registries:
        yield ""
        if one in active:
            yield from _registry(one)
        else:
            why = "cannot be read by this version yet" if one.page else "no page was found for it"
            yield f"# A likely registry: {why}; to use it, take the marks away, name the page of an entry,"
            yield f"# and see that cycle.allow covers {_file(one)}."
            yield from (f"# {line}".rstrip() for line in (*_registry(one), *_page(one), "", *_addition(one)))
    for one in active:
        yield from ("", *_addition(one))
    yield from ("", "[[addition]]", 'kind = "feature"', 'adds = { url_map = "0..2" }')


def _registry(one: Likely) -> Iterator[str]:
    yield "[[registry]]"
    yield f"name = {_text(one.name)}"
    yield f"source = {_text(one.source)}"
    yield f"{_PLACES[one.source]} = {_text(one.place)}"
    if one.at:
        yield f"at = {_text(one.at)}"
    yield f"key = {_text(one.key)}"
    if one.page:
        yield f"page = {_text(one.page)}"


def _page(one: Likely) -> Iterator[str]:
    """The line that its owner fills in, where no page was found."""
    if not one.page:
        yield f'page = "/…/{{{one.key}}}"'


def _addition(one: Likely) -> Iterator[str]:
    yield from ("[[addition]]", f"kind = {_text(one.kind)}", f"adds = {{ {one.name} = 1 }}")


def _file(one: Likely) -> str:
    return "its module" if one.source == "python" else _text(one.place)


def _gate(found: Findings) -> Iterator[str]:
    messages = found.catalogues
    if messages:
        yield from ("", "[gate.catalogue]", f"folder = {_text(messages.folder)}")
        yield f"mapping = {_text(messages.mapping)}" if messages.mapping else '# mapping = "babel.cfg"'
    yield from (
        "",
        "[gate.routes]",
        "# floor = 0.3                        # the share of GET rules that must be reached",
    )
    yield f"examples = {_list(found.examples)}" if found.examples else '# examples = ["/search?q=a"]'
    if found.login:
        yield f'# login = {{ path = {_text(found.login)}, form = {{ user = "…", password = "…" }} }}'
    if found.tests:
        yield from ("", "# [gate.tests]", '# command = ["python", "-m", "pytest", "-q"]')


def _rest() -> Iterator[str]:
    yield from ("", "[budget]", "usd_per_cycle = 2.00", "usd_per_day = 8.00")
    yield from (
        "",
        "[credentials]",
        '# api_key_file = "/etc/plusone/anthropic.key"    # mode 0600; never the key itself',
    )
    yield from ("", "[timer]", '# calendar = "00/4:00:00"', '# jitter = "15min"')
    yield from ("", "[notify]", '# healthchecks = "https://…"', '# webhook = "https://…"')


def _carried_out(one: Likely) -> bool:
    """Whether this version can read such a registry: asked of the configuration's own words."""
    lines = ["[site]", 'name = "x"', 'app = "a:b"', "[cycle]", 'allow = ["**"]', "[[addition]]", 'kind = "x"']
    text = "\n".join([*lines, f"adds = {{ {one.name} = 1 }}", *_registry(one)])
    try:
        settings_from(tomllib.loads(text), _PLAIN)
    except ConfigError:
        return False
    return True


def _or_fill(line: str, found: bool, what: str) -> str:
    return line if found else f"{line:<36} {FILL}{what}"


def _text(value: str) -> str:
    """A TOML string, in which what does not print is spelt out."""
    return "".join(one if one.isprintable() else f"\\U{ord(one):08X}" for one in json.dumps(value, ensure_ascii=False))


def _list(values: tuple[str, ...]) -> str:
    return f"[{', '.join(map(_text, values))}]"
