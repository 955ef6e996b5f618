"""The pages of people who come from a course, and what its platform asks.

What the library needs is loaded when somebody comes: most sites have no platform.
"""

from typing import Any, Literal

import msgspec
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import AnonymousUser, User
from django.contrib.auth.views import redirect_to_login
from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from negotiation.errors import Busy, RateLimited
from negotiation.games.visitors import visitor
from negotiation.limits import check, spend
from rooms import joining, seats
from rooms.doors import read_code, sit_down
from rooms.errors import AlreadyIn, NicknameTaken, RoomError
from rooms.hosting import rooms_of
from rooms.lti import browser
from rooms.lti.browser import Refused
from rooms.lti.roster import note_course
from rooms.lti_models import LtiLaunch, LtiPlatform, LtiSeat, origin_of
from rooms.models import Member, Room
from rooms.pages import form_page, shown_page
from rooms.study_hooks import is_study

Kind = Literal["desk", "teacher", "study", "in", "move", "out", "mine", "taken", "join"]


class Way(msgspec.Struct, frozen=True):
    """Where somebody who comes from a course goes.

    ``desk``: the host, to the own desk; ``teacher``: somebody who teaches, and is not the host
    here. ``in``: has a seat in this browser; ``move``: has one in another; ``out``: had one.
    ``mine``: this browser has a seat of nobody from a course; ``taken``: one of somebody else.
    """

    kind: Kind
    room: Room
    member: Member | None = None


def bring(launch: LtiLaunch) -> None:
    """Find the room of a link, and note where marks go now; without a room nothing is kept."""
    try:
        launch.room = _find_room(launch)
    except Refused:
        launch.delete()
        raise
    launch.save(update_fields=["room"])
    note_course(launch)
    if launch.told["marks"]:
        seats = LtiSeat.objects.filter(room=launch.room, platform=launch.platform)
        seats.filter(sub=launch.told["sub"]).update(
            marks=launch.told["marks"], link=launch.told["link"]
        )


def _find_room(launch: LtiLaunch) -> Room:
    """Return the room that a link of a course names; wrong codes count for whoever follows it."""
    told, client = launch.told, f"lti:{launch.platform_id}:{launch.told['sub']}"
    try:
        check("codes", client)
    except RateLimited:
        raise Refused("no-room") from None
    room = Room.objects.filter(code=read_code(told["room"])).first() if told["room"] else None
    if room is None:
        spend("codes", client)
        raise Refused("no-room")
    return room


def way_of(launch: LtiLaunch, user: User | AnonymousUser, session: str) -> Way:
    """Return where somebody goes."""
    room = launch.room
    if room is None:
        raise Refused("no-room")
    if launch.told["is_teacher"]:
        return Way("desk" if rooms_of(user).filter(pk=room.pk).exists() else "teacher", room)
    seat = _seat_of(launch)
    if seat is not None:
        return _way_back(seat.member, session)
    here = joining.member_of(room, session)
    if here is not None and LtiSeat.objects.filter(member=here).exists():
        return Way("taken", room, here)
    if is_study(room):
        return Way("study", room)
    return Way("mine", room, here) if here is not None else Way("join", room)


def sit(launch: LtiLaunch, way: Way, session: str, nickname: str) -> Member:
    """Give somebody the seat, or the old one; ``RoomError`` as ``joining`` raises them."""
    if way.kind == "move" and way.member is not None:
        return seats.move(way.member, session, seats.Kind.BY_COURSE)
    try:
        with transaction.atomic():
            member = joining.join(way.room, nickname, session)
            LtiSeat.objects.create(
                platform=launch.platform,
                room=way.room,
                member=member,
                sub=launch.told["sub"],
                link=launch.told["link"],
                marks=launch.told["marks"],
            )
    except IntegrityError:  # the same person at the same moment, here or on another device
        raise AlreadyIn from None
    return member


def _seat_of(launch: LtiLaunch) -> LtiSeat | None:
    seats = LtiSeat.objects.select_related("member__room__study")
    return seats.filter(platform=launch.platform, room=launch.room, sub=launch.told["sub"]).first()


def _way_back(member: Member, session: str) -> Way:
    if member.is_removed or member.withdrawn_at is not None:
        return Way("out", member.room, member)
    return Way("in" if member.session == session else "move", member.room, member)


@shown_page
@login_required
def about(request: HttpRequest) -> HttpResponse:
    """Show a host what the form of a platform asks for, and which platforms are connected."""
    addresses = {
        name.removeprefix("lti-").replace("-", "_"): request.build_absolute_uri(reverse(name))
        for name in ("lti-login", "lti-launch", "lti-keys", "lti-choose-any")
    }
    platforms = LtiPlatform.objects.filter(is_active=True)
    return render(request, "rooms/lti/about.html", {"platforms": platforms, **addresses})


@require_safe
def keys(request: HttpRequest) -> HttpResponse:
    """Tell everybody the public keys."""
    from rooms.lti.outside import key_set

    return JsonResponse(key_set())


@never_cache
@csrf_exempt  # a platform's form begins it; nothing is stored
@require_http_methods(["GET", "POST"])
def login(request: HttpRequest) -> HttpResponse:
    """Begin a login as a platform asks for it: its own login comes next."""
    from rooms.lti.launching import begin, kept_of

    try:
        asked = browser.asked_in(request)
        platform = browser.platform_of(asked)
        if browser.needs_a_window(request, asked):
            context = {"address": browser.in_a_window(asked), "platform": platform}
            answer = render(request, "rooms/lti/window.html", context)
            return browser.framed(answer, platform.origins())
        answer = begin(request, platform, _launch_url(request))
    except Refused as wrong:
        return browser.refuse(request, wrong)

    if (target := browser.storage_target(asked)) and browser.is_a_choice(asked):
        (cookie,) = answer.cookies.values()
        kept = {"key": cookie.value, "value": kept_of(cookie.value), "next": answer["Location"]}
        page = _by_storage(request, platform, {**kept, "target": target})
        page.cookies = answer.cookies
        return page
    return answer


def _by_storage(request: HttpRequest, platform: LtiPlatform, context: Any) -> HttpResponse:
    """Let a page speak with the platform around it, which keeps for us what cookies cannot."""
    origin = origin_of(platform.login_url)
    context = {**context, "platform": platform, "origin": origin}
    page = render(request, "rooms/lti/storage.html", context)
    request.META["CSRF_COOKIE_NEEDS_UPDATE"] = False  # as where it is refused
    return browser.framed(page, platform.origins())


@never_cache
@csrf_exempt  # its state, its nonce and its signature stand in for the token
@require_POST
def launch(request: HttpRequest) -> HttpResponse:
    """Read a platform's message; the browser goes on with its own cookies from there."""
    from rooms.lti.launching import receive

    try:
        came = receive(request)
        if came.told["choice"] is None:
            bring(came)
    except Refused as wrong:
        target = browser.storage_target(request.POST)
        if wrong.word == "cookie" and target and "stored" not in request.POST:
            return _ask_storage(request, target)
        return browser.refuse(request, wrong)
    page = "lti-come" if came.told["choice"] is None else "lti-choose"
    answer = HttpResponse(status=303, headers={"Location": reverse(page, args=[came.pk])})
    return browser.keep(request, answer, came)


def _ask_storage(request: HttpRequest, target: str) -> HttpResponse:
    from rooms.lti.launching import named_by

    try:
        platform = named_by(request)
    except Refused as wrong:
        return browser.refuse(request, wrong)
    said = {"key": request.POST.get("state", ""), "id_token": request.POST["id_token"]}
    return _by_storage(request, platform, {**said, "target": target})


@form_page
def come(request: HttpRequest, key: str) -> HttpResponse:
    """Show somebody the way into the room of a course; a post takes the seat."""
    try:
        came = _launch_of(key)
        if not browser.came_here(request, came):
            raise Refused("cookie")
        way = way_of(came, request.user, visitor(request))
    except Refused as wrong:
        return browser.refuse(request, wrong)
    if way.kind == "desk":
        return redirect("room-desk", way.room.code)
    if way.kind == "in":
        return redirect(way.room)
    if request.method == "POST" and way.kind in ("move", "mine", "join"):
        return _sit(request, came, way)
    return _shown(request, came, way)


@shown_page
def choose_any(request: HttpRequest) -> HttpResponse:
    """Lead whoever looks at the address of choosing to what it is for."""
    return redirect("lti")


@form_page
def choose(request: HttpRequest, key: str) -> HttpResponse:
    """Show a teacher the own rooms; the one that is posted goes into the course.

    The page stands in the platform's frame, where nobody is logged in here: there it asks to be
    opened in a window, in which the room is chosen, and waits for that.
    """
    from rooms.lti.launching import answer_of, return_address

    try:
        came = _launch_of(key)
        if came.told["choice"] is None or not came.told["is_teacher"]:
            raise Refused("unreadable")
        address = return_address(came)
    except Refused as wrong:
        return browser.refuse(request, wrong)
    own, in_window = rooms_of(request.user).filter(study=None), "window" in request.GET
    if in_window and not request.user.is_authenticated:
        return redirect_to_login(request.get_full_path())
    context: dict[str, Any] = {"launch": came, "platform": came.platform, "own": own[:50]}
    if request.method == "POST" and (room := own.filter(pk=request.POST.get("room")).first()):
        came.room = room
        came.save(update_fields=["room"])
    if came.room is not None:
        context |= {
            "address": address,
            "answer": answer_of(came, came.room, _launch_url(request)),
            "in_window": in_window,
        }
    answer = render(request, "rooms/lti/choose.html", context)
    answer = browser.may_post_to(answer, address)
    return browser.framed(answer, came.platform.origins())


def _launch_of(key: str) -> LtiLaunch:
    found = LtiLaunch.objects.select_related("platform", "room").filter(pk=key).first()
    if found is None or browser.is_over(found):
        raise Refused("late")
    return found


def _sit(request: HttpRequest, came: LtiLaunch, way: Way) -> HttpResponse:
    wanted = request.POST.get("nickname", "")
    try:
        member = sit(came, way, visitor(request), wanted)
    except (RoomError, Busy) as wrong:
        name = wrong.free if isinstance(wrong, NicknameTaken) else wanted[:40]
        return _shown(request, came, way, problem=wrong.detail, nickname=name, status=wrong.status)
    return sit_down(request, member)


def _shown(
    request: HttpRequest,
    came: LtiLaunch,
    way: Way,
    *,
    problem: str = "",
    nickname: str = "",
    status: int = 200,
) -> HttpResponse:
    context = {
        "way": way,
        "room": way.room,
        "platform": came.platform,
        "has_marks": bool(came.told["marks"]),
        "problem": problem,
        "nickname": nickname,
    }
    return render(request, "rooms/lti/come.html", context, status=status)


def _launch_url(request: HttpRequest) -> str:
    return request.build_absolute_uri(reverse("lti-launch"))
