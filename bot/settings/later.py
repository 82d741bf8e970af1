"""Keys of the configuration that have a meaning which this version does not carry out yet; none is silently ignored."""

from __future__ import annotations

from collections.abc import Iterator

from bot.errors import ConfigError
from bot.settings.document import Settings
from bot.settings.models import State


def later(settings: Settings) -> Iterator[str]:
    """Each key that is set and would do nothing, so that a run can refuse it."""
    if settings.state.keep_days != State().keep_days:
        yield "state.keep_days"


def refuse_later(settings: Settings) -> None:
    """Raises ConfigError naming the keys: a site whose owner asked for a check is not pushed to without it."""
    if keys := tuple(later(settings)):
        raise ConfigError(
            f"{settings.file}: this version cannot carry out {'; '.join(keys)}; take it out until a version can"
        )
