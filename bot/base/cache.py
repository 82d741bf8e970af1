"""Owns the cache: bytes under a key, in files of one folder, that are whole or not there."""

from __future__ import annotations

import contextlib
import hashlib
import tempfile
from pathlib import Path

from bot.errors import ConfigError, shortage

_DIGEST = hashlib.sha256().digest_size


class FolderCache:
    """Implements `bot.ports.Cache`. Every file opens with the checksum of its key and content."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def get(self, key: str) -> bytes | None:
        """What was put under the key, whole; None where it is missing, damaged or another key's."""
        if not (file := self._file(key)).is_file():
            return None
        try:
            kept = file.read_bytes()
        except FileNotFoundError:
            return None
        content = kept[_DIGEST:]
        return content if kept[:_DIGEST] == _checksum(key, content) else None

    def put(self, key: str, content: bytes) -> None:
        """Keep the content under the key: written beside, then swapped in. Raises ConfigError where that is refused."""
        try:
            self._write(key, content)
        except OSError as error:
            if shortage(error):
                raise
            raise ConfigError(f"{self._folder} cannot be written ({error}); mend that, or move it away") from error

    def _write(self, key: str, content: bytes) -> None:
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=self._folder, prefix=".", delete=False) as draft:
            written = Path(draft.name)
            try:
                draft.write(_checksum(key, content) + content)
                draft.flush()
                written.replace(self._file(key))
            except OSError:
                with contextlib.suppress(FileNotFoundError):
                    written.unlink()
                raise

    def _file(self, key: str) -> Path:
        return self._folder / hashlib.sha256(key.encode()).hexdigest()


def _checksum(key: str, content: bytes) -> bytes:
    return hashlib.sha256(len(key.encode()).to_bytes(8, "big") + key.encode() + content).digest()
