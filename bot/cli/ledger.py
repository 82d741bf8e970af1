"""`plusone ledger`: what is known, whether the history says the same, and making it again from the history."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from typing import TYPE_CHECKING

import typer

from bot.cli.options import CONFIG, Config, Json, State
from bot.cli.output import print_object
from bot.cli.reported import reported

if TYPE_CHECKING:
    from bot.cli.opened import Opened
    from bot.store.repository import Store
    from ledger.contents import Rejected
    from ledger.store import LedgerStore

app = typer.Typer(help="What is known already.", no_args_is_help=True)


@app.command("list")
def list_keys(config: Config = CONFIG, state: State = None, as_json: Json = False) -> None:
    """List every known key with its state (configured, removed, committed, rejected), commit or cycle, and date."""
    from bot.base.cache import FolderCache
    from bot.base.known import gone_from_base
    from bot.cli.opened import Opened
    from bot.lines import one_line
    from bot.machine.clock import SystemClock
    from ledger.listing import listing

    with reported():
        site = Opened.of(config, state)
        ledger, now = _ledger(site), SystemClock().now()
        lost = gone_from_base(site.journal, FolderCache(site.folders.cache), ledger.list())
        rows = listing(ledger, now, lost)
        if as_json:
            entries = [asdict(one) for one in rows]
            print_object({"schema_version": 1, "known": dict(ledger.known(now, lost)), "entries": entries})
        else:
            typer.echo("\n".join(one_line(one.line) for one in rows) or "nothing yet")


@app.command()
def verify(config: Config = CONFIG, state: State = None, as_json: Json = False) -> None:
    """Compare the ledger with the history and the journal; exit status 1 and each difference where they part."""
    from bot.cli.opened import Opened
    from bot.machine.lock import held
    from ledger.audit import differences

    with reported():
        site = Opened.of(config, state)
        with held(site.folders.lock):
            store, tip = _history(site)
            found = tuple(differences(_ledger(site), tip, lambda commit: _log(store, commit), _ideas(site)))
    if as_json:
        print_object({"schema_version": 1, "differences": found})
    else:
        typer.echo("\n".join(found) or "the ledger says what the history says")
    raise typer.Exit(1 if found else 0)


@app.command()
def rebuild(config: Config = CONFIG, state: State = None, as_json: Json = False) -> None:
    """Make the ledger again from the branch's history and the journal; a damaged file is set aside, not lost."""
    from bot.cli.opened import Opened
    from bot.errors import LedgerError
    from bot.lines import one_line
    from bot.machine.lock import held

    with reported():
        site = Opened.of(config, state)
        with held(site.folders.lock):
            store, tip = _history(site)
            ledger = _ledger(site)
            try:
                ledger.tip()
            except LedgerError:
                typer.echo(f"the damaged ledger is kept as {one_line(str(ledger.set_aside()))}", err=True)
            ledger.renew(_log(store, tip), tip, _ideas(site))
            known = len(ledger.known())
    if as_json:
        print_object({"schema_version": 1, "known": known})
    else:
        typer.echo(f"{known} keys known")


def _ledger(site: Opened) -> LedgerStore:
    from ledger.store import LedgerStore

    return LedgerStore(site.folders.ledger, site.settings.ledger.known)


def _ideas(site: Opened) -> Iterable[Rejected]:
    """What the journal tells was rejected; what cannot be read there is said."""
    from bot.lines import one_line
    from bot.operation.attempts import ALL, attempts

    return attempts(site.journal, site.settings.additions, ALL, lambda line: typer.echo(one_line(line), err=True))


def _history(site: Opened) -> tuple[Store, str]:
    """The store and the branch's tip, fetched now."""
    from bot.store.remote import Remote, resolve
    from bot.store.repository import Store

    said = site.settings
    url = resolve(said.remote, said.checkout or said.folder)
    files = (said.ssh_key, said.known_hosts, said.token_file)
    store = Store.open(site.folders.store, Remote(url, *(str(file or "") for file in files)))
    return store, store.fetch(said.site.branch)


def _log(store: Store, tip: str) -> Iterable[tuple[str, str, str]]:
    return ((one.oid, one.when, one.message) for one in store.log(tip))
