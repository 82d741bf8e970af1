"""Notes that outlast a run, and how all of a run is forgotten."""

from __future__ import annotations

from collections.abc import Mapping

from bot.journal.calls import Calls

OF_RUNS = ("consent", "reverted")  # notes `<word>/<cycle>`, which go with their run


class Notes(Calls):
    """The part of the journal that holds texts under keys."""

    def note(self, key: str) -> str | None:
        """What was noted under the key, or None."""
        rows = self._read("SELECT value FROM note WHERE key = ?", (key,))
        return str(rows[0]["value"]) if rows else None

    def set_note(self, key: str, text: str | None) -> None:
        """Note a text under the key; None forgets it."""
        if text is None:
            self._write("DELETE FROM note WHERE key = :key", {"key": key})
        else:
            self._write("INSERT OR REPLACE INTO note VALUES (:key, :text)", {"key": key, "text": text})

    def noted(self, prefix: str) -> Mapping[str, str]:
        """Every note whose key begins so, by the rest of its key, in order."""
        sql = "SELECT key, value FROM note WHERE substr(key, 1, ?) = ? ORDER BY key"
        return {row["key"][len(prefix) :]: row["value"] for row in self._read(sql, (len(prefix), prefix))}

    def forget(self, cycle: str, instead: Mapping[str, str]) -> None:
        """Remove all rows of a closed run and its notes, and keep the notes `instead`; all of it or nothing."""
        with self._transaction():
            for table in ("call", "step", "run"):
                self._write(f"DELETE FROM {table} WHERE cycle = :cycle", {"cycle": cycle})  # noqa: S608
            for word in OF_RUNS:
                self.set_note(f"{word}/{cycle}", None)
            for key, text in instead.items():
                self.set_note(key, text)
