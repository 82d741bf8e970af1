"""Reading `plusone.toml`: a sound file becomes `Settings`, any other becomes one line that says how to mend it."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path

from pydantic import ValidationError

from bot.errors import ConfigError
from bot.lines import one_line, shortened
from bot.settings.document import Settings
from bot.settings.refusal import explain
from bot.settings.secrets import unfit

_LARGEST = 1024**2


def load(path: Path) -> Settings:
    """The settings of one file. Raises ConfigError, one line: the file, the key, what is wrong, what next."""
    return settings_from(_parsed(path), path)


def settings_from(table: Mapping[str, object], path: Path) -> Settings:
    """The settings of a parsed file; `path` is where it lies. Raises ConfigError as `load` does."""
    try:
        if found := unfit(table):
            raise ConfigError(f"{one_line(str(path))}: {found}")
        settings = Settings.model_validate(_tuples(dict(table)))
    except ValidationError as error:
        raise ConfigError(f"{one_line(str(path))}: {explain(error)}") from None
    except RecursionError:
        raise ConfigError(f"{one_line(str(path))}: is nested too deeply; the keys have at most four levels") from None
    settings._file = path.absolute()
    return settings


def _parsed(path: Path) -> dict[str, object]:
    name = one_line(str(path))
    try:
        return tomllib.loads(_text(path))
    except FileNotFoundError:
        raise ConfigError(f"{name}: no such file; name the configuration with --config FILE") from None
    except OSError as error:
        raise ConfigError(f"{name}: cannot be read: {error.strerror}; mend that or name another file") from None
    except UnicodeDecodeError as error:
        raise ConfigError(f"{name}: is not UTF-8 (byte {error.start}); save it as UTF-8") from None
    except RecursionError:
        raise ConfigError(f"{name}: is nested too deeply; the keys have at most four levels") from None
    except ValueError as error:
        raise ConfigError(f"{name}: is not TOML: {shortened(str(error), 160)}; mend that line") from None


def _text(path: Path) -> str:
    if path.exists() and not path.is_file():
        raise IsADirectoryError(0, "it is not a file")
    with path.open("rb") as file:
        content = file.read(_LARGEST + 1)
    if len(content) > _LARGEST:
        raise OSError(0, "it is larger than 1 MiB")
    return content.decode("utf-8")


def _tuples(value: object) -> object:
    """Lists as tuples all the way down, since nothing in a frozen value may be a list."""
    if isinstance(value, dict):
        return {key: _tuples(item) for key, item in value.items()}
    return tuple(_tuples(item) for item in value) if isinstance(value, list) else value
