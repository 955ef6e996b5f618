"""What a host gives each person beside the figures: a comment, and marks of the host's own names.

It stands in the gradebook, and on the person's own page once the host shows it: each sees the own.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec
from django.db.models import F
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse

from negotiation.cases.seats import ROLE_OF
from negotiation.cases.table import in_language
from negotiation.models import Game
from negotiation.sentences import sentences
from negotiation.words import clean, clean_text
from rooms.debrief.cases import Settled, parts_of, played_of
from rooms.debrief.counted import games_in, people_in
from rooms.debrief.games import SIDES, Own, Played, own_games
from rooms.debrief.puzzles import Solved, solved_by
from rooms.debrief.survey import FORMS, given_in, questions_of, written_meanwhile
from rooms.desk import hash_of
from rooms.hosting import held, own_room, touch
from rooms.models import Member, Room
from rooms.pages import form_page, safe_text
from rooms.study_hooks import is_study

say = sentences(__file__)

NAMES = 4
MOST = 5
LONGEST_NAME = 30
LONGEST_COMMENT = 1000


class Beside(msgspec.Struct, frozen=True):
    """Columns of a gradebook that come of no game: their heads, and the cells by number."""

    heads: tuple[str, ...] = ()
    cells: Mapping[int, Sequence[str]] = msgspec.field(default_factory=dict)


NOTHING = Beside()


class Mark(msgspec.Struct, frozen=True):
    """A mark of a person: ``value`` 0 to 5, None where the host gave none."""

    place: int
    name: str
    value: int | None


def marks_of(member: Member) -> list[Mark]:
    """Return a person's marks under the names that the room has now."""
    given = dict(enumerate(member.marks))
    names = enumerate(member.room.rubric)
    return [Mark(place, name, given.get(place)) for place, name in names if name]


def shown_to(member: Member) -> dict[str, Any]:
    """Return what a person is shown of the own comment and marks: nothing before the host does."""
    if not member.room.is_graded:
        return {}
    marks = [mark for mark in marks_of(member) if mark.value is not None]
    return {"marks": marks, "comment": member.comment} if marks or member.comment else {}


def beside_of(room: Room) -> Beside:
    """Return the columns of marks, comments and a survey; none where there are none."""
    people = list(people_in(room).select_related("room"))
    asked = [(form, one) for form in FORMS for one in questions_of(room, form)]
    is_commented = any(room.rubric) or any(member.comment for member in people)
    solved = solved_by(room, people)
    if not is_commented and not asked and not solved and room.due_at is None:
        return NOTHING
    names = [safe_text(name) for name in room.rubric if name]
    given = {form: given_in(room, form) for form in FORMS}
    handed_in = _handed_in(room, people)
    cells = {
        member.number: [
            *("" if mark.value is None else str(mark.value) for mark in marks_of(member)),
            safe_text(member.comment),
            *(safe_text(given[form].get((member.pk, one.name), "")) for form, one in asked),
            *handed_in.get(member.number, ()),
            *(str(part) for part in _parts(solved.get(member.pk))),
        ]
        for member in people
    }
    heads = (*names, say("comment"), *(safe_text(one.ask) for _, one in asked))
    more = [*(HANDED_IN if handed_in else ()), *(SOLVED if solved else ())]
    return Beside((*heads, *map(say, more)), cells)


SOLVED = ("puzzles_answered", "puzzles_solved", "puzzles_percent")


def _parts(one: Solved | None) -> tuple[int, ...]:
    return () if one is None else (one.answered, one.right, one.percent)


HANDED_IN = ("dealt", "played", "let_wait", "waited")


def _handed_in(room: Room, people: Iterable[Member]) -> dict[int, Sequence[str]]:
    """Return of homework what each person has done of it; nothing of a lesson."""
    if room.due_at is None:
        return {}
    ended = games_in(room).filter(game__status=Game.Status.ENDED)
    done: Counter[tuple[str | None, str]] = Counter()
    for closed, *sides in ended.values_list("closed", "seller", "buyer"):
        for side, member in zip(SIDES, sides, strict=True):
            late = closed.startswith("deadline-")
            how = "played" if not late else "let_wait" if closed.endswith(side) else "waited"
            done[member, how] += 1
    return {
        one.number: [str(one.dealt), *(str(done[one.pk, how]) for how in HANDED_IN[1:])]
        for one in people
    }


@form_page
def feedback(request: HttpRequest, code: str) -> HttpResponse:
    """Show the host's marks; a post writes those of one person, or the names and who sees them."""
    with held(request, own_room(request, code)) as room:
        return _feedback(request, room)


def _feedback(request: HttpRequest, room: Room) -> HttpResponse:
    is_post = request.method == "POST" and not is_study(room)
    if is_post and "member" in request.POST:
        return _written(request, room)
    names, problem, seen = room.rubric, "", hash_of(f"{room.rubric}{room.is_graded}")
    if is_post:
        names = [clean_text(name, LONGEST_NAME) for name in request.POST.getlist("name")[:NAMES]]
        is_same = (names, "shown" in request.POST) == (room.rubric, room.is_graded)
        problem = "" if is_same else written_meanwhile(request, seen, room.rubric)
    if is_post and not problem:
        Room.objects.filter(pk=room.pk).update(rubric=names, is_graded="shown" in request.POST)
        touch(room)
        return redirect("room-feedback", room.code)
    people = Member.objects.none() if is_study(room) else people_in(room).select_related("room")
    names = [*names, *[""] * NAMES][:NAMES]
    played = _played_in(room)
    context = {
        "room": room,
        "names": names,
        "lines": [_line(member, played) for member in people],
        "is_study": is_study(room),
        "seen": seen,
        "problem": problem,
    }
    status = 409 if problem else 200
    return render(request, "rooms/debrief/feedback.html", context, status=status)


def _written(request: HttpRequest, room: Room) -> HttpResponse:
    """Write what a host gives one person, unless somebody else did meanwhile."""
    number, seen = (_count(request.POST.get(name, "")) for name in ("member", "seen"))
    member = get_object_or_404(people_in(room).select_related("room"), number=number)
    comment = clean(request.POST.get("comment", "")).replace("\r", "\n")
    # A mark whose name was blank stood on no page: it is kept for when the name is back.
    given = dict(enumerate(member.marks))
    sent = {place: request.POST.get(f"mark-{place}") for place in range(NAMES)}
    marks = [given.get(at) if one is None else _mark(one) for at, one in sent.items()]
    problem = ""
    if len(comment) > LONGEST_COMMENT:
        problem = say("too_long", most=LONGEST_COMMENT, here=len(comment))
    else:
        asked = Member.objects.filter(pk=member.pk, graded=seen)
        if not asked.update(comment=comment, marks=marks, graded=F("graded") + 1):
            problem = say("somebody_else_wrote", comment=member.comment or "–")
    if not problem:
        touch(room)
        member.refresh_from_db(fields=["comment", "marks", "graded"])
    line = _line(member, _played_in(room))
    if problem:
        member.marks = marks
        line |= {"marks": marks_of(member), "comment": comment, "problem": problem}
    elif not getattr(request, "htmx", False):
        return redirect(f"{reverse('room-feedback', args=[room.code])}#p-{member.number}")
    context = {"room": room, "line": line | {"is_kept": not problem}}
    status = 200 if not problem or getattr(request, "htmx", False) else 409
    return render(request, "rooms/debrief/_feedback_line.html", context, status=status)


def _count(sent: str) -> int:
    return int(sent) if sent.isdecimal() and len(sent) < 8 else -1


def _mark(sent: str) -> int | None:
    return int(sent) if sent in {str(mark) for mark in range(MOST + 1)} else None


def _played_in(room: Room) -> dict[int, list[Own[Played[Any]]]]:
    return own_games(game for part in parts_of(room) for game in played_of(room, part))


def _line(member: Member, played: Mapping[int, Sequence[Own[Played[Any]]]]) -> dict[str, Any]:
    return {
        "member": member,
        "marks": marks_of(member),
        "comment": member.comment,
        "values": range(MOST + 1),
        "games": [
            {
                "game": game,
                "side": side,
                "role": in_language(game.case.side(ROLE_OF[side]).name),
                "points": game.gained(side),
                "earned": game.earned(side),
            }
            if isinstance(game, Settled)
            else {"game": game, "side": side, "earned": game.earned(side)}
            for game, side in played.get(member.number, ())
        ],
    }
