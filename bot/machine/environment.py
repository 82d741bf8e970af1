"""The only reader of the process's environment: read once, and rid of secrets so that no child can inherit them."""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping
from dataclasses import field
from pathlib import Path

from bot.errors import CredentialsRefused
from bot.frozen import frozen
from bot.lines import one_line

_KEY = "ANTHROPIC_API_KEY"
_SECRETS = (_KEY, "ANTHROPIC_AUTH_TOKEN")
_CREDENTIAL = "anthropic-api-key"
_LARGEST = 4096


@frozen
class Environment:
    """What the process was started with. The key is never part of its text.

    `state` is the folder above all sites' states, `config_home` that of a user's settings, `runtime` that through which
    a user's service manager is reached. `invocation` is systemd's id of this start, `notify_socket` where it listens,
    `failed` the id and the result of the unit for whose failure we were started; all empty elsewhere.
    """

    state: Path
    credentials: Path | None = None
    no_color: bool = False
    journal_stream: str = ""
    invocation: str = ""
    debug: bool = False
    config_home: Path = Path()
    runtime: str = ""
    notify_socket: str = ""
    failed: tuple[str, str] = ("", "")
    key: str = field(default="", repr=False)

    @property
    def given(self) -> Path | None:
        """Where systemd puts the model's key, if it put one anywhere."""
        return self.credentials / _CREDENTIAL if self.credentials else None

    def api_key(self, file: Path | None = None) -> str:
        """The model's key: from systemd's credentials folder, else from `file`, else from the environment.

        Raises CredentialsRefused where none is found, or where a key file is empty, unreadable or open to others.
        """
        given = self.given
        if given and given.exists():
            return _read(given, open_to=0o007)
        if file:
            return _read(file, open_to=0o077)
        if self.key:
            return _checked(self.key, _KEY)
        looked = f"{given}, " if given else ""
        raise CredentialsRefused(
            f"no model key: looked at {one_line(looked)}credentials.api_key_file (not set) and ${_KEY} (not set); "
            f"write the key to a file of mode 0600 and name it as credentials.api_key_file"
        )


def read_environment() -> Environment:
    """Read everything that Plusone heeds. Call it once: it removes the secret variables from the process.

    What is removed is gone for every child that is started later, whoever starts it.
    """
    found = _environment(os.environ)
    for name in _SECRETS:
        os.environ.pop(name, None)
    return found


def without_plugins() -> None:
    """Have pydantic neither seek plug-ins nor load one: nothing else that is installed takes part in reading settings.

    Call it before the first table of settings is defined, which is when pydantic seeks them.
    """
    os.environ["PYDANTIC_DISABLE_PLUGINS"] = "__all__"


def _environment(values: Mapping[str, str]) -> Environment:
    state, credentials = values.get("STATE_DIRECTORY", ""), values.get("CREDENTIALS_DIRECTORY", "")
    return Environment(
        state=Path(state.split(":")[0]) if state else _user_state(),
        credentials=Path(credentials) if credentials else None,
        no_color=bool(values.get("NO_COLOR")),
        journal_stream=values.get("JOURNAL_STREAM", ""),
        invocation=values.get("INVOCATION_ID", ""),
        debug=bool(values.get("PLUSONE_DEBUG")),
        config_home=Path(values.get("XDG_CONFIG_HOME") or Path(values.get("HOME") or "/", ".config")),
        runtime=values.get("XDG_RUNTIME_DIR", ""),
        notify_socket=values.get("NOTIFY_SOCKET", ""),
        failed=(values.get("MONITOR_INVOCATION_ID", ""), values.get("MONITOR_SERVICE_RESULT", "")),
        key=values.get(_KEY, ""),
    )


def _user_state() -> Path:
    import platformdirs  # late: systemd names the folder

    return platformdirs.user_state_path("plusone")


def _read(path: Path, open_to: int) -> str:
    """The key in a file. systemd's own files may be readable by their group, which is how it lets the user in."""
    name = one_line(str(path))
    try:
        with path.open("rb") as file:
            mode = os.fstat(file.fileno()).st_mode
            content = file.read(_LARGEST + 1)
    except OSError as error:
        raise CredentialsRefused(f"{name}: the model key cannot be read: {error.strerror}; mend or move it") from None
    if mode & open_to:
        raise CredentialsRefused(f"{name}: others can read the key (mode {stat.S_IMODE(mode):04o}); chmod 600 {name}")
    return _checked(content.decode("ascii", errors="replace"), name)


def _checked(text: str, where: str) -> str:
    """One printable word. The text itself never reaches a message."""
    key = text.strip()
    if not key or len(key) > _LARGEST or not all("!" <= character <= "~" for character in key):
        raise CredentialsRefused(f"{where}: does not hold a key: one line without blanks is expected; write it anew")
    return key
