"""Sends the marks that are owed, by the Assignment and Grade Services of a platform.

A mark that did not arrive is tried again, later each time. The moment at which a mark changed goes
with it and stays the same: a platform that gets it twice, after a crash of ours, knows it.
"""

import logging
import random
from collections.abc import Iterable
from datetime import timedelta
from typing import Any

from django.utils import timezone
from pylti1p3.assignments_grades import AssignmentsGradesService
from pylti1p3.grade import Grade
from pylti1p3.lineitem import LineItem
from pylti1p3.service_connector import ServiceConnector

from rooms.hosting import touch
from rooms.lti import marks
from rooms.lti.outside import Connector, Outside, asked
from rooms.lti_models import LtiPlatform, LtiSeat

log = logging.getLogger(__name__)

AT_ONCE = 200
LEASE = timedelta(minutes=15)
"""For as long one worker has what it took: longer than its task may last."""

FIRST_WAIT_S, LONGEST_WAIT_S = 30, 6 * 3600
MOST_TRIES = 24
"""Some four days; the desk can try again after that."""

FULL_MARK = 1


def send_due() -> int:
    """Send what is due, and return how many marks the platforms took."""
    taken = [seat for seat in list(marks.due().select_related("platform")[:AT_ONCE]) if _take(seat)]
    platforms = {seat.platform_id: seat.platform for seat in taken}
    count = 0
    for key, platform in platforms.items():
        count += _send_to(platform, [seat for seat in taken if seat.platform_id == key])
    for room in {seat.room_id for seat in taken}:
        touch(room)
    return count


def _take(seat: LtiSeat) -> bool:
    """Take a seat's mark, so that no other process sends it meanwhile."""
    until = timezone.now() + LEASE
    mine = LtiSeat.objects.filter(pk=seat.pk, try_at=seat.try_at).update(try_at=until)
    seat.try_at = until
    return bool(mine)


def _send_to(platform: LtiPlatform, seats: Iterable[LtiSeat]) -> int:
    count, problem = 0, ""
    with Outside(platform.origins()) as outside:
        connector = Connector(platform, outside)
        for seat in seats:
            if not _is_still_due(seat):
                continue
            # Who does not answer for one does not for the next either.
            if problem != LtiSeat.Problem.AWAY:
                problem = _send(connector, seat)
            count += _note(seat, problem)
    return count


def _is_still_due(seat: LtiSeat) -> bool:
    """Look once more, just before it goes; what is not owed any more is owed anew some day."""
    here = LtiSeat.objects.select_related("room").filter(pk=seat.pk, try_at=seat.try_at).first()
    if here is None or here.mark is None:
        return False
    if not marks.is_owed_still(here):
        LtiSeat.objects.filter(pk=here.pk).update(mark=here.sent, try_at=None, problem="")
        return False
    seat.mark, seat.mark_at, seat.marks = here.mark, here.mark_at, here.marks
    seat.room = here.room
    return True


def _send(connector: ServiceConnector, seat: LtiSeat) -> str:
    """Send one mark; "" or the word for what went wrong."""
    assert seat.mark is not None
    assert seat.mark_at is not None
    grade = Grade().set_score_given(seat.mark).set_score_maximum(FULL_MARK).set_user_id(seat.sub)
    grade.set_activity_progress("Completed").set_grading_progress("FullyGraded")
    grade.set_timestamp(seat.mark_at.isoformat(timespec="milliseconds"))
    service = AssignmentsGradesService(connector, _scoped(seat))
    has_place = bool(seat.marks.get("lineitem"))
    return asked(lambda: service.put_grade(grade, None if has_place else _new_place(seat)))[1]


def _scoped(seat: LtiSeat) -> Any:
    """Ask for no more than is needed: to put a mark, and to make the place where there is none."""
    wanted = [marks.SCORE] if seat.marks.get("lineitem") else [marks.SCORE, marks.PLACES]
    return {**seat.marks, "scope": wanted}


def _new_place(seat: LtiSeat) -> LineItem:
    place = LineItem().set_tag(f"bazaar-{seat.room_id}").set_label(seat.room.name)
    place.set_score_maximum(100)
    return place.set_resource_link_id(seat.link) if seat.link else place


def _note(seat: LtiSeat, problem: str) -> bool:
    own = LtiSeat.objects.filter(pk=seat.pk, mark=seat.mark)
    if not problem:
        own.update(sent=seat.mark, try_at=None, problem="", tries=0)
        return True
    tries = seat.tries + 1
    wait = min(FIRST_WAIT_S * 2**tries, LONGEST_WAIT_S) * random.uniform(0.8, 1.2)
    at = timezone.now() + timedelta(seconds=wait) if tries < MOST_TRIES else None
    own.update(tries=tries, try_at=at, problem=problem)
    log.warning("a mark did not arrive", extra={"why": problem, "platform": seat.platform_id})
    return False
