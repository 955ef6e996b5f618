"""A host's own questions to a class, which the host alone reads with names.

A survey comes after the last game; a preparation sheet before the first move, and stands in the
debrief beside what happened.
"""

import functools
import itertools
from collections.abc import Callable, Iterable, Sequence
from statistics import fmean
from typing import Any

import msgspec
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from bazaarbatna.bargain.quantities import Side
from negotiation.games.visitors import visitor
from negotiation.sentences import sentences
from negotiation.words import clean_text
from rooms import tables
from rooms.debrief.counted import people_in
from rooms.debrief.games import SIDES
from rooms.desk import hash_of
from rooms.hosting import held, own_room, own_room_or_none, plan_of, touch
from rooms.lobby import SHEET, live_game, prepares, way_to
from rooms.models import Answer, Member, Room, RoomGame
from rooms.pages import form_page
from rooms.study import answers
from rooms.study.design import Likert, Long, Number, Short
from rooms.study.shown import shown
from rooms.study_hooks import is_study

say = sentences(__file__)

Asked = Likert | Short | Long | Number
LONGEST = 200
LONGEST_MIN = 60


class Form(msgspec.Struct, frozen=True):
    """Questions that a room asks: answers are stored under ``name``, they stand in ``field``."""

    name: str
    field: str
    most: int
    is_sheet: bool = False

    @property
    def usual(self) -> str:
        """How a question is answered unless the host says otherwise: a target is a number."""
        return "number" if self.is_sheet else "scale"

    def asked_in(self, room: Room) -> list[tuple[str, str]]:
        """Return the questions, each with its kind; none in a study, which has its own."""
        return [] if is_study(room) else getattr(room, self.field)


CLASS = Form("class", "survey", 3)
PREPARES = Form(SHEET, "sheet", 6, is_sheet=True)
FORMS = (PREPARES, CLASS)
KINDS: dict[str, Callable[..., Asked]] = {
    "scale": Likert,
    "text": Short,
    "long": Long,
    "number": functools.partial(Number, whole=False),
}


class Result(msgspec.Struct, frozen=True):
    """What came of a question: how many answered, the mean of a scale; None for texts."""

    ask: str
    count: int
    mean: float | None


def questions_of(room: Room, form: Form) -> tuple[Asked, ...]:
    """Return what a class is asked: a sheet is filled in whole, a survey as far as one likes."""
    return tuple(
        KINDS[kind](name=f"q{number}", ask=ask, required=form.is_sheet)
        for number, (ask, kind) in enumerate(form.asked_in(room), start=1)
    )


def given_in(room: Room, form: Form) -> dict[tuple[str, str], str]:
    """Return what people of a room answered, by member and question."""
    rows = Answer.objects.filter(member__room=room, form=form.name)
    return {(one.member_id, one.question): str(one.value) for one in rows}


def awaits(member: Member) -> bool:
    """Whether a person has played the last game, and has not answered yet."""
    room = member.room
    if not room.survey or is_study(room) or member.is_removed or not member.dealt:
        return False
    is_through = member.dealt >= plan_of(room).games or room.state == Room.State.OVER
    if not is_through or live_game(member) is not None:
        return False
    return not member.answers.filter(form=CLASS.name).exists()


def results_of(room: Room) -> list[Result]:
    """Return what a class answered, without anybody's name."""
    given: dict[str, list[Any]] = {}
    if not (asked := questions_of(room, CLASS)):
        return []
    for one in Answer.objects.filter(member__room=room, form=CLASS.name):
        if one.value != answers.NOTHING:
            given.setdefault(one.question, []).append(one.value)
    return [_result(one, given.get(one.name, ())) for one in asked]


def _result(one: Asked, given: Sequence[Any]) -> Result:
    is_scale = isinstance(one, Likert) and bool(given)
    return Result(one.ask, len(given), fmean(given) if is_scale else None)


class Prepared(msgspec.Struct, frozen=True):
    """What a person wrote down before the first game; ``who`` as the debrief names somebody."""

    line: Any
    side: Side
    who: str
    answers: tuple[str, ...]


def prepared_in(room: Room, lines: Iterable[Any], reader: Member | None) -> list[Prepared]:
    """Return the sheets beside first games, the lines of a debrief; of a member only the own."""
    asked = questions_of(room, PREPARES)
    given = given_in(room, PREPARES) if asked else {}
    keys = dict(people_in(room).values_list("number", "pk")) if given else {}
    found = []
    for line, side in itertools.product((one for one in lines if one.game.round == 1), SIDES):
        key = keys.get(line.game.chair(side).member, "")
        if (key, "q1") in given and (reader is None or reader.pk == key):
            told = tuple(given.get((key, one.name), "") for one in asked)
            found.append(Prepared(line, side, getattr(line, side), told))
    return found


@form_page
def survey(request: HttpRequest, code: str, form: Form = CLASS) -> HttpResponse:
    """Show a host the questions to write, a member whose time it is those to answer."""
    if (own := own_room_or_none(request, code)) is not None:
        with held(request, own) as room:
            return _for_host(request, room, form)
    member = Member.objects.select_related("room", "room__study").filter(
        room__code=code.upper(), session=visitor(request), withdrawn_at=None, is_removed=False
    )
    one = member.first() if visitor(request) else None
    if one is None:
        own_room(request, code)  # raises: to everybody else it looks like none
        raise Http404
    row = live_game(one) if form.is_sheet and prepares(one) else None
    if row is None and (form.is_sheet or not awaits(one)):
        return redirect("room", one.room.code)
    with held(request, one.room) as one.room:
        return _for_member(request, one, form, row)


def _for_host(request: HttpRequest, room: Room, form: Form) -> HttpResponse:
    is_answered = Answer.objects.filter(member__room=room, form=form.name).exists()
    is_answered = is_answered or (form.is_sheet and room.games.exists())
    stands, problem = form.asked_in(room), ""
    lines, seen = stands, hash_of(f"{stands}{room.sheet_min}")
    is_post = request.method == "POST" and not is_answered and not is_study(room)
    if is_post:
        asks = [clean_text(ask, LONGEST) for ask in request.POST.getlist("ask")[: form.most]]
        kinds = [kind if kind in KINDS else "scale" for kind in request.POST.getlist("kind")]
        lines = [pair for pair in zip(asks, kinds, strict=False) if pair[0]]
        is_same = [*map(list, lines)] == [*map(list, stands)]
        problem = "" if is_same else written_meanwhile(request, seen, [ask for ask, _ in stands])
    if is_post and not problem:
        told: dict[str, Any] = {form.field: lines}
        minutes = request.POST.get("minutes", "")
        if minutes.isdecimal() and len(minutes) < 4:
            told["sheet_min"] = min(int(minutes), LONGEST_MIN)
        Room.objects.filter(pk=room.pk).update(**told)
        touch(room)
        return redirect("room-desk", room.code)
    context = {
        "room": room,
        "form": form,
        "asked": stands,
        "given": _by_name(room, form),
        "lines": [*lines, *[("", form.usual)] * form.most][: form.most],
        "seen": seen,
        "problem": problem,
        "is_answered": is_answered,
        "is_study": is_study(room),
    }
    is_late = request.method == "POST" and is_answered
    late = 422 if form.is_sheet and not problem else 409
    status = late if is_late or problem else 200
    return render(request, "rooms/debrief/survey.html", context, status=status)


def written_meanwhile(request: HttpRequest, seen: str, theirs: Sequence[str]) -> str:
    """Say what another host wrote since a form was shown, whose mark it sends; "": nothing.

    Whoever presses twice sends what stands already: that is asked before.
    """
    told = " · ".join(filter(None, theirs)) or "–"
    is_stale = request.POST.get("seen", seen) != seen
    return say("somebody_else_wrote", comment=told) if is_stale else ""


def _by_name(room: Room, form: Form) -> list[tuple[str, list[str]]]:
    """Return who has answered, in order, with the answers."""
    given, asked = given_in(room, form), questions_of(room, form)
    people = people_in(room) if given else ()
    told = ((one, [given.get((one.pk, ask.name), "") for ask in asked]) for one in people)
    return [(one.nickname, answers) for one, answers in told if any(answers)]


def _for_member(
    request: HttpRequest, member: Member, form: Form, row: RoomGame | None
) -> HttpResponse:
    room, questions = member.room, questions_of(member.room, form)
    # Questions that changed while somebody answered are asked again.
    seen = hash_of(str(form.asked_in(room)))
    posted = request.POST if request.method == "POST" and request.POST.get("seen") == seen else None
    problems: dict[str, str] = {}
    if posted is not None:
        values, problems = answers.read_all(questions, posted)
        if not problems:
            answers.keep(member, form.name, values)
            touch(room)
            return redirect(way_to(member, row) if row is not None else room)
    context = {
        "room": room,
        "questions": shown(questions, posted, problems, member.pk),
        "problems": problems,
        "seen": seen,
        "form": form,
        "row": row,
        "cards": tables.cards_of(row.game, member.session) if row is not None else {},
    }
    status = 422 if problems else 200
    return render(request, "rooms/debrief/questions.html", context, status=status)
