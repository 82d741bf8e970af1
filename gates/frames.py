"""The frames that cross the pipe to a served site: written by us, and read as what an untrusted process says."""

from __future__ import annotations

import base64
import binascii
import json

from bot.frozen import frozen
from bot.model import Origin, Request, Response


@frozen
class Static:
    """A rule that sends the files of a folder of the tree."""

    rule: str
    folder: str


@frozen
class Hello:
    """Where the site expects to be asked, the versions that it runs on, and which folders it sends files from.

    `converters` are its own ones, with their patterns.
    """

    host: str
    matching: bool
    versions: str
    statics: tuple[Static, ...] = ()
    converters: tuple[tuple[str, str], ...] = ()


def request(asked: Request, seconds: float) -> bytes:
    """The frame that asks; the site's own process gives up after so many seconds."""
    frame = {
        "method": asked.method,
        "url": asked.url,
        "host": asked.host,
        "headers": asked.headers,
        "cookies": asked.cookies,
        "body": base64.b64encode(asked.body).decode(),
        "seconds": seconds,
        "plain": asked.plain,
        "address": asked.address,
    }
    return json.dumps(frame).encode()


def hello(frame: bytes) -> Hello | Origin:
    """The first frame: the site is there, or why it is not. Raises ValueError for anything else."""
    match _json(frame):
        case {"error": dict(error)}:
            return _origin(error)
        case {
            "host": str(host),
            "host_matching": bool(matching),
            "versions": str(versions),
            "statics": list(statics),
            "converters": list(converters),
        }:
            return Hello(host, matching, versions[:200], tuple(_static(one) for one in statics), _pairs(converters))
    raise ValueError("the site's first frame is not a greeting")


def response(frame: bytes) -> Response:
    """One answer, its status from 0 (no answer in time) to 999. Raises ValueError where the frame is not one."""
    match _json(frame):
        case {
            "status": int(status),
            "headers": list(headers),
            "body": str(body),
            "endpoint": (str() | None) as endpoint,
            "origin": (dict() | None) as origin,
        } if status is not True and status is not False and 0 <= status <= 999:
            return Response(
                status, _pairs(headers), _body(body), endpoint, _origin(origin) if origin is not None else None
            )
    raise ValueError("a frame of the site is not an answer")


def _json(frame: bytes) -> object:
    try:
        return _whole(json.loads(frame))
    except RecursionError as error:
        raise ValueError("a frame is nested too deep") from error


def _whole(found: object) -> object:
    """Half characters, which JSON can spell and nothing can write down, as escapes."""
    match found:
        case str():
            return found.encode("utf-8", "backslashreplace").decode()
        case list():
            return [_whole(one) for one in found]
        case dict():
            return {name: _whole(one) for name, one in found.items()}
    return found


def _static(pair: object) -> Static:
    match pair:
        case [str(rule), str(folder)]:
            return Static(rule, folder)
    raise ValueError("a static folder is not a pair of texts")


def _pairs(pairs: list[object]) -> tuple[tuple[str, str], ...]:
    found = []
    for pair in pairs:
        match pair:
            case [str(name), str(value)]:
                found.append((name, value))
            case _:
                raise ValueError("one of the pairs is not a pair of texts")
    return tuple(found)


def _body(text: str) -> bytes:
    try:
        return base64.b64decode(text, validate=True)
    except binascii.Error as error:
        raise ValueError("a body is not base64") from error


def _origin(found: dict[str, object]) -> Origin:
    match found:
        case {"type": str(kind), "file": str(file), "line": int(line), "message": str(message)} if (
            line is not True and line is not False
        ):
            return Origin(kind, file, line, message)
    raise ValueError("an exception without type, file, line or message")
