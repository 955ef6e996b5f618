"""The participant's pages. Each view asks where somebody is, makes one call, and draws."""

import contextlib
from collections.abc import Callable
from functools import wraps
from typing import Any

from django.conf import settings
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils import translation

from negotiation.errors import RateLimited
from negotiation.games.visitors import visitor
from negotiation.limits import check, request_key, spend
from rooms import hosting, joining, seats, tables
from rooms.doors import DOOR, find_room
from rooms.errors import UnknownCode
from rooms.lobby import live_game, side_in
from rooms.models import Answer, Member, Room, Study
from rooms.pages import form_page
from rooms.study import answers, beliefs, entering, flow, pages, promises
from rooms.study.design import Check, Design, asked, checks
from rooms.study.entering import Closed
from rooms.study.forgetting import withdraw as let_go
from rooms.study.shown import luck_of, shown

Page = Callable[..., HttpResponse]


def study_or_404(request: HttpRequest, code: str) -> tuple[Room, Study, Design]:
    """Return the room of a code with its study, or raise Http404, as for who tries many codes."""
    try:
        room = find_room(request, code)
    except (UnknownCode, RateLimited):
        raise Http404 from None
    study = flow.study_of(room)
    if study is None:
        raise Http404
    return room, study, flow.design_of(study)


def at_step(step: flow.Step) -> Callable[[Page], Page]:
    """Let in only who is at this step: everybody else is led to where he is.

    What is sent is stored in one transaction that holds the member: of two tabs, or two presses of
    a button, the second finds the step taken. A page that is only drawn holds up nobody.
    """

    def of(page: Page) -> Page:
        @wraps(page)
        @form_page
        def view(request: HttpRequest, code: str) -> HttpResponse:
            room, study, design = study_or_404(request, code)
            found = joining.member_of(room, visitor(request))
            if found is None:
                return redirect("study-enter", room.code)
            is_sent = request.method == "POST"
            with transaction.atomic() if is_sent else contextlib.nullcontext():
                member = _held(found) if is_sent else found
                now = flow.where(member, design, study)
                if now != step:
                    return redirect(flow.address(now, room))
                language = hosting.plan_for(member).language or translation.get_language()
                with translation.override(language):
                    answer = page(request, member, design, study)
                return _in_language(answer, member)

        return view

    return of


def _held(member: Member) -> Member:
    here = Member.objects.select_for_update(of=("self",)).select_related("room__study")
    return here.get(pk=member.pk)


def _in_language(answer: HttpResponse, member: Member) -> HttpResponse:
    """Let the games speak the language of the arm, too, where it has one."""
    language = hosting.plan_for(member).language
    if language in dict(settings.LANGUAGES):
        answer.set_cookie(settings.LANGUAGE_COOKIE_NAME, language, samesite="Lax")
    return answer


def go_on(member: Member, design: Design, study: Study) -> HttpResponse:
    """Lead to the next step."""
    member.refresh_from_db()
    step = redirect(flow.address(flow.where(member, design, study), member.room))
    return _in_language(step, member)


@form_page
def enter(request: HttpRequest, code: str) -> HttpResponse:
    """Come in by the study's link; nothing is stored before the consent."""
    room, study, design = study_or_404(request, code)
    here = joining.member_of(room, visitor(request))
    try:
        entry = entering.entry_of(study, design, request.POST or request.GET)
        known = entering.known(room, entry)
        is_mine = here is not None and (known == here or not entry.external_id)
        if here is not None and is_mine and here.consented_at:
            return go_on(here, design, study)
        if request.method == "POST" and entry.external_id:
            return _come_back(request, room, design, study, entry)
        if known is not None and known == seats.first_seat_of(room, visitor(request)):
            return _here(request, room, design, entry, began_here=True)
        # From here on the answer is the same, whether somebody takes part with this id or nobody.
        entering.check_open(study, design, entry)
    except Closed as closed:
        if closed.why in ("missing", "unfilled") and here is not None:
            return go_on(here, design, study)
        return _closed(request, room, design, closed.why)
    context = pages.consent_page(design, room, external_id=entry.external_id, door=_door(request))
    return render(request, "rooms/study/consent.html", context)


def _come_back(
    request: HttpRequest, room: Room, design: Design, study: Study, entry: entering.Entry
) -> HttpResponse:
    """Bring the seat of an id here; wrong ids count for the address they come from."""
    try:
        check("ids", request_key(request))
        member = entering.come_back(room, entry, visitor(request))
    except RateLimited as wrong:
        return _limited(request, room, design, wrong)
    return go_on(member, design, study) if member else _refused(request, room, design, entry)


def _refused(
    request: HttpRequest, room: Room, design: Design, entry: entering.Entry
) -> HttpResponse:
    """Tell alike who has no right to a seat, and who has an id that nobody has."""
    try:
        spend("ids", request_key(request))
    except RateLimited as wrong:
        return _limited(request, room, design, wrong)
    seats.note(room, seats.Kind.REFUSED, entering.known(room, entry))
    return _here(request, room, design, entry, status=409)


def _limited(request: HttpRequest, room: Room, design: Design, wrong: RateLimited) -> HttpResponse:
    seats.note(room, seats.Kind.LIMITED)
    answer = _closed(request, room, design, "limited", status=429, words=wrong.detail)
    answer["Retry-After"] = str(wrong.retry_after_s)
    return answer


def _here(
    request: HttpRequest, room: Room, design: Design, entry: entering.Entry, **more: Any
) -> HttpResponse:
    status = more.pop("status", 200)
    context = {"room": room, "design": design, "external_id": entry.external_id, **more}
    context["is_bare"] = True
    context["door"] = _door(request)
    return render(request, "rooms/study/here.html", context, status=status)


@form_page
def consent(request: HttpRequest, code: str) -> HttpResponse:
    """Ask for the consent, and let in who gives it."""
    room, study, design = study_or_404(request, code)
    member = joining.member_of(room, visitor(request))
    if request.method != "POST":
        if member is None:
            return redirect("study-enter", room.code)
        if member.consented_at:
            return go_on(member, design, study)
        context = pages.consent_page(design, room, external_id=member.external_id)
        return render(request, "rooms/study/consent.html", context)
    if request.POST.get("do") == "decline":
        return _closed(request, room, design, "declined")
    boxes = {name: bool(request.POST.get(name)) for name in ("may_quote", "may_train")}
    if not request.POST.get("agree"):
        return _consent_again(request, room, design, problem=True, **boxes)
    try:
        entry = _entry(request, study, design, member)
        read, client = request.POST.get("read", ""), request_key(request)
        member = entering.consent(room, entry, visitor(request), read=read, client=client, **boxes)
    except RateLimited as wrong:
        return _limited(request, room, design, wrong)
    except Closed as closed:
        if closed.why == "changed":
            # Nobody agrees to what was not read: the texts as they are now.
            now = flow.design_of(Study.objects.get(room=room))
            return _consent_again(request, room, now, changed=True)
        if closed.why == "elsewhere":
            return _refused(request, room, design, entry)
        return _closed(request, room, design, closed.why)
    return go_on(member, design, study)


def _consent_again(request: HttpRequest, room: Room, design: Design, **more: bool) -> HttpResponse:
    external_id, door = request.POST.get(design.link.parameter, ""), _door(request)
    context = pages.consent_page(design, room, external_id=external_id, door=door, **more)
    return render(request, "rooms/study/consent.html", context, status=422)


def _entry(
    request: HttpRequest, study: Study, design: Design, member: Member | None
) -> entering.Entry:
    """Who consents: whom the form names, or who sits here already."""
    if member is not None and not request.POST.get(design.link.parameter):
        return entering.Entry(member.external_id, study.is_pilot or member.is_pilot)
    return entering.entry_of(study, design, request.POST)


@at_step("questions")
def questions(request: HttpRequest, member: Member, design: Design, study: Study) -> HttpResponse:
    """Show instructions, ask whether they were understood, explain what was not."""
    given = answers.given(member, "questions")
    open_checks = [
        one
        for one in checks(design, member.arm)
        if not (one.name in given and given[one.name].is_right)
    ]
    state = pages.tries(design, given, member.arm)
    if request.method != "POST":
        return _draw_questions(request, member, design, given)
    if state.told or not open_checks:
        answers.keep(member, "questions", {flow.READ: "yes"})
        return go_on(member, design, study)
    if request.POST.get("try") != str(state.used + 1):
        # A second press, or an old page: that try is counted already.
        return redirect(flow.address("questions", member.room))
    problems = _unanswered(open_checks, request)
    if problems:
        return _draw_questions(request, member, design, given, problems)
    _note_try(member, open_checks, request, state.used + 1)
    given = answers.given(member, "questions")
    after = pages.tries(design, given, member.arm)
    if all(given[one.name].is_right for one in open_checks):
        answers.keep(member, "questions", {flow.READ: "yes"})
    elif after.told and design.questions.then == "leave":
        flow.end(member, Member.End.SCREENED)
    return go_on(member, design, study)


def _unanswered(open_checks: list[Check], request: HttpRequest) -> dict[str, str]:
    found = {}
    for one in open_checks:
        text = request.POST.get(one.name, "").strip()
        if not text:
            found[one.name] = translation.gettext("Please answer this.")
        elif one.__struct_config__.tag == "number":
            try:
                answers.number_from(text)
            except answers.Refused as refused:
                found[one.name] = str(refused)
    return found


def _note_try(member: Member, open_checks: list[Check], request: HttpRequest, number: int) -> None:
    for one in open_checks:
        text = answers.clean_lines(request.POST.get(one.name, ""))[:200]
        Answer.objects.update_or_create(
            member=member,
            form="questions",
            question=one.name,
            defaults={"value": text, "tries": number, "is_right": answers.is_right(one, text)},
        )


def _draw_questions(
    request: HttpRequest,
    member: Member,
    design: Design,
    given: dict[str, Answer],
    problems: dict[str, str] | None = None,
) -> HttpResponse:
    posted = request.POST if problems else None
    context = pages.questions_page(
        design, member.room, member.arm, given, posted, problems, may_withdraw=True
    )
    return render(request, "rooms/study/questions.html", context, status=422 if problems else 200)


@at_step("before")
def before(request: HttpRequest, member: Member, design: Design, study: Study) -> HttpResponse:
    """Ask what is asked before the games."""
    return _survey(request, member, design, study, "before")


@at_step("between")
def between(request: HttpRequest, member: Member, design: Design, study: Study) -> HttpResponse:
    """Ask what is asked between two games, then tell what is new in the next one."""
    due = flow.due_between(member, design)
    if due is None:  # answered in another tab in between
        return redirect(flow.address(flow.where(member, design, study), member.room))
    if request.method == "POST" and request.POST.get("form") != due.form_and_part:
        # A second press, or an old page: that part is behind this member.
        return redirect(flow.address("between", member.room))
    if request.method == "POST" and due.words:
        answers.keep(member, due.form, {flow.READ: "yes"})
        return go_on(member, design, study)
    return _survey(request, member, design, study, "between", due)


@at_step("after")
def after(request: HttpRequest, member: Member, design: Design, study: Study) -> HttpResponse:
    """Ask what is asked after the games."""
    return _survey(request, member, design, study, "after")


@form_page
def belief(request: HttpRequest, code: str) -> HttpResponse:
    """Ask a table's person what is asked in this round; an empty answer: nothing is, ever."""
    room, _study, design = study_or_404(request, code)
    member = joining.member_of(room, visitor(request))
    if member is None:
        raise Http404
    row = live_game(member) if design.beliefs else None
    if row is None:
        return HttpResponse()
    posted, problems = None, dict[str, str]()
    asked_now = beliefs.due(member, row)
    if asked_now and request.method == "POST" and request.POST.get("form") == asked_now.form:
        posted = QueryDict() if "skip" in request.POST else request.POST
        values, problems = answers.read_all(asked_now.questions, posted)
        if not problems:
            answers.keep(member, asked_now.form, values)
            asked_now = None
    context = {
        "room": room,
        "asked": asked_now,
        "questions": shown(asked_now.questions if asked_now else (), posted, problems, ""),
    }
    status = 422 if problems else 200
    if request.method == "POST" and not problems and not getattr(request, "htmx", False):
        return redirect(tables.address_of(row.game, side_in(row, member)))
    return render(request, "rooms/study/_beliefs.html", context, status=status)


def _survey(
    request: HttpRequest,
    member: Member,
    design: Design,
    study: Study,
    form: str,
    due: flow.Due | None = None,
) -> HttpResponse:
    posted = None
    mine = due.questions if due else asked(getattr(design, form), member.arm)
    problems: dict[str, str] = {}
    if request.method == "POST":
        posted = request.POST
        values, problems = answers.read_all(mine, posted)
        if not problems:
            answers.keep(member, due.form if due else form, values)
            return go_on(member, design, study)
    context = pages.survey_page(
        design,
        member.room,
        form,
        member.arm,
        luck_of(member),
        posted,
        problems,
        due=due,
        may_withdraw=True,
        part=due.form_and_part if due else "",
        draft=f"{member.pk}-{due.form if due else form}",
    )
    return render(request, "rooms/study/survey.html", context, status=422 if problems else 200)


@at_step("done")
def done(request: HttpRequest, member: Member, design: Design, study: Study) -> HttpResponse:
    """Show how it ended, with the code and the way back."""
    how = "withdrawn" if member.withdrawn_at else member.end
    context = pages.done_page(design, member.room, member, how)
    return render(request, "rooms/study/done.html", context)


@form_page
def withdraw(request: HttpRequest, code: str) -> HttpResponse:
    """Ask whether somebody wants to leave the study, and delete what was promised."""
    room, study, design = study_or_404(request, code)
    session = visitor(request)
    member = joining.member_of(room, session) or seats.first_seat_of(room, session)
    if member is None:
        return redirect("study-enter", room.code)
    if member.withdrawn_at or not member.consented_at:
        return go_on(member, design, study)
    settles_at = seats.settles_at(member, session)
    if request.method == "POST" and settles_at is None:
        let_go(seats.move(member, session, seats.Kind.BACK))
        return go_on(member, design, study)
    if request.method == "POST":
        seats.note(room, seats.Kind.TOO_SOON, member)
    context = {
        "room": room,
        "design": design,
        "withdrawal": promises.promise_to(member, study).withdrawal,
        "arm": member.arm,
        "settles_at": settles_at,
        "is_bare": True,
    }
    status = 409 if request.method == "POST" else 200
    return render(request, "rooms/study/withdraw.html", context, status=status)


def _door(request: HttpRequest) -> str:
    return request.POST.get(DOOR) or request.GET.get(DOOR) or ""


def _closed(
    request: HttpRequest,
    room: Room,
    design: Design,
    why: str,
    *,
    status: int = 200,
    words: str = "",
) -> HttpResponse:
    if why == "unfilled":
        seats.note(room, seats.Kind.UNFILLED)
    asked = request.POST or request.GET
    context: dict[str, Any] = {"room": room, "design": design, "why": why, "words": words}
    context["is_bare"] = True
    if why in ("full", "stopped"):
        context |= {"external_id": asked.get(design.link.parameter, ""), "door": _door(request)}
    context |= pages.way_out(design, why)
    return render(request, "rooms/study/closed.html", context, status=status)
