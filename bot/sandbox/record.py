"""Bubblewrap's own account of a run, so that its failure is never taken for the command's."""

from __future__ import annotations

import json
import os


class Record:
    """A pipe on which one bubblewrap writes the number of its first process and, if it got so far, an exit status."""

    def __init__(self) -> None:
        self._read, self.write = os.pipe()
        os.set_blocking(self._read, False)
        self._text = b""
        self._handed = False

    def handed_over(self) -> None:
        """Close our copy of the writing end, once the program has it."""
        if not self._handed:
            self._handed = True
            os.close(self.write)

    def first_process(self) -> tuple[int, ...]:
        """The number of the sandbox's first process; empty while there is none."""
        number = self._told("child-pid")
        return (number,) if number else ()

    def began(self) -> bool:
        """Whether the command was reached; known once bubblewrap has ended by itself."""
        return self._told("exit-code") is not None

    def close(self) -> None:
        """Let go of the pipe."""
        self.handed_over()
        os.close(self._read)

    def _told(self, name: str) -> int | None:
        try:
            while piece := os.read(self._read, 4096):
                self._text += piece
        except BlockingIOError:
            pass
        for line in self._text.splitlines(keepends=True):
            if line.endswith(b"\n") and name in (said := json.loads(line)):
                return int(said[name])
        return None
