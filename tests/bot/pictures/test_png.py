"""What an untrusted program calls a picture: kept where it is one, bare of all else; refused where it is not."""

from __future__ import annotations

import tracemalloc
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.pictures.png import HIGHEST, MOST_BYTES, WIDEST, NoPicture, checked
from tests.support.drawn import SIGNATURE, chunk, header, picture, rows

BOMB = zlib.compress(bytes(64 * 1024**2), 9)


@pytest.mark.parametrize(("colour", "samples"), [(0, 1), (2, 3), (6, 4)])
def test_a_plain_picture_stays_as_it_is(colour: int, samples: int) -> None:
    plain = picture(header(colour=colour), rows(samples=samples))
    assert checked(plain) == plain


def test_what_a_picture_carries_besides_is_left_out() -> None:
    carried = chunk(b"tEXt", b"Comment\0<script>alert(1)</script>") + chunk(b"iCCP", b"x" * 50)
    assert checked(picture(more=carried)) == picture()


def test_pixels_in_many_pieces_are_put_together() -> None:
    packed = zlib.compress(rows())
    pieces = b"".join(chunk(b"IDAT", packed[at : at + 3]) for at in range(0, len(packed), 3))
    assert checked(SIGNATURE + header() + pieces + chunk(b"IEND", b"")) == picture()


@pytest.mark.parametrize(
    "forged",
    [
        b"",
        b"<!doctype html><script>alert(1)</script>",
        b"GIF89a",
        SIGNATURE,
        SIGNATURE + chunk(b"IEND", b""),
        picture()[:-5],
        picture()[:40],
        picture(tail=b"<script>"),
        picture(tail=picture()),
        picture().replace(b"IHDR", b"IHDX"),
        picture(header() + header()),
        picture(more=b"\xff\xff\xff\xffIDAT"),
        picture(header(width=0)),
        picture(header(WIDEST + 1), rows(WIDEST + 1)),
        picture(header(height=HIGHEST + 1), rows(height=HIGHEST + 1)),
        picture(header(2**32 - 1, 2**32 - 1)),
        picture(header(depth=16)),
        picture(header(colour=3)),
        picture(header(interlaced=1)),
        picture(pixels=rows(height=1)),
        picture(pixels=rows(height=3)),
        picture(pixels=rows(kind=5)),
        SIGNATURE + header() + chunk(b"IDAT", b"not packed") + chunk(b"IEND", b""),
        SIGNATURE + header() + chunk(b"IDAT", zlib.compress(rows()) + b"<script>") + chunk(b"IEND", b""),
        SIGNATURE + header() + chunk(b"IDAT", zlib.compress(rows())) + chunk(b"IEND", b"<script>"),
        SIGNATURE + chunk(b"IHDR", b"short") + chunk(b"IEND", b""),
        picture(more=chunk(b"tEXt", b"x" * MOST_BYTES)),
    ],
)
def test_everything_else_is_refused(forged: bytes) -> None:
    with pytest.raises(NoPicture):
        checked(forged)


def test_a_bomb_is_refused_before_it_goes_off() -> None:
    bomb = SIGNATURE + header() + chunk(b"IDAT", BOMB) + chunk(b"IEND", b"")
    tracemalloc.start()
    try:
        with pytest.raises(NoPicture, match="more or fewer pixels"):
            checked(bomb)
        assert tracemalloc.get_traced_memory()[1] < 16 * 1024**2
    finally:
        tracemalloc.stop()


@given(st.integers(0, len(picture()) - 1), st.binary(min_size=1, max_size=4))
def test_a_picture_that_was_meddled_with_is_refused_or_harmless(at: int, instead: bytes) -> None:
    plain = picture(more=chunk(b"tEXt", b"hello"))
    try:
        kept = checked(plain[:at] + instead + plain[at + len(instead) :])
    except NoPicture:
        return
    assert kept == picture()
