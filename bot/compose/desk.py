"""What a firing says to models and hears from them: metered, recorded, and told what to do."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from bot.agents.client import ADDRESS
from bot.budget.meter import JournalMeter
from bot.compose.workshop import Workshop
from bot.workspace.policy import PROTECTED

if TYPE_CHECKING:
    import anthropic
    import httpx2

    from bot.agents.agent import ModelAgent
    from bot.agents.briefs import Briefs
    from bot.agents.drift import Drift
    from bot.agents.recording import Recording
    from bot.agents.visits import Visits


@dataclass
class Desk(Workshop):
    """`address` is where the Messages API is; `drifts` are the requests of a recorded cycle that were not put the same
    way again."""

    address: str = ADDRESS
    drifts: list[Drift] = field(default_factory=list)

    @property
    def record(self) -> Path:
        """The recording of the cycle; its folder is made when precheck lets the cycle start."""
        return self.folders.cycle(self.trigger.cycle) / "recording.jsonl"

    @cached_property
    def recording(self) -> Recording:
        """Every exchange, line by line."""
        from bot.agents.recording import Recording

        return Recording(self.record, self.redaction.plain)

    @cached_property
    def visits(self) -> Visits:
        """Where the cycle stands, for the transports."""
        from bot.agents.visits import Visits

        return Visits()

    @cached_property
    def wire(self) -> httpx2.BaseTransport:
        """The model's end of the line."""
        return self.choice.transport(self.visits, self.drifts.append)

    @cached_property
    def transport(self) -> httpx2.BaseTransport:
        """What the client speaks through, metered and recorded; an answer that was recorded is not paid for again."""
        from bot.agents.transports import RecordingTransport

        return RecordingTransport(
            self.wire, self.recording, self.visits, self.meter, self.clock.now, self.recording.resume()
        )

    @cached_property
    def meter(self) -> JournalMeter:
        """Counts calls, tokens and money; a script or a recording costs none."""
        from bot.budget.prices import price

        prices = self.settings.prices
        free = self.choice.free
        return JournalMeter(
            self.journal,
            self.trigger.cycle,
            self.settings.allowance(),
            self.caps,
            (lambda _model, _tokens: 0.0) if free else (lambda model, tokens: price(model, tokens, prices)),
        )

    @cached_property
    def agent(self) -> ModelAgent:
        """The model at work."""
        from bot.agents.agent import ModelAgent
        from bot.agents.calls import Caller

        caller = Caller(self.client, self.clock, self.governor.left)
        said = self.settings
        return ModelAgent(caller, said.model_names, self.hands, self.visits, said.models.web_search)

    @property
    def key(self) -> str:
        """The model's key. Raises CredentialsRefused where there is none and one is needed."""
        return "none" if self.choice.free else self.environment.api_key(self.settings.api_key_file)

    def client(self) -> anthropic.Anthropic:
        """The real client, whoever answers. Raises CredentialsRefused as `key` does."""
        from bot.agents.client import open_client

        return open_client(self.key, self.transport, self.address)

    @cached_property
    def briefs(self) -> Briefs:
        """What each visit is told."""
        from bot.agents.briefs import Briefs

        protected = (*PROTECTED, *self.settings.cycle.protected)
        return Briefs(self.settings, self.store, self.known, protected)
