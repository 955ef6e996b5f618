"""Hosts' accounts: Django's own users, their invitations, and what a login takes along."""

from typing import Any

from django.apps import apps
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.core import signing
from django.db import transaction
from django.http import HttpRequest
from django.utils import timezone
from django.utils.crypto import salted_hmac

from negotiation.bargain import sessions
from negotiation.limits import request_key
from negotiation.models import Game
from rooms.models import LastLogin

INVITED_S = 7 * 24 * 3600
"""Seconds for which an invitation is good."""

SESSIONS_AT_ONCE = 500

_SALT = "bazaar.host-invitation"

OWNED: tuple[tuple[str, str], ...] = (
    ("negotiation.LineThumb", "rater"),
    ("negotiation.Invitation", "owner"),
    ("arena.MatchSeat", "owner"),
    ("arena.MarketMatch", "owner"),
    ("replays.PuzzleSolver", "owner"),
    ("replays.PuzzleTry", "owner"),
    ("leaderboard.BoardName", "owner"),
    ("bots.Bot", "owner"),
    ("rooms.Member", "session"),
    ("rooms.Member", "first_session"),
    ("rooms.Room", "desk_session"),
    ("rooms.CoHost", "session"),
)
"""What belongs to a browser besides its games: the model and the column with the session."""


def move_visitor(old: str, new: str) -> None:
    """Let everything that belonged to one session belong to another: a login changes its key."""
    if not old or not new or old == new:
        return
    with transaction.atomic():
        sessions.move_seats(old, new, Game.objects.all())
        for name, column in OWNED:
            rows: Any = apps.get_model(name)._default_manager
            rows.filter(**{column: old}).update(**{column: new})


def invitation_for(host: User) -> str:
    """Return the token of a link by which somebody chooses the password of an account.

    Good until it is used, and for ``INVITED_S`` at most.
    """
    return signing.dumps([host.pk, _state(host)], salt=_SALT)


def invited(token: str) -> User | None:
    """Return whose invitation this is; None where it is used, too old or no invitation."""
    try:
        pk, state = signing.loads(token, salt=_SALT, max_age=INVITED_S)
    except (signing.BadSignature, ValueError, TypeError):
        return None
    host = User.objects.filter(pk=pk, is_active=True).first()
    return host if host is not None and state == _state(host) else None


def invite(name: str) -> User:
    """Make an account without a password, for whoever follows the invitation."""
    host, is_new = User.objects.get_or_create(username=name)
    if is_new:
        host.set_unusable_password()
        host.save(update_fields=["password"])
    return host


def remember_place(request: HttpRequest | None, user: User, **_: Any) -> None:
    """Note from where an account comes in (a receiver of ``user_logged_in``)."""
    if request is not None:
        place = _place(request_key(request))
        LastLogin.objects.update_or_create(account=user, defaults={"place": place})


def is_at_home(name: str, client: str) -> bool:
    """Whether the account of this name came in last from this address."""
    return LastLogin.objects.filter(account__username=name, place=_place(client)).exists()


def forget_expired_sessions() -> int:
    """Delete the sessions whose time is over, and return how many those were."""
    over = Session.objects.filter(expire_date__lt=timezone.now()).order_by("expire_date")
    count = 0
    # In small steps: nobody's move waits for a long delete.
    while keys := list(over.values_list("pk", flat=True)[:SESSIONS_AT_ONCE]):
        count += Session.objects.filter(pk__in=keys).delete()[0]
    return count


def _place(client: str) -> str:
    return salted_hmac("bazaar.login-place", client).hexdigest()[:32]


def _state(host: User) -> str:
    # Another password makes every earlier link void: each works once. So does a place among the
    # staff: who was asked for the link of a host had no right to that of one of the staff.
    rank = f":{host.is_staff}:{host.is_superuser}" if host.is_staff or host.is_superuser else ""
    return salted_hmac(_SALT, f"{host.pk}:{host.password}{rank}").hexdigest()[:20]
