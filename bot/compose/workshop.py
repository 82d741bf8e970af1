"""What a firing runs in the sandbox: the site's own code, the gate's tools, and the agent's hands."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from bot.compose.world import World
from bot.errors import ConfigError
from bot.model import Site

if TYPE_CHECKING:
    from bot.agents.hands import Hands
    from bot.base.interpreter import Interpreter
    from bot.base.panel import GuardPanel
    from bot.base.reader import SandboxReader
    from bot.parts import Extractor, Tools
    from bot.sandbox import Box
    from bot.workspace.export import FolderExports
    from bot.workspace.folder import FolderWorkspace
    from bot.workspace.freezer import WorkspaceFreezer


@dataclass
class Workshop(World):
    """Nothing here is opened before the cheap refusals are over. `tell` hears how far a long part of the gate is."""

    tell: Callable[[str], None] = field(default=lambda _: None, kw_only=True)

    @cached_property
    def sandbox(self) -> Box:
        """Opened and proven once in a firing. Raises NoSandbox, and ConfigError for a push by root without one."""
        from bot.sandbox import open_sandbox

        said, scratch = self.settings.sandbox, self.folders.scratch
        if said.mode != "auto" and os.geteuid() == 0 and not self.trigger.dry_run:
            raise ConfigError(f'sandbox.mode = "{said.mode}" never pushes as root: be another user, or use --dry-run')
        scratch.mkdir(mode=0o700, exist_ok=True)
        return open_sandbox(said.mode, said.outer or "", said.user, said.memory, said.read, scratch=scratch)

    @cached_property
    def interpreter(self) -> Interpreter:
        """The site's own Python."""
        from bot.base.interpreter import locate

        return locate(str(self.settings.python), self.settings.folder)

    @cached_property
    def site(self) -> Site:
        """How the site is loaded."""
        return self.settings.loading(self.interpreter.read)

    @cached_property
    def exports(self) -> FolderExports:
        """Check copies of trees, catalogues compiled."""
        from bot.workspace.export import FolderExports
        from gates.catalogue import compile_catalogue

        return FolderExports(
            self.store,
            self.folders.scratch,
            owner=self.sandbox.owner,
            compiler=compile_catalogue,
            provide=self.settings.provide,
        )

    @cached_property
    def workspace(self) -> FolderWorkspace:
        """Where the agent works; in the cycle's folder, so that a crash leaves it for the next firing."""
        from bot.workspace.folder import FolderWorkspace

        self.folders.make_cycle(self.trigger.cycle)
        return FolderWorkspace(self.store, self.place, owner=self.sandbox.owner)

    @property
    def place(self) -> Path:
        """The workspace's folder; naming it makes nothing."""
        return self.folders.cycle(self.trigger.cycle) / "workspace"

    @cached_property
    def freezer(self) -> WorkspaceFreezer:
        """From the workspace to a snapshot."""
        from bot.parts.appender import Appender
        from bot.workspace.freezer import WorkspaceFreezer
        from gates.catalogue import compile_catalogue
        from gates.entries import same

        append = Appender(self.store, self.extractor, self.settings.gate.catalogue.folder or "").files
        return WorkspaceFreezer(self.store, self.workspace.root, self.policy, compile_catalogue, same, append)

    @cached_property
    def tools(self) -> Tools:
        """What the gate's parts work with."""
        from bot.parts import Tools

        return Tools(
            self.store, self.exports, self.sandbox, self.cache, self.reader, self.clock, self.tell, self.redaction
        )

    @cached_property
    def extractor(self) -> Extractor:
        """Finds the messages of a tree."""
        from bot.parts import Extractor

        gate = self.settings.gate
        return Extractor(self.tools, self.site, gate.catalogue.mapping or "", gate.seconds)

    @cached_property
    def hands(self) -> Hands:
        """The agent's tools."""
        from bot.agents.hands import Hands

        return Hands(self.sandbox, self.site.python, self.site.read)

    @cached_property
    def reader(self) -> SandboxReader:
        """Reads what a tree holds."""
        from bot.base.reader import SandboxReader

        version = self.interpreter.version or ""
        return SandboxReader(self.store, self.exports, self.sandbox, self.cache, self.site, version)

    @cached_property
    def panel(self) -> GuardPanel:
        """The guards, with the facts; the secrets of this machine are known to them and never printed."""
        from bot.base.panel import Declared, GuardPanel

        said = self.settings
        declared = Declared(said.additions, said.limits, said.field_rules)
        return GuardPanel(self.store, declared, self.known, self.secrets, lambda tree: self.reader.afresh(tree))
