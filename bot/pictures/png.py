"""Reads a PNG that an untrusted program made, and keeps of it what is needed to show it: nothing is believed."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator

MOST_BYTES = 2 * 1024**2
WIDEST, HIGHEST = 2000, 4000
_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_SAMPLES = {0: 1, 2: 3, 6: 4}  # grey, colours, colours and transparency; 8 bits each


class NoPicture(ValueError):
    """The bytes are no picture that is kept; the text says why."""


def checked(content: bytes) -> bytes:
    """The picture again: its header, its pixels and its end, each proved whole, and none of whatever else was in it.

    Raises NoPicture for everything but a plain picture of 8-bit samples of at most MOST_BYTES, WIDEST by HIGHEST,
    whose pixels are just as many as its header says. No more memory is used than such a picture has pixels.
    """
    if len(content) > MOST_BYTES:
        raise NoPicture(f"it has {len(content)} bytes, over {MOST_BYTES}")
    chunks = [*_chunks(content)]
    kinds = [kind for kind, _ in chunks]
    if kinds[0] != b"IHDR" or kinds[-1] != b"IEND" or kinds.count(b"IHDR") != 1 or chunks[-1][1]:
        raise NoPicture("it does not begin with one header and end with its end")
    header, pixels = chunks[0][1], b"".join(data for kind, data in chunks if kind == b"IDAT")
    _inflated(pixels, *_size(header))
    return _SIGNATURE + _chunk(b"IHDR", header) + _chunk(b"IDAT", pixels) + _chunk(b"IEND", b"")


def _chunks(content: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Each chunk with its kind, its sum proved, up to the end, behind which nothing may stand."""
    if not content.startswith(_SIGNATURE):
        raise NoPicture("it is no PNG")
    at, kind = len(_SIGNATURE), b""
    while kind != b"IEND":
        if at + 12 > len(content):
            raise NoPicture("it is cut short")
        length, kind = struct.unpack_from(">I4s", content, at)
        if at + 12 + length > len(content):
            raise NoPicture("it is cut short")
        data = content[at + 8 : at + 8 + length]
        (told,) = struct.unpack_from(">I", content, at + 8 + length)
        if told != zlib.crc32(kind + data):
            raise NoPicture("a sum in it is wrong")
        yield kind, data
        at += 12 + length
    if at != len(content):
        raise NoPicture("something stands behind its end")


def _size(header: bytes) -> tuple[int, int]:
    """Bytes of a row, filter included, and the number of rows."""
    if len(header) != 13:
        raise NoPicture("its header is none")
    width, height, depth, colour, *methods = struct.unpack(">IIBBBBB", header)
    if not (0 < width <= WIDEST and 0 < height <= HIGHEST):
        raise NoPicture(f"it is {width} by {height}, over {WIDEST} by {HIGHEST}, or nothing")
    if depth != 8 or colour not in _SAMPLES or any(methods):
        raise NoPicture("it is of a kind that no browser of ours makes")
    return 1 + width * _SAMPLES[colour], height


def _inflated(pixels: bytes, row: int, rows: int) -> None:
    """Raises NoPicture unless the pixels are rows of that length, each of a known filter, and nothing more."""
    inflater = zlib.decompressobj()
    try:
        plain = inflater.decompress(pixels, row * rows + 1)
    except zlib.error as error:
        raise NoPicture("its pixels cannot be read") from error
    if len(plain) != row * rows or not inflater.eof or inflater.unused_data:
        raise NoPicture("it has more or fewer pixels than it says")
    if max(plain[::row]) > 4:
        raise NoPicture("its pixels cannot be read")


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
