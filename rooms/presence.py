"""Who is in the lobby, and since when: the one place that says who is here and who waits.

Read from signs of life alone. A lobby gives one every two seconds, and says when it closes; where
that is lost, whoever gives no sign any more is away all the same, soon where the page was in sight.
"""

from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from rooms.models import Member, Room

HERE_S = 30
"""Seconds after the last sign of life in which somebody counts as being in the lobby."""

HIDDEN_S = 70
"""The same for a page that nobody looks at: browsers let one ask once a minute."""

SIGN_EVERY_S = 10
"""How often a sign of life is written down."""

BACK_S = 30
"""Whoever comes back so soon, from a page that was loaded anew, say, has waited all the time."""

_LONGEST = timedelta(seconds=HIDDEN_S + 30)
"""Where a sign holds for longer, the clock was put back after it."""

_PAGES_KEPT = 4


def here() -> Q:
    """Return the condition for members who are in the lobby now."""
    now = timezone.now()
    return Q(left_at=None, here_until__gt=now, here_until__lte=now + _LONGEST)


def is_here(member: Member) -> bool:
    """Whether a member is in the lobby now."""
    until, now = member.here_until, timezone.now()
    return member.left_at is None and until is not None and now < until <= now + _LONGEST


def waits_since(member: Member) -> datetime | None:
    """Return since when a member waits in the lobby for a game; None: does not, or is not there.

    It counts from coming into the lobby: who still reads the end of a game waits for nobody.
    """
    if member.room.state != Room.State.PLAYING or member.came_at is None or not is_here(member):
        return None
    return max(filter(None, (member.came_at, member.ready_at, member.room.started_at)))


def arriving() -> dict[str, Any]:
    """Return the columns of a member who comes into the lobby."""
    now = timezone.now()
    return {"came_at": now, "seen_at": now, "here_until": now + timedelta(seconds=HERE_S)}


def leaving() -> dict[str, Any]:
    """Return the columns of a member who is in the lobby no more: to play, or to go."""
    return {"came_at": None, "here_until": None}


def give_sign(member: Member, page: str = "", *, is_hidden: bool = False) -> bool:
    """Note that a member is in the lobby; whether that was news.

    A sign of a page that has said that it closes comes late: it brings nobody back.
    """
    if page and page in member.closed_pages.split():
        return False
    now, was = timezone.now(), member.here_until
    until = now + timedelta(seconds=HIDDEN_S if is_hidden else HERE_S)
    is_news = was is None or was <= now
    if not is_news and was is not None and abs(until - was) < timedelta(seconds=SIGN_EVERY_S):
        return False
    came = member.came_at
    if came is None or was is None or now - was > timedelta(seconds=BACK_S):
        came = now
    # Whoever was given a game meanwhile, or has closed the page, is not in the lobby any more.
    rows = Member.objects.filter(pk=member.pk, dealt=member.dealt, left_at=None, here_until=was)
    if not rows.update(seen_at=now, came_at=came, here_until=until):
        return False
    member.seen_at, member.came_at, member.here_until = now, came, until
    return is_news


def close_page(member: Member, page: str) -> None:
    """Note that a page of the lobby was closed; what it still asks is no sign of life any more."""
    own = Member.objects.filter(pk=member.pk)
    with transaction.atomic():
        # One after the other: of two tabs that close at once, neither is forgotten.
        known = own.select_for_update().values_list("closed_pages", flat=True).first()
        if known is None:
            return  # deleted with the room
        own.update(closed_pages=" ".join([*known.split(), page][-_PAGES_KEPT:]))
    now = timezone.now()
    Member.objects.filter(pk=member.pk, dealt=member.dealt, here_until__gt=now).update(
        here_until=now
    )
