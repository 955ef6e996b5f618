"""Marks for the courses that people came from: what is owed, and how much of it is there.

A mark is the mean share of the gradebook, or how many of the games somebody took part in: the
host chooses. A share says where somebody else's limit lies, so any is owed only while the debrief
is open, when everybody in the room may see all that.
"""

from collections import Counter
from datetime import datetime

import msgspec
from django.db.models import Exists, F, Q, QuerySet
from django.utils import timezone

from rooms.debrief.cases import parts_of, played_of
from rooms.debrief.counted import people_in
from rooms.debrief.games import own_games
from rooms.debrief.gradebook import mean_share, part_taken
from rooms.lti_models import LtiPlatform, LtiSeat
from rooms.models import Room
from rooms.study_hooks import is_study

SCORE = "https://purl.imsglobal.org/spec/lti-ags/scope/score"
PLACES = "https://purl.imsglobal.org/spec/lti-ags/scope/lineitem"


class MarkCounts(msgspec.Struct, frozen=True):
    """How many marks the platforms have, of how many, and why others wait or never go."""

    of: int
    sent: int
    waiting: int
    reasons: tuple[tuple[str, int], ...]


def may_change(room_id: str) -> bool:
    """Whether marks may be owed: somebody came from a course, and the debrief is open."""
    return LtiSeat.objects.filter(room=room_id, room__is_open=True).exists()


def owe(room: Room) -> int:
    """Note the marks that have changed, and return how many; none while the debrief is closed."""
    room.refresh_from_db(fields=["is_open", "course_mark"])
    if not room.is_open:
        return 0
    marks = _marks(room)
    count = 0
    for seat in _counted(room).select_related("member"):
        mark = marks.get(seat.member.number)
        if mark is not None and (shown := round(min(max(mark, 0), 1), 3)) != seat.mark:
            count += _note(seat, shown, timezone.now())
    return count


def _marks(room: Room) -> dict[int, float | None]:
    own = own_games(game for part in parts_of(room) for game in played_of(room, part))
    if room.course_mark == Room.CourseMark.PART:
        return part_taken(own)
    return {number: mean_share(played) for number, played in own.items()}


def is_owed_still(seat: LtiSeat) -> bool:
    """Whether a mark may go at this moment: the debrief is open, and the person counts."""
    return seat.room.is_open and people_in(seat.room).filter(pk=seat.member_id).exists()


def choose(room: Room, kind: str) -> bool:
    """Let another mark go to the courses; False: those who came were told that no share goes."""
    rows = Room.objects.filter(pk=room.pk)
    if kind == Room.CourseMark.SHARE:
        rows = rows.exclude(Exists(LtiSeat.objects.filter(room=room)), course_mark="part")
    return kind in Room.CourseMark and bool(rows.update(course_mark=kind, version=F("version") + 1))


def has_place(marks: dict[str, object]) -> bool:
    """Whether a platform has told where the marks of a link go, and lets us put them there."""
    scope = marks.get("scope")
    if not isinstance(scope, list) or SCORE not in scope:
        return False
    return isinstance(marks.get("lineitem"), str) or (
        isinstance(marks.get("lineitems"), str) and PLACES in scope
    )


def due() -> QuerySet[LtiSeat]:
    """Return the seats whose mark is to be sent now."""
    waiting = LtiSeat.objects.filter(try_at__lte=timezone.now(), platform__is_active=True)
    return waiting.order_by("try_at")


def sent_of(room: Room) -> MarkCounts | None:
    """Return how far the marks of a room are; None where nobody comes from a course."""
    seats = list(LtiSeat.objects.filter(room=room).values_list("mark", "sent", "try_at", "problem"))
    may_come = LtiPlatform.objects.filter(is_active=True)
    if not seats and (not may_come.exists() or is_study(room)):
        return None
    owed = [one for one in seats if one[0] is not None]
    reasons = Counter(problem for mark, sent, _, problem in owed if problem and mark != sent)
    return MarkCounts(
        of=len(owed),
        sent=sum(mark == sent for mark, sent, _, _ in owed),
        waiting=sum(mark != sent and at is not None for mark, sent, at, _ in owed),
        reasons=tuple((str(LtiSeat.Problem(word).label), count) for word, count in reasons.items()),
    )


def try_again(room: Room) -> None:
    """Send what did not arrive, now."""
    late = LtiSeat.objects.filter(room=room, mark__isnull=False)
    late = late.filter(Q(sent=None) | ~Q(sent=F("mark")))
    late.update(try_at=timezone.now(), tries=0)


def _counted(room: Room) -> QuerySet[LtiSeat]:
    return LtiSeat.objects.filter(room=room, member__in=people_in(room))


def _note(seat: LtiSeat, mark: float, now: datetime) -> int:
    goes = has_place(seat.marks)
    # Of two processes that see the same change, one notes it.
    return LtiSeat.objects.filter(pk=seat.pk, mark=seat.mark).update(
        mark=mark,
        mark_at=now,
        tries=0,
        try_at=now if goes and mark != seat.sent else None,
        problem="" if goes else LtiSeat.Problem.NO_PLACE,
    )
