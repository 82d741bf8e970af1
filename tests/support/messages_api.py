"""A local fake of the Messages API: real HTTP, real streams, and every way in which they fail."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from bot.model import Tokens

Block = dict[str, Any]


@dataclass(frozen=True)
class Turn:
    """A whole answer, or one that is cut after some events, or that ends in an error event."""

    blocks: Sequence[Block]
    stop: str = ""
    cut_after: int | None = None
    polite_cut: bool = False
    error_event: str = ""
    usage: dict[str, int] = field(default_factory=lambda: {"input_tokens": 100, "cache_read_input_tokens": 7})


@dataclass(frozen=True)
class Status:
    """An answer that is only an error."""

    status: int
    kind: str = "api_error"
    headers: dict[str, str] = field(default_factory=dict)
    message: str = "out of order"


@dataclass(frozen=True)
class HangUp:
    """The connection closes before any answer."""


@dataclass
class FakeApi:
    """Answers in order; keeps what it was asked."""

    answers: list[Turn | Status | HangUp]
    url: str = ""
    bodies: list[dict[str, Any]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)


def text(words: str) -> Block:
    return {"type": "text", "text": words}


def use(name: str, given: object, number: int = 1) -> Block:
    return {"type": "tool_use", "id": f"toolu_{number}", "name": name, "input": given}


@contextmanager
def messages_api(*answers: Turn | Status | HangUp) -> Iterator[FakeApi]:
    """The fake, listening on this machine until the block ends."""
    api = FakeApi(list(answers))

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            size = int(self.headers["content-length"])
            api.bodies.append(json.loads(self.rfile.read(size)))
            api.headers.append({name.lower(): value for name, value in self.headers.items()})
            answer = api.answers.pop(0) if api.answers else Status(500, message="no answer left in the fake")
            self.close_connection = True
            if isinstance(answer, Status):
                self._error(answer)
            elif isinstance(answer, Turn):
                self._stream(answer)

        def _error(self, answer: Status) -> None:
            body = json.dumps({"type": "error", "error": {"type": answer.kind, "message": answer.message}}).encode()
            self.send_response(answer.status)
            for name, value in {"content-type": "application/json", **answer.headers}.items():
                self.send_header(name, value)
            self.send_header("content-length", str(len(body)))
            self.send_header("connection", "close")
            self.end_headers()
            self.wfile.write(body)

        def _stream(self, turn: Turn) -> None:
            self.send_response(200)
            self.send_header("content-type", "text/event-stream")
            self.send_header("request-id", f"req_{len(api.bodies)}")
            self.send_header("transfer-encoding", "chunked")
            self.send_header("connection", "close")
            self.end_headers()
            for index, event in enumerate(_events(turn)):
                if turn.cut_after is not None and index >= turn.cut_after:
                    if turn.polite_cut:
                        break
                    return
                data = f"event: {event['type']}\ndata: {json.dumps(event)}\n\n".encode()
                self.wfile.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")
            self.wfile.write(b"0\r\n\r\n")

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    api.url = f"http://127.0.0.1:{server.server_port}"
    try:
        yield api
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def _events(turn: Turn) -> Iterator[dict[str, Any]]:
    message = {"id": "msg_1", "type": "message", "role": "assistant", "model": "m", "content": []}
    usage = {"output_tokens": 1, **turn.usage}
    yield {"type": "message_start", "message": {**message, "stop_reason": None, "stop_sequence": None, "usage": usage}}
    yield {"type": "ping"}
    for index, block in enumerate(turn.blocks):
        yield from _block(index, block)
    if turn.error_event:
        yield {"type": "error", "error": {"type": turn.error_event, "message": "in the stream"}}
        return
    stop = turn.stop or ("tool_use" if any(one["type"] == "tool_use" for one in turn.blocks) else "end_turn")
    yield {
        "type": "message_delta",
        "delta": {"stop_reason": stop, "stop_sequence": None},
        "usage": {"output_tokens": 9},
    }
    yield {"type": "message_stop"}


def _block(index: int, block: Block) -> Iterator[dict[str, Any]]:
    if block["type"] not in ("text", "tool_use", "server_tool_use"):  # comes whole, as a search's results do
        yield {"type": "content_block_start", "index": index, "content_block": block}
        yield {"type": "content_block_stop", "index": index}
        return
    field_, kind = ("text", "text_delta") if block["type"] == "text" else ("input", "input_json_delta")
    whole = block[field_] if isinstance(block[field_], str) else json.dumps(block[field_])
    start = {**block, field_: "" if field_ == "text" else {}}
    yield {"type": "content_block_start", "index": index, "content_block": start}
    for part in (whole[:5], whole[5:]):
        name = "text" if field_ == "text" else "partial_json"
        yield {"type": "content_block_delta", "index": index, "delta": {"type": kind, name: part}}
    yield {"type": "content_block_stop", "index": index}


@dataclass
class NoWait:
    """A clock that notes how long it was asked to sleep, and does not."""

    slept: list[float] = field(default_factory=list)
    at: float = 0.0

    def now(self) -> datetime:
        return datetime(2026, 11, 30, 4, tzinfo=UTC)

    def monotonic(self) -> float:
        return self.at

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.at += seconds


@dataclass
class Tally:
    """A meter that notes everything, and refuses from `most` calls on."""

    most: int = 1000
    reserved: list[tuple[str, int, str, Tokens]] = field(default_factory=list)
    settled: list[tuple[int, Tokens | None, str]] = field(default_factory=list)

    def reserve(self, node: str, visit: int, model: str, worst: Tokens) -> int:
        from bot.errors import BudgetSpent

        if len(self.reserved) >= self.most:
            raise BudgetSpent("model_calls", f"{self.most} calls are spent")
        self.reserved.append((node, visit, model, worst))
        return len(self.reserved)

    def settle(self, call: int, used: Tokens | None, status: str) -> None:
        self.settled.append((call, used, status))
