"""A host walks through the pages of one arm as a participant would; nothing of it is kept."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse

from rooms import hosting
from rooms.models import Answer, Room
from rooms.pages import form_page
from rooms.study import answers, flow, pages
from rooms.study.design import Arm, Design, asked, checks

TEMPLATES = {
    "consent": "rooms/study/consent.html",
    "questions": "rooms/study/questions.html",
    "before": "rooms/study/survey.html",
    "play": "rooms/study/play.html",
    "between": "rooms/study/survey.html",
    "after": "rooms/study/survey.html",
    "done": "rooms/study/done.html",
}


@form_page
def preview(request: HttpRequest, code: str, arm: str, step: str) -> HttpResponse:
    """Show a page of an arm; what is sent is read, complained about, and forgotten."""
    room = hosting.own_room(request, code)
    study = flow.study_of(room)
    design = flow.design_of(study) if study else None
    chosen = design.arm(arm) if design else None
    if design is None or chosen is None or step not in TEMPLATES:
        raise Http404
    posted = request.POST if request.method == "POST" else None
    context = _context(room, design, chosen, step, posted)
    if posted is not None and not context.get("problems") and not context.get("again"):
        keys = {one.key for one in pages.way(design, step, arm)}
        keys |= {"between"} if design.conditions or asked(design.between, arm) else set()
        later = list(TEMPLATES)[list(TEMPLATES).index(step) + 1 :]
        ahead = next((key for key in later if key in keys), "done")
        return redirect("study-preview", room.code, arm, ahead)
    action = reverse("study-preview", args=[room.code, arm, step])
    context["preview"] = {"action": action, "title": chosen.title or chosen.name}
    return render(request, TEMPLATES[step], context)


def _context(
    room: Room, design: Design, arm: Arm, step: str, posted: QueryDict | None
) -> dict[str, Any]:
    match step:
        case "consent":
            missing = posted is not None and not posted.get("agree")
            again = bool(posted and posted.get("do") == "decline")
            return pages.consent_page(
                design, room, external_id="preview", problem=missing, again=missing or again
            )
        case "questions":
            return _questions(room, design, arm, posted)
        case "before" | "between" | "after":
            mine = asked(getattr(design, step), arm.name)
            words = "\n\n".join(one.instructions for one in design.conditions)
            due = flow.Due(step, mine, words) if step == "between" else None
            problems = answers.read_all(mine, posted)[1] if posted is not None else {}
            return pages.survey_page(
                design, room, step, arm.name, "preview", posted, problems, due=due
            )
        case "play":
            plan = flow.in_arm(arm, hosting.plan_of(room))
            return pages.play_page(design, room, arm, plan)
        case _:
            return pages.done_page(design, room, None, "finished")


def _questions(room: Room, design: Design, arm: Arm, posted: QueryDict | None) -> dict[str, Any]:
    """Check answers against the design alone; the number of the try travels with the form."""
    given: dict[str, Answer] = {}
    number = posted.get("try", "1") if posted is not None else "0"
    used = int(number) if number.isdecimal() and len(number) < 9 else 1
    mine = checks(design, arm.name)
    if posted is not None and used <= design.questions.tries:
        for one in mine:
            text = posted.get(one.name, "")
            right = answers.is_right(one, text)
            given[one.name] = Answer(value=text, tries=used, is_right=right)
    again = not all(one.is_right for one in given.values())
    return pages.questions_page(design, room, arm.name, given, again=again)
