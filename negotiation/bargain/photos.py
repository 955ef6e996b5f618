"""Photographs that people bring with their own item: checked, drawn again, kept on disk.

Nothing of the uploaded file is stored: its pixels are decoded and written anew as a JPEG, so that
neither a place, a name nor a second file hidden in it gets further. A photo lives as long as its
game's row.
"""

import contextlib
import io
import logging
import secrets
import struct
import threading
from pathlib import Path
from typing import IO, Any

from django.conf import settings
from django.db.models.signals import post_delete
from django.utils.translation import gettext
from PIL import Image, ImageOps
from PIL.JpegImagePlugin import JpegImageFile

from negotiation.errors import BadSale
from negotiation.marking import gettext_noop
from negotiation.models import ID_ALPHABET, Game

log = logging.getLogger(__name__)

MOST_BYTES = 8_000_000
"""Of an upload: what telephones of today make."""
MOST_PIXELS = 50_000_000
"""Width times height of a JPEG, told by its header; it is decoded at a fraction of its size."""
MOST_WHOLE_PIXELS = 16_000_000
"""The same of a PNG or WebP, which is decoded whole: 4 bytes for each."""
LONGEST_SIDE = 1280
"""Pixels of what is kept."""
QUALITY = 82
FORMATS = ("JPEG", "PNG", "WEBP")
NAME_LENGTH = 24
"""Characters of a name: 118 bits, so nobody finds a photo by trying."""

_UNREADABLE = gettext_noop(
    "That photo cannot be read. A JPEG, PNG or WebP works; it may also be left out."
)
_TOO_HEAVY = gettext_noop("That photo is too large. Up to 8 MB work; a smaller copy does as well.")
_TOO_WIDE = gettext_noop(
    "That photo has too many pixels. A JPEG may have 50 million, a PNG or WebP 16 million; "
    "a smaller copy works as well."
)
_BROKEN = (
    OSError,
    SyntaxError,
    ValueError,
    EOFError,
    IndexError,
    KeyError,
    TypeError,
    OverflowError,
    MemoryError,
    ZeroDivisionError,
    struct.error,
)
"""What a decoder may raise on a file that was made to break it."""

_decoding = threading.Lock()
"""One photo at a time: the pixels of several would fill a small machine's memory."""


def redrawn(upload: IO[bytes]) -> bytes:
    """Return a photo as a plain JPEG without any data about it, upright and of a decent size.

    BadSale: it is no photo, or too large; the message is for whoever brought it.
    """
    body = upload.read(MOST_BYTES + 1)
    if len(body) > MOST_BYTES:
        raise BadSale(gettext(_TOO_HEAVY), "photo")
    try:
        with _decoding:
            return _redrawn(body)
    except (Image.DecompressionBombError, Image.DecompressionBombWarning) as wrong:
        raise BadSale(gettext(_TOO_WIDE), "photo") from wrong
    except _BROKEN as wrong:
        raise BadSale(gettext(_UNREADABLE), "photo") from wrong


def _redrawn(body: bytes) -> bytes:
    with Image.open(io.BytesIO(body), formats=FORMATS) as opened:
        is_jpeg = isinstance(opened, JpegImageFile)
        if opened.width * opened.height > (MOST_PIXELS if is_jpeg else MOST_WHOLE_PIXELS):
            raise BadSale(gettext(_TOO_WIDE), "photo")
        # A JPEG is decoded at a fraction of its size where that is enough, however long it is.
        part = LONGEST_SIDE / max(opened.size)
        opened.draft("RGB", (max(int(opened.width * part), 1), max(int(opened.height * part), 1)))
        # Turned when it is small: to turn makes a second copy.
        opened.thumbnail((LONGEST_SIDE, LONGEST_SIDE))
        upright = ImageOps.exif_transpose(opened)
        # A new canvas: whatever the file said beside its pixels stays behind.
        canvas = Image.new("RGB", upright.size, "white")
        has_holes = upright.mode in ("RGBA", "LA", "PA") or "transparency" in upright.info
        shown = upright.convert("RGBA" if has_holes else "RGB")
        canvas.paste(shown, mask=shown if has_holes else None)
    written = io.BytesIO()
    canvas.save(written, "JPEG", quality=QUALITY, optimize=True)
    return written.getvalue()


def keep(game: Game, photo: bytes) -> bool:
    """Store a redrawn photo for a game; False where the disk refuses: the game goes on without."""
    name = "".join(secrets.choice(ID_ALPHABET) for _ in range(NAME_LENGTH))
    try:
        settings.PHOTOS_DIR.mkdir(parents=True, exist_ok=True)
        place_of(name).write_bytes(photo)
    except OSError:
        log.exception("a photo could not be kept")
        # Half of it may be there, and nothing will ever name it.
        with contextlib.suppress(OSError):
            place_of(name).unlink(missing_ok=True)
        return False
    Game.objects.filter(pk=game.pk).update(photo=name)
    game.photo = name
    return True


def place_of(name: str) -> Path:
    """Return where a photo lies; names are our own, so nothing else can be asked for."""
    return Path(settings.PHOTOS_DIR) / f"{name}.jpg"


def is_name(name: str) -> bool:
    """Whether a name could be that of a photo.

    >>> is_name("../../settings"), is_name("2" * 24)
    (False, True)
    """
    return len(name) == NAME_LENGTH and set(name) <= set(ID_ALPHABET)


def forget(sender: type[Game], instance: Game, **_: Any) -> None:
    """Delete the photo of a game that is deleted."""
    if instance.photo:
        place_of(instance.photo).unlink(missing_ok=True)


def follow_games() -> None:
    """Let photos go with their games."""
    post_delete.connect(forget, sender=Game, dispatch_uid="photo of a game")
