"""How the model is reached: over the network, from a script, or from a recording; always through the real client."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from bot.errors import ConfigError
from bot.frozen import frozen

if TYPE_CHECKING:
    import httpx2

    from bot.agents.drift import Drift
    from bot.agents.visits import Visits

KINDS = ("anthropic", "script", "recording")


@frozen
class ModelChoice:
    """What `--model` says: `anthropic`, `script:FILE` or `recording:FILE`."""

    kind: Literal["anthropic", "script", "recording"]
    file: Path | None = None

    @property
    def free(self) -> bool:
        """Nobody is paid."""
        return self.kind != "anthropic"

    def __str__(self) -> str:
        return self.kind if self.file is None else f"{self.kind}:{self.file}"

    def check(self) -> None:
        """Raises ScriptError, before anything is begun, where the file cannot be followed."""
        if self.kind == "script" and self.file:
            from bot.agents.script import load_script

            load_script(self.file)
        if self.kind == "recording" and self.file:
            from bot.agents.recording import load

            load(self.file)

    def transport(self, visits: Visits, on_drift: Callable[[Drift], None]) -> httpx2.BaseTransport:
        """The innermost transport. Raises ScriptError naming file and line where the file cannot be followed."""
        if self.file is None:
            import httpx2

            return httpx2.HTTPTransport(retries=0, trust_env=False)
        if self.kind == "script":
            from bot.agents.script import load_script
            from bot.agents.scripted import ScriptTransport

            return ScriptTransport(load_script(self.file), visits)
        from bot.agents.recording import load
        from bot.agents.transports import ReplayTransport

        return ReplayTransport(load(self.file), visits, on_drift)


def choose(text: str) -> ModelChoice:
    """Read `--model`. Raises ConfigError for anything else than its three forms."""
    kind, _, file = text.partition(":")
    if text == "anthropic":
        return ModelChoice("anthropic")
    if kind == "script" and file:
        return ModelChoice("script", Path(file).absolute())
    if kind == "recording" and file:
        return ModelChoice("recording", Path(file).absolute())
    raise ConfigError(f"--model {text!r}: write anthropic, script:FILE or recording:FILE")
