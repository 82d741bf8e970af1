"""Keys of the configuration that have a meaning which this version does not carry out yet; none is silently ignored."""

from __future__ import annotations

from collections.abc import Iterator

from bot.errors import ConfigError
from bot.settings.document import Settings


def later(settings: Settings) -> Iterator[str]:
    """Each key that is set and would do nothing, so that a run can refuse it."""
    gate = settings.gate
    wanted = {
        "gate.tests.command": bool(gate.tests.command),
        "gate.routes.login": gate.routes.login is not None,
        "gate.catalogue.require": bool(gate.catalogue.require),
    }
    yield from (key for key, is_set in wanted.items() if is_set)
    for registry in settings.registry:
        if registry.source != "python":
            yield f'registry "{registry.name}": source = "{registry.source}"'
        if registry.fields:
            yield f'registry "{registry.name}": fields'


def refuse_later(settings: Settings) -> None:
    """Raises ConfigError naming the keys: a site whose owner asked for a check is not pushed to without it."""
    if keys := tuple(later(settings)):
        raise ConfigError(
            f"{settings.file}: this version cannot carry out {'; '.join(keys)}; take it out until a version can"
        )
