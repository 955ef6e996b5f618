"""Who asks: the session behind a request or a socket, stored only when there is something to keep.

Whoever comes without a cookie is given a signed key, which is good for a few days without a row in
the database. The row is made, with the same key, when the visitor does something that needs an
owner, so that two first requests at once have one owner. This module is the site's session engine.
"""

import datetime as dt
import time
from collections.abc import Callable, Mapping
from typing import Any

from django.conf import settings
from django.contrib.sessions.backends import db
from django.contrib.sessions.backends.base import VALID_KEY_CHARS, CreateError
from django.core import signing
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.crypto import constant_time_compare, get_random_string, salted_hmac
from django.utils.http import base36_to_int, int_to_base36
from django.utils.translation import get_language_from_request

from negotiation.errors import PlaceKept, RateLimited
from negotiation.limits import QUEUED, hold_place, request_key, spend

SAFE = ("GET", "HEAD", "OPTIONS")

FORMS = ("application/x-www-form-urlencoded", "multipart/form-data")

PLACE_COOKIE = "bazaar_place"

PLACE_AGE_S = 2 * 60 * 60
"""So long is a promised moment good, from when it was promised."""

UNSTORED_DAYS = 7
"""How long a key without a row is good: a page may stand open for so long before its first move."""

_RANDOM, _DAY, _PROOF = 22, 3, 15
_LENGTH = _RANDOM + _DAY + _PROOF
_FIRST_DAY = dt.date(2026, 1, 1)
_SALT = "bazaar.unstored-visitor"


def unstored_key() -> str:
    """Return the key of a visitor of whom nothing is stored yet."""
    day = int_to_base36(_today()).rjust(_DAY, "0")
    head = get_random_string(_RANDOM, VALID_KEY_CHARS) + day
    return head + _proof(head)


def is_unstored_key(key: str | None) -> bool:
    """Whether this site gave out the key lately, as one that needs no row."""
    if not key or len(key) != _LENGTH:
        return False
    head, proof = key[:-_PROOF], key[-_PROOF:]
    if not constant_time_compare(_proof(head), proof):
        return False
    # A day ahead: the clock was put back over midnight since.
    return -1 <= _today() - base36_to_int(head[_RANDOM:]) <= UNSTORED_DAYS


class SessionStore(db.SessionStore):
    """Django's own in the database, with keys that need no row."""

    def begin(self) -> None:
        """Name the visitor without storing anything."""
        self._session_key = unstored_key()
        self._session_cache: dict[str, Any] = {}

    def known_key(self) -> str:
        """Return the key; "" where its session has ended, by a sign-out or by its time."""
        if not is_unstored_key(self.session_key):
            self.get("")  # reads the row: without one the key is let go of
        return self.session_key or ""

    def keep(self, allow: Callable[[], None]) -> None:
        """See to it that the session has a row; ``allow`` is asked first where it has none."""
        key = self.session_key
        if key and self.exists(key):
            return
        allow()
        if is_unstored_key(key):
            self._store_or_find()
        else:
            # The cookie has outlived its session: what is made now must have a real owner.
            self.create()

    def save(self, must_create: bool = False) -> None:
        """Store the data; the first time this makes the row."""
        key = self.session_key
        if must_create or not is_unstored_key(key) or self.exists(key or ""):
            super().save(must_create)
        elif not self._store_or_find():
            super().save()

    def _store_or_find(self) -> bool:
        data = self._session  # type: ignore[attr-defined]  # read before an empty one is written
        try:
            super().save(must_create=True)
        except CreateError:
            self._session_cache = data
            return False  # another request of the same visitor was a moment faster
        return True

    def _get_session_from_db(self) -> Any:
        key = self.session_key
        found = super()._get_session_from_db()  # type: ignore[misc]
        if found is None and is_unstored_key(key):
            self._session_key = key
        return found

    async def _aget_session_from_db(self) -> Any:
        key = self.session_key
        found = await super()._aget_session_from_db()  # type: ignore[misc]
        if found is None and is_unstored_key(key):
            self._session_key = key
        return found


_visitors = SessionStore()


def visitor_of(session_key: str) -> str:
    """Return a session's visitor; "" when it is gone, as after a logout on another tab."""
    return session_key if session_key and _visitors.exists(session_key) else ""


def visitor(request: HttpRequest) -> str:
    """Return the visitor of a request: the session's key.

    Who only looks is stored nowhere; "": the cookie is of a session that has ended. What an unsafe
    request makes has an owner from here on.

    Raises:
        PlaceKept: too many new visitors come from this address, and this one's form waits its turn.
        RateLimited: so many that none can be promised a turn, or what is asked is no form.
    """
    session: Any = request.session
    if not isinstance(session, SessionStore):
        return session.session_key or ""
    if request.method in SAFE:
        return session.known_key()
    session.keep(lambda: _let_in(request))
    return session.session_key or ""


def _let_in(request: HttpRequest) -> None:
    due = _place_of(request)
    if due is None:
        try:
            return spend(QUEUED, request_key(request))
        except RateLimited:
            if not _can_wait(request):
                raise
            due = hold_place(request_key(request))
            if due is None:
                raise
    if due > time.time():
        raise PlaceKept(due)
    return None


def _can_wait(request: HttpRequest) -> bool:
    # What waits is written into a page and sent again: no upload could be, no password may be.
    is_form = request.content_type in FORMS and not request.FILES
    return is_form and not any("password" in name for name in request.POST)


def _place_of(request: HttpRequest) -> float | None:
    """Return the moment that was promised to this browser, which no other can use."""
    said = request.COOKIES.get(PLACE_COOKIE, "")
    try:
        whose, due = signing.loads(said, salt=PLACE_COOKIE, max_age=PLACE_AGE_S)
    except (signing.BadSignature, ValueError, TypeError):
        return None
    return float(due) if whose == request.session.session_key else None


def keep_place(request: HttpRequest, response: HttpResponse, due: float) -> None:
    """Let the browser keep the moment that was promised to it."""
    signed = signing.dumps([request.session.session_key, due], salt=PLACE_COOKIE)
    response.set_cookie(
        PLACE_COOKIE,
        signed,
        max_age=PLACE_AGE_S,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


def is_staff_with(user: Any, permission: str) -> bool:
    """Whether somebody of the staff may do this, with the code of the admin's door where it asks.

    For pages outside the admin that show staff more.
    """
    has_come_in = user.is_staff and (not settings.STAFF_CODES or user.is_verified())
    return bool(has_come_in and user.has_perm(permission))


def is_back(request: HttpRequest) -> bool:
    """Whether a visitor brings a name that an earlier answer gave: browsers do, robots do not.

    Looking makes no row. The few looks that have something made for everybody (a match to watch,
    grades) ask this first: however many pages a robot reads, nothing comes of it.
    """
    name = request.COOKIES.get(settings.SESSION_COOKIE_NAME, "")
    return bool(name) and visitor(request) == name


def language_of(scope: Mapping[str, Any]) -> str:
    """Return in which language a socket's visitor reads, as pages find it out."""
    request = HttpRequest()
    request.COOKIES = dict(scope.get("cookies", {}))
    accepted = [value for name, value in scope["headers"] if name == b"accept-language"]
    request.META["HTTP_ACCEPT_LANGUAGE"] = b",".join(accepted).decode("latin-1")
    return get_language_from_request(request)


def _today() -> int:
    return (timezone.now().date() - _FIRST_DAY).days


def _proof(head: str) -> str:
    return salted_hmac(_SALT, head).hexdigest()[:_PROOF]
