"""Photographs that people bring with their own item: checked, drawn again, kept on disk.

Nothing of the uploaded file is stored: its pixels are decoded and written anew as a JPEG, so that
neither a place, a name nor a second file hidden in it gets further. That is done by a process of
its own (``photo_decoder``), one photo at a time. A photo lives as long as its game's row.
"""

import contextlib
import logging
import secrets
import subprocess
import sys
import sysconfig
import threading
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

from django.conf import settings
from django.db.models.signals import post_delete
from django.utils.translation import gettext

from negotiation.bargain import photo_decoder
from negotiation.bargain.photo_decoder import Refused
from negotiation.errors import BadSale, Overloaded
from negotiation.models import ID_ALPHABET, Game
from negotiation.sentences import sentences

say = sentences(__file__)

log = logging.getLogger(__name__)

MOST_BYTES = 8_000_000
"""Of an upload: what telephones of today make."""
NAME_LENGTH = 24
"""Characters of a name: 118 bits, so nobody finds a photo by trying."""

PATIENCE_S = 2.0
"""Seconds that an upload waits for its turn to be decoded."""
MOST_UPLOADS, MOST_OF_ONE = 8, 3
"""Uploads of one process and of one address that are decoded or wait for it: each has a thread."""
RETRY_S = 5
"""Seconds after which whoever was sent away is asked to try again."""
WALL_S = 15.0
"""Seconds after which a decoder is ended that waits instead of computing."""
ENVIRONMENT = {"LD_LIBRARY_PATH": str(sysconfig.get_config_var("LIBDIR"))}
"""Of a decoder: where the interpreter may lie, and none of the secrets in this process's own."""
DECODER = (sys.executable, "-I", "-B", photo_decoder.__file__)

_WORDS: dict[int, str] = {
    Refused.UNREADABLE: say.text("that_photo_cannot_be_read_a"),
    Refused.TOO_WIDE: say.text("that_photo_has_too_many_pixels"),
    Refused.TOO_COSTLY: say.text("that_photo_takes_too_long_to"),
}

_decoding = threading.Lock()
"""One photo at a time: the pixels of several would fill a small machine's memory."""
_counting = threading.Lock()
_uploads: Counter[str] = Counter()


@contextlib.contextmanager
def turn_to_decode(client: str) -> Iterator[None]:
    """Wait until a client's upload may be decoded, ``PATIENCE_S`` at most.

    Raises ``Overloaded`` where others take longer, or where too many wait already.
    """
    with _counting:
        if _uploads[client] >= MOST_OF_ONE:
            raise Overloaded(say("many_of_yours"), RETRY_S)
        if _uploads.total() >= MOST_UPLOADS:
            raise Overloaded(say("many_here"), RETRY_S)
        _uploads[client] += 1
    try:
        if not _decoding.acquire(timeout=PATIENCE_S):
            raise Overloaded(say("many_here"), RETRY_S)
        try:
            yield
        finally:
            _decoding.release()
    finally:
        with _counting:
            _uploads[client] -= 1
            if not _uploads[client]:
                del _uploads[client]


def redrawn(upload: IO[bytes]) -> bytes:
    """Return a photo as a plain JPEG without any data about it, upright and of a decent size.

    BadSale: it is no photo, too large, or takes too long; the message is for whoever brought it.
    """
    body = upload.read(MOST_BYTES + 1)
    if len(body) > MOST_BYTES:
        raise BadSale(say("too_heavy"), "photo")
    status, drawn = _decoded(body)
    if status or not drawn:
        raise BadSale(gettext(_WORDS.get(status, _WORDS[Refused.UNREADABLE])), "photo")
    return drawn


def _decoded(body: bytes) -> tuple[int, bytes]:
    """Return the exit status of a decoder and what it drew."""
    try:
        told = subprocess.run(  # noqa: S603  our own program; the photo is its input
            DECODER,
            input=body,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=ENVIRONMENT,
            timeout=WALL_S,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return Refused.TOO_COSTLY, b""
    except OSError as wrong:
        log.exception("a photo has no process to be decoded in")
        raise Overloaded(say("many_here"), RETRY_S) from wrong
    if told.returncode < 0:
        return Refused.TOO_COSTLY, b""  # ended by a limit of its own, or by the system
    if told.returncode not in (0, *_WORDS):
        log.error("the decoder of photos ended with %d", told.returncode)
    return told.returncode, told.stdout


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
