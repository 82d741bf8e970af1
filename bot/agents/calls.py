"""Asks the model once and gets a whole answer: what fails is tried again, within the cycle's time."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

import httpx2

from bot.agents.answer import Answer, assemble
from bot.agents.transports import RecordedCut
from bot.errors import BudgetSpent, ConfigError, CredentialsRefused, Overloaded, PlusoneError, Unreachable
from bot.frozen import frozen
from bot.lines import one_line
from bot.ports import Clock

if TYPE_CHECKING:
    import anthropic

_AGAIN = frozenset({408, 409, 429})
_KEY = frozenset({401, 402, 403})
_STATUS_OF = {
    "invalid_request_error": 400,
    "authentication_error": 401,
    "billing_error": 402,
    "permission_error": 403,
    "not_found_error": 404,
    "request_too_large": 413,
    "rate_limit_error": 429,
    "timeout_error": 504,
    "overloaded_error": 529,
}
_FIRST_PAUSE = 1.0
_LONGEST_PAUSE = 300.0
_SILENCE = 300.0


@frozen
class Failure:
    """Why an attempt gave no whole answer. `status` is 0 for the network; `pause` is what the service asks for."""

    status: int
    what: str
    again: bool
    pause: float | None = None

    @property
    def error(self) -> PlusoneError:
        """What to raise when it is not tried again."""
        if self.status in _KEY:
            return CredentialsRefused(f"the model's service refuses the key ({self.what}); check [credentials]")
        if self.status in (429, 529):
            return Overloaded(f"the model's service turns us away ({self.what}); the next cycle tries again")
        if 400 <= self.status < 500 and self.status not in _AGAIN:
            return ConfigError(f"the model's service does not accept the request ({self.what}); check [models]")
        return Unreachable(f"the model's service cannot be reached ({self.what}); the next cycle tries again")


class Caller:
    """Sends requests through the real client, which is opened on the first one.

    `remaining` is how many seconds the cycle has left. Every attempt is a request of its own to the transport.
    """

    def __init__(
        self,
        client_for: Callable[[], anthropic.Anthropic],
        clock: Clock,
        remaining: Callable[[], float] = lambda: float("inf"),
        attempts: int = 5,
    ) -> None:
        self._client_for, self._clock, self._remaining, self._attempts = client_for, clock, remaining, attempts
        self._client: anthropic.Anthropic | None = None

    def ask(self, request: Mapping[str, Any]) -> Answer:
        """The whole answer to a body of the Messages API.

        Raises Overloaded, Unreachable, CredentialsRefused, ConfigError, BudgetSpent, or what our own transport raised.
        """
        for attempt in range(1, self._attempts + 1):
            outcome = self._attempt(request)
            if isinstance(outcome, Answer):
                return outcome
            pause = _FIRST_PAUSE * 2 ** (attempt - 1) if outcome.pause is None else outcome.pause
            vain = pause > _LONGEST_PAUSE or pause >= self._remaining()  # who asks before the time is turned away again
            if not outcome.again or attempt == self._attempts or vain:
                raise outcome.error
            self._clock.sleep(pause)
        raise AssertionError("the last attempt either answers or raises")

    def _attempt(self, request: Mapping[str, Any]) -> Answer | Failure:
        import anthropic

        if self._client is None:
            self._client = self._client_for()
        self._left()
        try:
            # the body is plain JSON of ours; the SDK's typed parameters would add nothing but their names
            body: dict[str, Any] = dict(request)
            with self._client.beta.messages.create(**body, stream=True, timeout=self._timeout()) as stream:
                answer = assemble(self._timed(event.to_dict(warnings=False) for event in stream))
        except anthropic.APIStatusError as error:
            return _refused(error)
        except (anthropic.APIError, httpx2.HTTPError) as error:
            return _broken(error)
        except (json.JSONDecodeError, KeyError):
            return Failure(0, "the stream is garbled", again=True)
        return answer or Failure(0, "the stream ended before the answer did", again=True)

    def _timed(self, events: Iterator[dict[str, Any]]) -> Iterator[dict[str, Any]]:
        for event in events:
            self._left()
            yield event

    def _left(self) -> float:
        left = self._remaining()
        if left <= 0:
            raise BudgetSpent("minutes", "the cycle's time ran out while the model was at work ([budget] minutes)")
        return left

    def _timeout(self) -> float:
        return min(_SILENCE, self._left())


def _refused(error: anthropic.APIStatusError) -> Failure:
    """A status, or an error event in a stream that began with 200 (its kind then stands in the body)."""
    body = error.body if isinstance(error.body, dict) else {}
    detail = body.get("error")
    kind, message = ("", "")
    if isinstance(detail, dict):
        kind, message = str(detail.get("type", "")), str(detail.get("message", ""))
    status = error.status_code if error.status_code >= 400 else _STATUS_OF.get(kind, 500)
    headers = error.response.headers
    again = (status in _AGAIN or status >= 500) and headers.get("x-should-retry") != "false"
    what = one_line(f"{status} {kind} {message}")[:300]
    return Failure(status, what, again, _pause(headers))


def _broken(error: Exception) -> Failure:
    """The network failed, unless one of our own transports stopped the request: that error is raised as it is."""
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, PlusoneError):
            raise cause
        if isinstance(cause, RecordedCut):
            return Failure(0, str(cause), again=True, pause=0.0)
        cause = cause.__cause__
    root = error.__cause__ or error
    return Failure(0, one_line(f"{type(root).__name__}: {root}")[:300], again=True)


def _pause(headers: httpx2.Headers) -> float | None:
    for name, unit in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        try:
            return max(0.0, float(headers[name]) * unit)
        except (KeyError, ValueError):
            continue  # absent, or a date: our own pause will do
    return None
