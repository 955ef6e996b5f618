"""Draws one photo again in a process of its own: a file comes in, a plain JPEG goes out.

``python -I photo_decoder.py < photo > jpeg``; the exit status says what was wrong (``Refused``).
Before anything is decoded the file is taken apart, and only what draws the picture is put together
again: profiles, texts, second pictures and later frames reach no decoder, however they are packed.
Nothing here knows the site: the standard library and Pillow are all that a stranger's bytes meet.
"""

import contextlib
import io
import re
import resource
import struct
import sys
from collections.abc import Iterator
from enum import IntEnum
from typing import NamedTuple

MOST_PIXELS = 50_000_000
"""Width times height of a JPEG, told by its header; it is decoded at a fraction of its size."""
MOST_WHOLE_PIXELS = 16_000_000
"""The same of a PNG or WebP, which is decoded whole: 4 bytes for each."""
LONGEST_LINE = 65_535
"""Pixels of a side: a row has its cost, however short it is."""
MOST_SCANS = 50
"""Of a JPEG: programs that make progressive ones write 3 to 14."""
MOST_SCANNED = 24 * MOST_PIXELS
"""Pixels that the scans of a JPEG go over, once for each of their colours. A scan of 90 bytes may
go over all of them; what libjpeg itself writes for printers, in four colours, goes 24 rounds."""
MOST_PARTS = 10_000
"""Segments of a JPEG, chunks of a PNG or WebP."""
MOST_TAGS = 200
"""Of EXIF that are looked through for how the picture lies."""
LONGEST_SIDE = 1280
"""Pixels of what is kept."""
QUALITY = 82

CPU_S, MEMORY = 6, 800_000_000
"""Seconds of a processor and bytes of addresses that one photo may take. The dearest that a search
found within the bounds above takes about a second and 400 MB (docs/security.md)."""


class Refused(IntEnum):
    """The exit status of a photo that is not drawn."""

    UNREADABLE = 3
    TOO_WIDE = 4
    TOO_COSTLY = 5


class Refusal(Exception):
    """A photo is not drawn, and ``why``."""

    def __init__(self, why: Refused) -> None:
        super().__init__(why.name)
        self.why = why


class Picture(NamedTuple):
    """The parts of a file that draw the picture; ``turn`` (1 to 8) is how it lies, as in EXIF."""

    body: bytes
    turn: int = 1


def picture_in(body: bytes) -> Picture:
    """Return what of a JPEG, PNG or WebP draws the picture; raises ``Refusal``."""
    for begins, reads in ((b"\xff\xd8", _jpeg), (_PNG, _png), (b"RIFF", _webp)):
        if body.startswith(begins):
            try:
                return reads(body)
            except (struct.error, IndexError) as wrong:
                raise Refusal(Refused.UNREADABLE) from wrong
    raise Refusal(Refused.UNREADABLE)


def _check_size(width: int, height: int, most: int) -> int:
    if not width * height:
        raise Refusal(Refused.UNREADABLE)
    if width * height > most or max(width, height) > LONGEST_LINE:
        raise Refusal(Refused.TOO_WIDE)
    return width * height


_MARKER = re.compile(rb"\xff([\x01-\xcf\xd8-\xfe])")
"""The next one: 0xff00 is a byte of data, and restarts (0xd0 to 0xd7) belong to a scan. More 0xff
before it fill: to match them, too, would look at each of a million a million times."""
_TABLE, _END, _SCAN, _JFIF, _EXIF = 0xC4, 0xD9, 0xDA, 0xE0, 0xE1
_SIZES = (0xC0, 0xC1, 0xC2)
"""Baseline, extended, progressive; lossless, hierarchical and arithmetic ones no camera makes."""
_DRAWN = frozenset((*_SIZES, _TABLE, 0xDB, 0xDD, _SCAN, _END, 0xEE))
"""Besides: tables, restarts, and what Adobe's programs say of the colours."""


def _jpeg(body: bytes) -> Picture:
    parts, turn, pixels, scans, scanned = [b"\xff\xd8"], 0, 0, 0, 0
    for marker, data, whole in _segments(body):
        if marker == _SCAN:
            scans, scanned = scans + 1, scanned + data[0] * pixels
            if scans > MOST_SCANS or scanned > MOST_SCANNED:
                raise Refusal(Refused.TOO_COSTLY)
        elif marker in _SIZES:
            if pixels:  # readers differ in which of two they take
                raise Refusal(Refused.UNREADABLE)
            height, width = struct.unpack_from(">HH", data, 1)
            pixels = _check_size(width, height, MOST_PIXELS)
        elif marker in range(0xC0, 0xD0) and marker != _TABLE:
            raise Refusal(Refused.UNREADABLE)
        elif marker == _EXIF and data.startswith(b"Exif\0\0"):
            turn = turn or _turn(data[6:])
        if marker in _DRAWN or (marker == _JFIF and data.startswith(b"JFIF\0")):
            parts.append(whole)
    return Picture(b"".join(parts), turn or 1)


def _segments(body: bytes) -> Iterator[tuple[int, bytes, bytes]]:
    """Yield each segment as marker, data and all of it; with a scan comes what it is made of."""
    end = 2
    for _ in range(MOST_PARTS):
        found = _MARKER.search(body, end)
        if found is None:
            return  # without a last marker: the decoder knows whether everything is there
        marker, start = found[1][0], found.end()
        if marker == _END:
            yield marker, b"", found[0]
            return
        end = start + int(struct.unpack_from(">H", body, start)[0])
        data = body[start + 2 : end]
        if len(data) != end - start - 2:
            raise Refusal(Refused.UNREADABLE)
        if marker == _SCAN:
            follows = _MARKER.search(body, end)
            end = follows.start() if follows else len(body)
        yield marker, data, b"\xff" + body[start - 1 : end]
    raise Refusal(Refused.TOO_COSTLY)


_PNG = b"\x89PNG\r\n\x1a\n"
_PNG_DRAWN = frozenset((b"IHDR", b"PLTE", b"tRNS", b"IDAT", b"IEND"))


def _png(body: bytes) -> Picture:
    parts, turn, at = [_PNG], 1, len(_PNG)
    for place in range(MOST_PARTS):
        length, kind = struct.unpack_from(">I4s", body, at)
        chunk = body[at : at + 12 + length]
        # The size comes first, and once: of two a reader may take the other one.
        if len(chunk) != 12 + length or (kind == b"IHDR") == bool(place):
            raise Refusal(Refused.UNREADABLE)
        if not place:
            width, height = struct.unpack_from(">II", chunk, 8)
            _check_size(width, height, MOST_WHOLE_PIXELS)
        at += len(chunk)
        if kind in _PNG_DRAWN:
            parts.append(chunk)
        elif kind == b"eXIf":
            turn = _turn(chunk[8:-4])
        if kind == b"IEND":
            return Picture(b"".join(parts), turn)
    raise Refusal(Refused.TOO_COSTLY)


_WEBP_DRAWN = (b"VP8X", b"ALPH", b"VP8 ", b"VP8L")


def _webp(body: bytes) -> Picture:
    """Return a still picture: of an animation its first frame, without the canvas around it."""
    body = body[: 8 + int(struct.unpack_from("<I", body, 4)[0])]
    if body[8:12] != b"WEBP":
        raise Refusal(Refused.UNREADABLE)
    found = dict(_riff(body, 12))
    turn = _turn(found.get(b"EXIF", b"").removeprefix(b"Exif\0\0"))
    size = found.pop(b"VP8X", b"")[4:]
    if b"ANMF" in found:
        size, found = found[b"ANMF"][6:12], dict(_riff(found[b"ANMF"], 16))
    if b"ALPH" in found:
        found[b"VP8X"] = b"\x10\0\0\0" + size
    parts = [b"WEBP"]
    for kind in _WEBP_DRAWN:
        if data := found.get(kind):
            if kind != b"ALPH":
                _check_size(*_webp_size(kind, data), MOST_WHOLE_PIXELS)
            parts += (kind, struct.pack("<I", len(data)), data, b"\0" * (len(data) % 2))
    told = b"".join(parts)
    return Picture(b"RIFF" + struct.pack("<I", len(told)) + told, turn)


def _riff(body: bytes, at: int) -> Iterator[tuple[bytes, bytes]]:
    """Yield kind and data of the chunks, last to first: in a dict the first of each kind stays."""
    found = []
    while at < len(body):
        kind, length = struct.unpack_from("<4sI", body, at)
        found.append((kind, body[at + 8 : at + 8 + length]))
        if len(found[-1][1]) != length:
            raise Refusal(Refused.UNREADABLE)
        if len(found) > MOST_PARTS:
            raise Refusal(Refused.TOO_COSTLY)
        at += 8 + length + length % 2
    yield from reversed(found)


def _webp_size(kind: bytes, data: bytes) -> tuple[int, int]:
    if kind == b"VP8X":
        width, height = (int.from_bytes(data[at : at + 3], "little") + 1 for at in (4, 7))
    elif kind == b"VP8L":
        bits = int(struct.unpack_from("<I", data, 1)[0])
        width, height = (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    else:
        width, height = (side & 0x3FFF for side in struct.unpack_from("<HH", data, 6))
    return width, height


_ORIENTATION, _SHORT = 0x0112, 3


def _turn(tiff: bytes) -> int:
    """Return how a picture lies, by its EXIF; 1, upright, where that says nothing of it."""
    order = {b"II": "<", b"MM": ">"}.get(tiff[:2], "")
    if not order:
        return 1
    try:
        (at,) = struct.unpack_from(f"{order}I", tiff, 4)
        (count,) = struct.unpack_from(f"{order}H", tiff, at)
        for entry in range(at + 2, at + 2 + 12 * min(count, MOST_TAGS), 12):
            tag, kind, _, turn = struct.unpack_from(f"{order}HHIH", tiff, entry)
            if tag == _ORIENTATION and kind == _SHORT:
                return int(turn) if turn in range(1, 9) else 1
    except struct.error:
        pass  # cut off, or a place that is not there
    return 1


def redrawn(body: bytes) -> bytes:
    """Return a photo as a plain JPEG without any data about it, upright and of a decent size.

    Raises ``Refusal``, or whatever a decoder raises on a file that was made to break it.
    """
    from PIL import Image  # after the limits: what it takes is counted

    turns = Image.Transpose
    upright = (
        None,
        None,
        turns.FLIP_LEFT_RIGHT,
        turns.ROTATE_180,
        turns.FLIP_TOP_BOTTOM,
        turns.TRANSPOSE,
        turns.ROTATE_270,
        turns.TRANSVERSE,
        turns.ROTATE_90,
    )
    picture = picture_in(body)
    with Image.open(io.BytesIO(picture.body), formats=("JPEG", "PNG", "WEBP")) as opened:
        # A JPEG is decoded at a fraction of its size where that is enough, however long it is.
        part = LONGEST_SIDE / max(opened.size)
        opened.draft("RGB", (max(int(opened.width * part), 1), max(int(opened.height * part), 1)))
        # Turned when it is small: to turn makes a second copy.
        opened.thumbnail((LONGEST_SIDE, LONGEST_SIDE))
        turn = upright[picture.turn]
        small: Image.Image = opened if turn is None else opened.transpose(turn)
        # A new canvas: whatever the file said beside its pixels stays behind.
        canvas = Image.new("RGB", small.size, "white")
        has_holes = small.mode in ("RGBA", "LA", "PA") or "transparency" in small.info
        shown = small.convert("RGBA" if has_holes else "RGB")
        canvas.paste(shown, mask=shown if has_holes else None)
    written = io.BytesIO()
    canvas.save(written, "JPEG", quality=QUALITY, optimize=True)
    return written.getvalue()


def bound_this_process() -> None:
    """Let this process take no more than a photo may; files it cannot write at all."""
    for what, most in (
        (resource.RLIMIT_CPU, CPU_S),
        (resource.RLIMIT_AS, MEMORY),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_CORE, 0),
    ):
        # macOS knows no bound of addresses; the others and the parent's clock hold there.
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(what, (most, most))


def main() -> int:
    """Draw what comes in at standard input, and write it to standard output."""
    bound_this_process()
    try:
        drawn = redrawn(sys.stdin.buffer.read())
    except Refusal as refusal:
        return refusal.why
    except MemoryError:
        return Refused.TOO_COSTLY
    except (
        OSError,
        SyntaxError,
        ValueError,
        EOFError,
        LookupError,
        TypeError,
        ArithmeticError,
        struct.error,
    ):
        return Refused.UNREADABLE
    sys.stdout.buffer.write(drawn)
    return 0


if __name__ == "__main__":
    sys.exit(main())
