"""The transports between the real client and the model: one records, one replays."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import datetime

import httpx2

from bot.agents.drift import Drift, drift
from bot.agents.recording import Exchange, Recorded, Recording
from bot.agents.usage import Meter, used, worst
from bot.agents.visits import Visit, Visits
from bot.errors import PlusoneError, ScriptError
from bot.model import Tokens

KEPT_HEADERS = ("content-type", "request-id", "retry-after", "retry-after-ms", "x-should-retry")


class RecordedCut(httpx2.RemoteProtocolError):
    """A failure that is replayed: trying again needs no pause."""


class RecordingTransport(httpx2.BaseTransport):
    """Streams each exchange through, meters it, and writes it down before its last byte is handed on.

    What `served` holds (the earlier part of the same cycle) is answered from there: not sent, metered or written again.
    """

    def __init__(
        self,
        inner: httpx2.BaseTransport,
        recording: Recording,
        visits: Visits,
        meter: Meter,
        now: Callable[[], datetime],
        served: Recorded | None = None,
    ) -> None:
        self._inner, self._recording, self._places = inner, recording, Places(visits)
        self._meter, self._now = meter, now
        self._served = served or Recorded({})

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        """Answer from the record, or send. Raises what the meter raises before anything is sent."""
        content = request.read()
        body = json.loads(content)
        visit, seq = self._places.take(request)
        if earlier := self._served.find(visit, seq):
            return replayed(earlier)
        model = str(body.get("model", ""))
        call = self._meter.reserve(visit.node, visit.number, model, worst(content, body))
        note = _Note(self._recording, self._meter, call)
        exchange = Exchange(visit.node, visit.number, seq, self._now().isoformat(), body, None, {}, "")
        request.headers["accept-encoding"] = "identity"  # a record must be readable
        try:
            response = self._inner.handle_request(request)
        except (httpx2.HTTPError, PlusoneError) as error:
            note.failed(exchange, error)
            raise
        note.answered(exchange, response)
        stream = response.stream
        assert isinstance(stream, httpx2.SyncByteStream)
        return httpx2.Response(response.status_code, headers=response.headers, stream=_Tee(stream, note))

    def close(self) -> None:
        """Close the connections."""
        self._inner.close()


class ReplayTransport(httpx2.BaseTransport):
    """Answers every request from a recording, and reports the first request of a visit that has drifted."""

    def __init__(self, recorded: Recorded, visits: Visits, on_drift: Callable[[Drift], None]) -> None:
        self._recorded, self._places, self._on_drift = recorded, Places(visits), on_drift
        self._drifted: set[Visit] = set()

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        """The recorded answer. Raises ScriptError where the recording holds none."""
        visit, seq = self._places.take(request)
        found = self._recorded.find(visit, seq)
        if found is None:
            torn = "; its last line was cut by a crash" if self._recorded.torn else ""
            raise ScriptError(f"the recording has no exchange {seq} of {visit.node}, visit {visit.number}{torn}")
        seen = drift(visit, seq, found.request, json.loads(request.read()))
        if seen and visit not in self._drifted:
            self._drifted.add(visit)
            self._on_drift(seen)
        return replayed(found)


class Places:
    """Numbers the exchanges within their visits."""

    def __init__(self, visits: Visits) -> None:
        self._visits, self._taken = visits, Counter[Visit]()

    def take(self, request: httpx2.Request) -> tuple[Visit, int]:
        """The visit under way, and the next number in it; a transport further in takes what one further out gave."""
        visit = self._visits.now()
        self._taken[visit] += 1
        return visit, request.extensions.setdefault("plusone_seq", self._taken[visit])


class _Note:
    """What is written and settled about one exchange, once."""

    def __init__(self, recording: Recording, meter: Meter, call: int) -> None:
        self._recording, self._meter, self._call = recording, meter, call
        self._exchange: Exchange | None = None

    def failed(self, exchange: Exchange, error: Exception) -> None:
        """No answer came. What never left this machine cost nothing; else nobody knows, and the reserve stays."""
        self._recording.write(replace(exchange, error=f"{type(error).__name__}: {error}"))
        unsent = isinstance(error, (PlusoneError, httpx2.ConnectError, httpx2.ConnectTimeout))
        self._meter.settle(self._call, Tokens() if unsent else None, "failed")

    def answered(self, exchange: Exchange, response: httpx2.Response) -> None:
        """An answer begins."""
        kept = {name: response.headers[name] for name in KEPT_HEADERS if name in response.headers}
        self._exchange = replace(exchange, status=response.status_code, headers=kept)

    def ended(self, body: bytes, error: str | None) -> None:
        """The answer is whole, or was cut with that error."""
        if (exchange := self._exchange) is None:
            return
        self._exchange = None
        text = body.decode("utf-8", "replace")
        self._recording.write(replace(exchange, body=text, error=error))
        if exchange.status != 200:
            self._meter.settle(self._call, Tokens(), "failed")
        else:
            count = used(text)
            self._meter.settle(self._call, count, "done" if count and not error else "failed")


class _Tee(httpx2.SyncByteStream):
    """Hands a response's bytes on, and its whole body to the note at the end."""

    def __init__(self, inner: httpx2.SyncByteStream, note: _Note) -> None:
        self._inner, self._note = inner, note
        self._parts: list[bytes] = []

    def __iter__(self) -> Iterator[bytes]:
        try:
            for part in self._inner:
                self._parts.append(part)
                yield part
        except httpx2.HTTPError as error:
            self._end(f"{type(error).__name__}: {error}")
            raise
        self._end(None)

    def close(self) -> None:
        """Close the connection; a body that was not read to its end is recorded as cut."""
        self._end("closed before its end")
        self._inner.close()

    def _end(self, error: str | None) -> None:
        self._note.ended(b"".join(self._parts), error)


def replayed(exchange: Exchange) -> httpx2.Response:
    """The recorded response, or the recorded failure; neither asks for a pause before another attempt."""
    if exchange.status is None:
        raise RecordedCut(f"as recorded: {exchange.error}")
    headers = {name: value for name, value in exchange.headers.items() if name != "retry-after"}
    return httpx2.Response(
        exchange.status, headers={**headers, "retry-after-ms": "0"}, stream=_Replayed(exchange.body, exchange.error)
    )


class _Replayed(httpx2.SyncByteStream):
    def __init__(self, body: str, error: str | None) -> None:
        self._body, self._error = body, error

    def __iter__(self) -> Iterator[bytes]:
        yield self._body.encode()
        if self._error is not None:
            raise RecordedCut(f"as recorded: {self._error}")
