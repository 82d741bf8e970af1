"""PNG pictures made by hand, right or wrong in one place."""

from __future__ import annotations

import struct
import zlib

SIGNATURE = b"\x89PNG\r\n\x1a\n"


def chunk(kind: bytes, data: bytes) -> bytes:
    """One chunk with its sum."""
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def header(width: int = 3, height: int = 2, depth: int = 8, colour: int = 2, interlaced: int = 0) -> bytes:
    """The first chunk."""
    return chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, depth, colour, 0, 0, interlaced))


def rows(width: int = 3, height: int = 2, samples: int = 3, kind: int = 0) -> bytes:
    """Plain pixels, a filter before each row."""
    return (bytes([kind]) + b"\x7f" * (width * samples)) * height


def picture(head: bytes = header(), pixels: bytes = rows(), more: bytes = b"", tail: bytes = b"") -> bytes:
    """A whole picture; `more` stands after the header, `tail` behind the end."""
    return SIGNATURE + head + more + chunk(b"IDAT", zlib.compress(pixels)) + chunk(b"IEND", b"") + tail
