"""`plusone rescue`: what was judged and is not on the branch, to list, to look at, and to have back."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bot.cli.options import CONFIG, Config, Json, State
from bot.cli.output import print_object
from bot.cli.reported import reported

if TYPE_CHECKING:
    from bot.cli.opened import Opened
    from bot.store.repository import Store
    from bot.store.rescue import Kept

app = typer.Typer(help="What was judged and is not on the branch.", no_args_is_help=True)
Ref = Annotated[str, typer.Argument(help="A ref as `plusone rescue list` prints it, or a cycle's id.")]
To = Annotated[Path | None, typer.Option("--to", help="Write the files into this new folder.")]
Branch = Annotated[str, typer.Option("--branch", help="Push it to the remote as this new branch.")]


@app.command("list")
def list_kept(config: Config = CONFIG, state: State = None, as_json: Json = False) -> None:
    """List what is kept, and how its cycle ended."""
    from bot.cli.opened import Opened
    from bot.lines import shortened
    from bot.store.rescue import kept

    with reported():
        site = Opened.of(config, state)
        found = [(one, _ending(site, one)) for one in kept(_store(site))]
    if as_json:
        rows = [{"ref": one.ref, "oid": one.oid, "cycle": one.cycle, "reason": why} for one, why in found]
        print_object({"schema_version": 1, "kept": rows})
    else:
        typer.echo("\n".join(f"{one.ref}\n    {shortened(why, 76)}" for one, why in found) or "nothing is kept")


@app.command()
def show(ref: Ref, config: Config = CONFIG, state: State = None, as_json: Json = False) -> None:
    """Print the difference that it makes."""
    from bot.cli.opened import Opened
    from bot.lines import printable
    from bot.store.rescue import find, patch

    with reported():
        site = Opened.of(config, state)
        store = _store(site)
        one = find(store, ref)
        told = printable(patch(store, one, _base(site, one)))
    if as_json:
        print_object({"schema_version": 1, "ref": one.ref, "oid": one.oid, "cycle": one.cycle, "diff": told})
    else:
        typer.echo(told, nl=False)


@app.command()
def restore(ref: Ref, to: To = None, branch: Branch = "", config: Config = CONFIG, state: State = None) -> None:
    """Write it to a new folder, or push it as a new branch; never to the branch that cycles push to."""
    from bot.cli.opened import Opened
    from bot.errors import ConfigError
    from bot.machine.clock import SystemClock
    from bot.store.git import Identity
    from bot.store.publisher import EMAIL, NAME
    from bot.store.rescue import find, restore_branch, restore_folder

    with reported():
        site = Opened.of(config, state)
        if (to is None) == (not branch):
            raise ConfigError("say where to: --to FOLDER or --branch NAME")
        if branch == site.settings.site.branch:
            raise ConfigError(f"{branch} is the branch that cycles push to (site.branch); name a new one")
        store = _store(site)
        one = find(store, ref)
        if to is not None:
            restore_folder(store, one, to)
            typer.echo(f"{one.ref} is in {to}")
        else:
            who = Identity(NAME, EMAIL, SystemClock().now().isoformat(timespec="seconds"))
            commit = restore_branch(store, one, _base(site, one), branch, who)
            typer.echo(f"{one.ref} is the branch {branch} at {commit[:12]}")


def _store(site: Opened) -> Store:
    from bot.store.remote import Remote, resolve
    from bot.store.repository import Store

    said = site.settings
    files = (said.ssh_key, said.known_hosts, said.token_file)
    url = resolve(said.remote, said.checkout or said.folder)
    return Store.open(site.folders.store, Remote(url, *(str(file or "") for file in files)))


def _ending(site: Opened, one: Kept) -> str:
    from bot.errors import JournalError

    try:
        run = site.journal.run(one.cycle)
    except JournalError:
        return "the journal does not know this cycle"
    return f"{run.outcome or 'open'}: {run.reason}"


def _base(site: Opened, one: Kept) -> str | None:
    from bot.errors import JournalError

    try:
        return site.journal.run(one.cycle).base
    except JournalError:
        return None
