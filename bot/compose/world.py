"""What a firing keeps and asks outside the sandbox: the journal, the store, the ledger, the cache, the checkout."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from bot.agents.models import ModelChoice
from bot.budget.governor import Governor
from bot.budget.meter import DayCaps
from bot.codec import decode, encode
from bot.cycle import cycle
from bot.errors import JournalError
from bot.folders import Folders
from bot.graph import Graph, worst
from bot.journal import Journal
from bot.machine.clock import SystemClock
from bot.machine.environment import Environment
from bot.model import Ready, Trigger
from bot.settings import Settings
from bot.workspace.policy import Policy

if TYPE_CHECKING:
    from bot.base.known import Known
    from bot.ports import Cache
    from bot.redaction import Redaction
    from bot.store.repository import Store
    from ledger.store import LedgerStore


@dataclass
class World:
    """Everything is made when it is first asked for."""

    settings: Settings
    folders: Folders
    environment: Environment
    trigger: Trigger
    choice: ModelChoice

    @cached_property
    def clock(self) -> SystemClock:
        """The machine's clock."""
        return SystemClock()

    @cached_property
    def secrets(self) -> tuple[str, ...]:
        """What this machine keeps to itself, by value: keys, tokens, addresses of notices, what checks are lent."""
        from bot.machine.credentials import credentials
        from guards.secrets import held

        said, tell = self.settings, self.settings.notify
        files = (self.environment.given, said.api_key_file, said.token_file, said.ssh_key)
        found = (self.environment.key, tell.healthchecks, tell.webhook, *tell.apprise)
        lent = held("\n".join(f"{name}={value}" for name, value in (said.site.env or {}).items()))
        return tuple({*found, *lent, *credentials(files, [host for _, host in said.provide])} - {""})

    @cached_property
    def redaction(self) -> Redaction:
        """Takes the secrets out of what is kept, told and sent."""
        from bot.redaction import Redaction

        return Redaction(lambda: self.secrets)

    @cached_property
    def graph(self) -> Graph:
        """The table, proved."""
        return cycle(self.settings.cycle.repairs)

    @cached_property
    def governor(self) -> Governor:
        """Steps and wall clock of this firing."""
        return Governor(self.clock, self.settings.allowance().seconds, sum(worst(self.graph).values()))

    @cached_property
    def journal(self) -> Journal:
        """The record of all runs."""
        return Journal(self.folders.journal, self.clock, encode, decode)

    @cached_property
    def caps(self) -> DayCaps:
        """What a day may cost."""
        budget = self.settings.budget
        return DayCaps(budget.model_calls_per_day, budget.tokens_per_day, budget.usd_per_day)

    @cached_property
    def store(self) -> Store:
        """The bare repository, and the way to the remote."""
        from bot.store.remote import Remote, resolve
        from bot.store.repository import Store

        settings = self.settings
        files = (settings.ssh_key, settings.known_hosts, settings.token_file)
        url = resolve(settings.remote, settings.checkout or settings.folder)
        return Store.open(self.folders.store, Remote(url, *(str(file or "") for file in files)))

    @cached_property
    def cache(self) -> Cache:
        """What was measured before."""
        from bot.base.cache import FolderCache

        return FolderCache(self.folders.cache)

    @cached_property
    def ledger(self) -> LedgerStore:
        """What is known, and what was rejected."""
        from ledger.store import LedgerStore

        return LedgerStore(self.folders.ledger, self.settings.ledger.known)

    @cached_property
    def policy(self) -> Policy:
        """Which paths a change may touch."""
        said = self.settings.cycle
        return Policy(said.allow, said.protected, said.max_file_bytes)

    def close(self) -> None:
        """Give the journal back, where it was opened; nothing of this may be asked afterwards."""
        if "journal" in vars(self):
            self.journal.shut()

    def known(self, ready: Ready) -> Known:
        """What the ledger knew when the cycle began. Raises JournalError where that was thrown away since."""
        from bot.base.known import kept

        found = kept(self.cache, ready.known)
        if found is None:
            raise JournalError(f"{self.folders.cache} no longer holds what {ready.cycle} knew; start a new cycle")
        return found

    def money(self) -> float | None:
        """US dollars that the cycle has spent so far, reserves included; None where a price is not known."""
        return self.journal.spent(self.trigger.cycle).usd

    def visit(self) -> int:
        """Which visit of the node in flight this is, from 1."""
        return self.journal.steps(self.trigger.cycle)[-1].visit
