"""A class's survey: up to three short questions after the last game, read by the host alone."""

from collections.abc import Sequence
from statistics import fmean
from typing import Any

import msgspec
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from negotiation.games.visitors import visitor
from negotiation.words import clean_text
from rooms.desk import hash_of
from rooms.hosting import own_room, own_room_or_none, plan_of, touch
from rooms.lobby import live_game
from rooms.models import Answer, Member, Room
from rooms.study import answers
from rooms.study.design import Likert, Short
from rooms.study.shown import shown
from rooms.study_hooks import is_study

FORM = "class"
MOST = 3
LONGEST = 200
KINDS = ("scale", "text")


class Result(msgspec.Struct, frozen=True):
    """What came of a question: how many answered, the mean of a scale; None for texts."""

    ask: str
    count: int
    mean: float | None


def questions_of(room: Room) -> tuple[Likert | Short, ...]:
    """Return what a class is asked; nothing in a study, which has surveys of its own."""
    if not room.survey or is_study(room):
        return ()
    return tuple(
        Likert(name=f"q{number}", ask=ask, required=False)
        if kind == "scale"
        else Short(name=f"q{number}", ask=ask, required=False)
        for number, (ask, kind) in enumerate(room.survey, start=1)
    )


def awaits(member: Member) -> bool:
    """Whether a person has played the last game, and has not answered yet."""
    room = member.room
    if not room.survey or is_study(room) or member.is_removed or not member.dealt:
        return False
    is_through = member.dealt >= plan_of(room).games or room.state == Room.State.OVER
    if not is_through or live_game(member) is not None:
        return False
    return not member.answers.filter(form=FORM).exists()


def results_of(room: Room) -> list[Result]:
    """Return what a class answered, without anybody's name."""
    given: dict[str, list[Any]] = {}
    if not (asked := questions_of(room)):
        return []
    for one in Answer.objects.filter(member__room=room, form=FORM):
        if one.value != answers.NOTHING:
            given.setdefault(one.question, []).append(one.value)
    return [_result(one, given.get(one.name, ())) for one in asked]


def _result(one: Likert | Short, given: Sequence[Any]) -> Result:
    is_scale = isinstance(one, Likert) and bool(given)
    return Result(one.ask, len(given), fmean(given) if is_scale else None)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def survey(request: HttpRequest, code: str) -> HttpResponse:
    """Show a host the questions to write, a member who is through those to answer."""
    if (own := own_room_or_none(request, code)) is not None:
        return _for_host(request, own)
    member = Member.objects.select_related("room", "room__study").filter(
        room__code=code.upper(), session=visitor(request), withdrawn_at=None, is_removed=False
    )
    one = member.first() if visitor(request) else None
    if one is None:
        own_room(request, code)  # raises: to everybody else it looks like none
        raise Http404
    return _for_member(request, one) if awaits(one) else redirect("room", one.room.code)


def _for_host(request: HttpRequest, room: Room) -> HttpResponse:
    is_answered = Answer.objects.filter(member__room=room, form=FORM).exists()
    if request.method == "POST" and not is_answered and not is_study(room):
        asks = [clean_text(ask, LONGEST) for ask in request.POST.getlist("ask")[:MOST]]
        kinds = [kind if kind in KINDS else KINDS[0] for kind in request.POST.getlist("kind")]
        told = [pair for pair in zip(asks, kinds, strict=False) if pair[0]]
        Room.objects.filter(pk=room.pk).update(survey=told)
        touch(room)
        return redirect("room-desk", room.code)
    context = {
        "room": room,
        "lines": [*room.survey, *[("", "scale")] * MOST][:MOST],
        "is_answered": is_answered,
        "is_study": is_study(room),
    }
    is_late = request.method == "POST" and is_answered
    return render(request, "rooms/debrief/survey.html", context, status=409 if is_late else 200)


def _for_member(request: HttpRequest, member: Member) -> HttpResponse:
    room, questions = member.room, questions_of(member.room)
    # Questions that changed while somebody answered are asked again.
    seen = hash_of(str(room.survey))
    posted = request.POST if request.method == "POST" and request.POST.get("seen") == seen else None
    problems: dict[str, str] = {}
    if posted is not None:
        values, problems = answers.read_all(questions, posted)
        if not problems:
            answers.keep(member, FORM, values)
            touch(room)
            return redirect("room", room.code)
    context = {
        "room": room,
        "questions": shown(questions, posted, problems, member.pk),
        "problems": problems,
        "seen": seen,
    }
    status = 422 if problems else 200
    return render(request, "rooms/debrief/questions.html", context, status=status)
