"""Photos that cost a decoder as much as they can, by what they are built of."""

import io
import random
import struct
import zlib
from collections.abc import Callable, Iterable
from typing import Any

from PIL import Image

from negotiation.bargain.photo_decoder import Refused


def picture(size: tuple[int, int], kind: str = "JPEG", mode: str = "RGB", **more: Any) -> bytes:
    """A picture of one colour."""
    written = io.BytesIO()
    Image.new(mode, size, more.pop("color", 0)).save(written, kind, **more)
    return written.getvalue()


def noise(size: tuple[int, int], kind: str = "JPEG", bands: int = 3, **more: Any) -> bytes:
    """A picture of nothing but noise: as many bytes for each pixel as there can be."""
    mode = {1: "L", 3: "RGB", 4: "RGBA"}[bands]
    body = random.Random(1).randbytes(size[0] * size[1] * bands)
    written = io.BytesIO()
    Image.frombytes(mode, size, body).save(written, kind, **more)
    return written.getvalue()


def segment(marker: int, data: bytes) -> bytes:
    """A segment of a JPEG."""
    return bytes((0xFF, marker)) + struct.pack(">H", len(data) + 2) + data


def jpeg(
    scans: int, side: int = 7000, colours: int = 1, *, between: bytes = b"", data: bytes = b""
) -> bytes:
    """A progressive JPEG of scans that say nothing and yet go over every block.

    ``between`` stands before each scan; ``data`` in it, where that is not the shortest there is.
    """
    parts = [b"\xff\xd8", segment(0xDB, b"\0" + b"\1" * 64)]
    of = b"".join(bytes((number, 0x11, 0)) for number in range(1, colours + 1))
    parts.append(segment(0xC2, struct.pack(">BHHB", 8, side, side, colours) + of))
    # One code, of one bit: a run of as many empty blocks as can be said.
    parts.append(segment(0xC4, b"\x10" + b"\1" + b"\0" * 15 + b"\xe0"))
    for number in range(scans):
        colour = number % colours + 1
        head = bytes((1, colour, 0x00, 1, 63, 0x00))
        parts += (between, segment(0xDA, head), data or b"\0" * 88)
    return b"".join((*parts, b"\xff\xd9"))


def only_dc(side: int = 7000) -> bytes:
    """A progressive JPEG that breaks off after its first scan: a decoder smooths every block."""
    whole = picture((side, side), progressive=True)
    second = whole.index(b"\xff\xda", whole.index(b"\xff\xda") + 2)
    return whole[:second] + b"\xff\xd9"


def chunk(kind: bytes, data: bytes) -> bytes:
    """A chunk of a PNG."""
    told = kind + data
    return struct.pack(">I", len(data)) + told + struct.pack(">I", zlib.crc32(told))


def png(
    width: int,
    height: int,
    *,
    kind: int = 2,
    bits: int = 8,
    interlaced: bool = False,
    filters: int = 0,
    before: Iterable[bytes] = (),
    pieces: int = 1,
) -> bytes:
    """A PNG of zeros; ``before`` are chunks that stand in front of its pixels."""
    bands = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}[kind]
    row = bytes((filters,)) + b"\0" * ((width * bands * bits + 7) // 8)
    rows = row * height
    packed = zlib.compress(rows * 2 if interlaced else rows, 9)
    step = -(-len(packed) // pieces)
    head = struct.pack(">IIBBBBB", width, height, bits, kind, 0, 0, interlaced)
    return b"".join(
        (
            b"\x89PNG\r\n\x1a\n",
            chunk(b"IHDR", head),
            *before,
            *(chunk(b"IDAT", packed[at : at + step]) for at in range(0, len(packed), step)),
            chunk(b"IEND", b""),
        )
    )


ZEROS = zlib.compress(b"\0" * 1_000_000, 9)
"""A kilobyte that becomes a million."""


def small_png(before: Iterable[bytes]) -> bytes:
    """A PNG of four pixels with chunks in front of them."""
    return png(2, 2, before=before)


PROFILE = chunk(b"iCCP", b"x\0\0" + ZEROS)
WORDS = chunk(b"zTXt", b"x\0\0" + ZEROS)
MORE_WORDS = chunk(b"iTXt", b"x\0\1\0\0\0" + ZEROS)
FRAME = chunk(b"fdAT", b"\0\0\0\1" + ZEROS)


def _size(side: int) -> bytes:
    """The chunk that says how large a grey PNG is."""
    return chunk(b"IHDR", struct.pack(">IIBBBBB", side, side, 8, 0, 0, 0, 0))


def _sizes(*before: bytes, side: int = 13_000) -> bytes:
    """A grey PNG of zeros, ten times what is allowed, that begins with such chunks."""
    packed = zlib.compress((b"\0" * (side + 1)) * side, 9)
    return b"\x89PNG\r\n\x1a\n" + b"".join((*before, chunk(b"IDAT", packed), chunk(b"IEND", b"")))


def riff(*chunks: tuple[bytes, bytes]) -> bytes:
    """A WebP of such chunks."""
    told = b"WEBP" + b"".join(
        kind + struct.pack("<I", len(data)) + data + b"\0" * (len(data) % 2)
        for kind, data in chunks
    )
    return b"RIFF" + struct.pack("<I", len(told)) + told


def exif_bomb(entries: int, length: int) -> bytes:
    """EXIF whose every entry points at the same long text."""
    row = struct.pack("<HHII", 0x9999, 2, length, 8)
    return b"II*\0" + struct.pack("<IH", 8, entries) + row * entries + b"\0" * 4 + b"x" * length


def many_exif(side: int = 8, size: int = 8_000_000) -> bytes:
    """A JPEG with as much EXIF as fits, which some readers join to one."""
    whole = picture((side, side))
    blob = exif_bomb(5_000, 64)[:65_000]
    parts = segment(0xE1, b"Exif\0\0" + blob) * (size // 65_100)
    return whole[:2] + parts + whole[2:]


UNREADABLE, TOO_WIDE, TOO_COSTLY = Refused
DRAWN = 0

BOMBS: dict[str, tuple[Callable[[], bytes], int]] = {
    # Refused before a pixel is decoded.
    "600 empty scans": (lambda: jpeg(600), TOO_COSTLY),
    "51 scans of a small one": (lambda: jpeg(51, 64), TOO_COSTLY),
    "25 rounds over the largest": (lambda: jpeg(25, 7071), TOO_COSTLY),
    "as many in three colours": (lambda: jpeg(26, 7000, 3), TOO_COSTLY),
    "segments without end": (lambda: jpeg(1, between=segment(0xFE, b"") * 20_000), TOO_COSTLY),
    "nothing but filling": (lambda: b"\xff\xd8" + b"\xff" * 7_900_000, UNREADABLE),
    "nothing but escapes": (lambda: b"\xff\xd8" + b"\xff\0" * 3_900_000, UNREADABLE),
    "two sizes": (lambda: jpeg(1, between=segment(0xC2, b"\x08\1\0\1\0\1\1\x11\0")), UNREADABLE),
    "arithmetic": (lambda: picture((64, 64)).replace(b"\xff\xc0", b"\xff\xc9"), UNREADABLE),
    "chunks without end": (
        lambda: small_png([chunk(b"teXt", b"")] * 600_000),
        TOO_COSTLY,
    ),
    "its size behind another chunk": (
        lambda: _sizes(chunk(b"eXIf", struct.pack(">IIQ", 8, 8, 0)), _size(13_000)),
        UNREADABLE,
    ),
    "a small size, then a large one": (lambda: _sizes(_size(8), _size(13_000)), UNREADABLE),
    "a large size behind its pixels": (
        lambda: small_png([])[:-12] + _size(13_000) + chunk(b"IEND", b""),
        UNREADABLE,
    ),
    "two frames of a JPEG": (
        lambda: b"\xff\xd8" + segment(0xC0, b"\x08\0\x08\0\x08\1\1\x11\0") + picture((64, 64))[2:],
        UNREADABLE,
    ),
    "a column of a million": (lambda: png(1, 1_000_000, kind=0), TOO_WIDE),
    "a canvas of a webp": (
        lambda: riff((b"VP8X", b"\x10" + b"\0" * 3 + b"\xff" * 6), (b"VP8 ", b"\0" * 10)),
        UNREADABLE,
    ),
    "a frame of a webp": (lambda: riff((b"VP8L", b"/" + b"\xff" * 4)), TOO_WIDE),
    "webp chunks without end": (lambda: riff(*[(b"ABCD", b"")] * 20_000), TOO_COSTLY),
    # Drawn: what would cost does not reach the decoder, or is within the bounds.
    "profiles": (lambda: small_png([PROFILE] * 7_000), DRAWN),
    "words": (lambda: small_png([WORDS] * 7_000), DRAWN),
    "more words": (lambda: small_png([MORE_WORDS] * 7_000), DRAWN),
    "frames": (lambda: small_png([FRAME] * 7_000), DRAWN),
    "EXIF without end": (many_exif, DRAWN),
    "24 rounds over the largest": (lambda: jpeg(24), DRAWN),
    "a restart at every block": (lambda: jpeg(20, between=segment(0xDD, b"\0\1")), DRAWN),
    "escapes in every scan": (lambda: jpeg(24, data=b"\xff\0" * 160_000), DRAWN),
    "smoothed": (only_dc, DRAWN),
    "interlaced, 16 bits": (lambda: png(4000, 4000, kind=6, bits=16, interlaced=True), DRAWN),
    "16 bits, filtered": (lambda: png(4000, 4000, kind=6, bits=16, filters=4), DRAWN),
    "rows of 244": (lambda: png(244, 65_535, kind=6, filters=4), DRAWN),
    "16 million of a webp": (lambda: picture((4000, 4000), "WEBP"), DRAWN),
}
