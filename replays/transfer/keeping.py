"""What both kinds of imports share: the name of what is kept, and the times a file may give."""

import datetime as dt
import hashlib
import hmac

from django.conf import settings
from django.utils import timezone

from negotiation.models import id_from

_FIRST_YEAR = dt.datetime(2020, 1, 1, tzinfo=dt.UTC)


def id_of(owner: str, content: bytes) -> str:
    """Name a replay by what is in it: the same file of the same visitor is the same replay."""
    digest = hashlib.sha256(owner.encode() + b"\0" + content).digest()
    return id_from(hmac.digest(settings.SECRET_KEY.encode(), b"import" + digest, "sha256"))


def time_of(text: str | None) -> dt.datetime | None:
    """Read a time of a file; a time that cannot be is no time."""
    try:
        found = dt.datetime.fromisoformat(text or "")
    except ValueError:
        return None
    if found.tzinfo is None or not _FIRST_YEAR <= found <= timezone.now():
        return None
    return found
