"""Who of a course has not come to its room yet (Names and Role Provisioning Services).

The platform is asked when a host wants to know. What it says is shown, and kept nowhere.
"""

from typing import Annotated, Any

import msgspec
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from negotiation.ttl_cache import is_time
from negotiation.words import clean_text
from rooms.hosting import own_room
from rooms.lti_models import LtiCourse, LtiLaunch, LtiSeat, origin_of
from rooms.models import Room
from rooms.pages import form_page
from rooms.study_hooks import is_study

AGAIN_S = 10
"""A host who presses once more within these seconds is asked to wait."""

WITHIN_S = 20.0
"""Seconds for all pages of a list together: somebody waits for it."""

MOST_COURSES = 5
LONGEST_NAME = 80


class _Person(msgspec.Struct, frozen=True):
    """Somebody of a course, as a platform tells it."""

    user_id: Annotated[str, msgspec.Meta(min_length=1)]
    roles: list[str]
    status: str = "Active"
    name: str | None = None
    given_name: str | None = None
    family_name: str | None = None

    @property
    def learns(self) -> bool:
        """Whether this is a student who has not left the course."""
        is_here = self.status.casefold() == "active"
        return is_here and any(one.split("#")[-1] == "Learner" for one in self.roles)

    @property
    def shown(self) -> str:
        """The name, "" where the platform shares none."""
        parts = filter(None, (self.given_name, self.family_name))
        return clean_text(self.name or " ".join(parts), LONGEST_NAME)


class Roster(msgspec.Struct, frozen=True):
    """How many students of a course have come, who has not, and how many of these have no name."""

    platform: str
    problem: str = ""
    of: int = 0
    came: int = 0
    missing: tuple[str, ...] = ()
    nameless: int = 0


def note_course(launch: LtiLaunch) -> None:
    """Note where a platform tells who is in the course that somebody came from."""
    room, url = launch.room, launch.told["people"]
    if room is None or is_study(room) or origin_of(url) not in launch.platform.origins():
        return
    if room.lti_courses.count() < MOST_COURSES:
        LtiCourse.objects.get_or_create(platform=launch.platform, room=room, people_url=url)


def roster_of(course: LtiCourse) -> Roster:
    """Ask a platform who is in a course."""
    # What the library needs is loaded when somebody asks, as everywhere here.
    from pylti1p3.names_roles import NamesRolesProvisioningService

    from rooms.lti.outside import Connector, Outside, asked

    platform = course.platform
    with Outside(platform.origins(), within_s=WITHIN_S) as outside:
        names = NamesRolesProvisioningService(
            Connector(platform, outside), {"context_memberships_url": course.people_url}
        )
        people, problem = asked(lambda: msgspec.convert(names.get_members(), list[_Person]))
    if people is None:
        return Roster(platform.name, LtiSeat.Problem(problem or "unreadable").label)
    students = {one.user_id: one for one in people if one.learns}
    seats = LtiSeat.objects.filter(platform=platform, room=course.room)
    came = students.keys() & set(seats.values_list("sub", flat=True))
    away = [one.shown for sub, one in students.items() if sub not in came]
    missing = sorted(filter(None, away), key=str.casefold)
    return Roster(
        platform.name, "", len(students), len(came), tuple(missing), len(away) - len(missing)
    )


@form_page
@login_required
def course(request: HttpRequest, code: str) -> HttpResponse:
    """Offer a host to ask who of the course has not come yet; a post asks, and shows it."""
    room = own_room(request, code)
    context: dict[str, Any] = {"room": room, "has_courses": room.lti_courses.exists()}
    if request.method == "POST":
        if context["has_courses"] and not is_time(f"lti-roster:{room.pk}", AGAIN_S):
            return render(request, "rooms/lti/roster.html", {**context, "soon": True}, status=429)
        context["rosters"] = _rosters(room)
    return render(request, "rooms/lti/roster.html", context)


def _rosters(room: Room) -> list[Roster]:
    courses = room.lti_courses.filter(platform__is_active=True).select_related("platform", "room")
    return [roster_of(one) for one in courses]
