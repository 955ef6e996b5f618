"""The host's pages of a study: what it is, its parts as forms, files, a preview, the payments."""

from collections.abc import Callable
from copy import deepcopy
from typing import Any
from urllib.parse import urlencode

import msgspec
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_safe

from negotiation.cases.own import playable
from rooms import hosting
from rooms.doors import DOOR, key_of_door
from rooms.models import Room, Study
from rooms.pages import attached, form_page, shown_page
from rooms.study import entering, faults, fields, files, flow, hosts, paying, prompts
from rooms.study.design import Design, Overrides
from rooms.study.files import BadDesign
from rooms.study.preregistration import preregistration

PARTS: dict[str, tuple[str, ...]] = {
    "texts": ("title", "language", "minutes", "information", "consent"),
    "questions": ("instructions", "questions"),
    "before": ("before",),
    "during": ("beliefs", "between"),
    "after": ("after", "debrief"),
    "arms": ("plan", "assigned", "block", "arms", "factors", "conditions", "order", "model_usd"),
    "people": ("quota", "gone_min", "link", "waiting"),
    "ends": ("bonus", "exits"),
}
"""The pages of forms, and which fields of a design each has."""

MARK = "{{%PROLIFIC_PID%}}"
"""What Prolific puts an id in the place of; other panels have marks of their own."""

MOST_EVENTS = 30

KINDS = ("short", "long", "number", "choice", "choices", "likert", "slider", "date")

BLANK = Design(title="…", plan=Overrides(starts_itself=True))


@form_page
def overview(request: HttpRequest, code: str) -> HttpResponse:
    """Show how far a study is, and switch it; where a room has none, offer some."""
    room = hosting.own_room(request, code)
    study = flow.study_of(room)
    if request.method == "POST":
        return _switch(request, room, study)
    if study is None:
        return _start(request, room)
    return _overview(request, room, study)


def _own_study(request: HttpRequest, code: str) -> tuple[Room, Study]:
    room = hosting.own_room(request, code)
    study = flow.study_of(room)
    if study is None:
        raise Http404
    return room, study


def _switch(request: HttpRequest, room: Room, study: Study | None) -> HttpResponse:
    do = request.POST.get("do", "")
    if study is None or do in TAKEN:
        # Its first study has no row to hold yet: the room is.
        hold = hosting.held(request, room) if study is None else transaction.atomic()
        with hold as now:
            return _take(request, now or room)
    found = SWITCHES[do](request, study) if do in SWITCHES else None
    if found:
        return _overview(request, room, study, missing=found, status=422)
    return redirect("study-design", room.code)


def _seed(request: HttpRequest, study: Study) -> None:
    if (text := request.POST.get("seed", "")).isdecimal() and len(text) < 19:
        hosts.set_seed(study, int(text))


TAKEN = ("upload", "ready")
SWITCHES: dict[str, Callable[[HttpRequest, Study], list[faults.Fault] | None]] = {
    "live": lambda _, study: hosts.go_live(study),
    "pilot": lambda _, study: hosts.back_to_pilot(study),
    "stop": lambda _, study: hosts.stop(study, stopped=True),
    "open": lambda _, study: hosts.stop(study, stopped=False),
    "seed": _seed,
}
"""What a host does to a study: take another design, or one of these."""


def _take(request: HttpRequest, room: Room) -> HttpResponse:
    """Take a ready-made study, an empty one, or one from a file."""
    text = ""
    stands = Study.objects.select_for_update().filter(room=room).first()
    stored = flow.design_of(stands) if stands else None
    try:
        if request.POST.get("do") == "upload":
            text = _uploaded(request)
            design = files.from_file(text)
        else:
            key = request.POST.get("ready", "")
            design = files.ready_studies().get(key, BLANK)
        if request.POST.get("seen", "") != hosts.mark_of(stored) and design != stored:
            return _start(request, room, is_late=True, text=text, status=409)
        hosts.save(room, design)
    except BadDesign as bad:
        return _start(request, room, found=bad.faults, text=text, status=422)
    return redirect("study-design", room.code)


def _uploaded(request: HttpRequest) -> str:
    file = request.FILES.get("file")
    raw = file.read(files.MOST_BYTES + 1) if file else request.POST.get("text", "").encode()
    if len(raw) > files.MOST_BYTES:
        raise BadDesign([faults.Fault("", files.too_long())])
    try:
        return raw.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError:
        raise BadDesign([faults.Fault("", files.not_utf8())]) from None


def _start(request: HttpRequest, room: Room, status: int = 200, **more: Any) -> HttpResponse:
    study = flow.study_of(room)
    context = {
        "room": room,
        "seen": hosts.mark_of(flow.design_of(study) if study else None),
        "ready": files.ready_studies().items(),
        **more,
    }
    return render(request, "rooms/study/start.html", context, status=status)


def _overview(
    request: HttpRequest, room: Room, study: Study, status: int = 200, **more: Any
) -> HttpResponse:
    design = flow.design_of(study)
    path = reverse("study-enter", args=[room.code])
    link = request.build_absolute_uri(f"{path}?{urlencode({DOOR: key_of_door(room)})}")
    missing = more.pop("missing", None) or faults.missing(design)
    context = {
        "room": room,
        "study": study,
        "design": design,
        "seen": hosts.mark_of(design),
        "parts": [(key, _of_part(design, key)) for key in PARTS],
        "has_begun": hosts.has_begun(study),
        "missing": [(_address_of(room, one.path, is_here=False), one.words) for one in missing],
        "taken": entering.places_taken(study, design),
        "spent_usd": prompts.spent_microusd(room) / 1e6,
        "is_to_be_started": room.state == Room.State.GATHERING
        and not all(
            cell.plan.over(design.plan.over(hosting.plan_of(room))).starts_itself
            for cell in design.cells
        ),
        "prompt_turns": prompts.turns_of(room) if design.prompts else None,
        "counts": hosts.counts(study, pilot=study.is_pilot),
        "orders": hosts.orders_drawn(study, pilot=study.is_pilot) if design.conditions else (),
        "link": f"{link}&{design.link.parameter}={MARK}",
        "mark": MARK,
        "seat_events": room.seat_events.select_related("member")[:MOST_EVENTS],
        "test_link": f"{link}&{design.link.parameter}={design.link.test}-1",
        **more,
    }
    return render(request, "rooms/study/design.html", context, status=status)


def _of_part(design: Design, key: str) -> int:
    """Return how many things a part has, for its line on the overview."""
    counted = {
        "questions": len(design.questions.ask),
        "before": len(design.before),
        "during": len(design.beliefs) + len(design.between),
        "after": len(design.after),
        "arms": len(design.cells),
    }
    return counted.get(key, 0)


@form_page
def part(request: HttpRequest, code: str, key: str) -> HttpResponse:
    """Show one part of a design as a form, and store what is sent."""
    room, study = _own_study(request, code)
    if key not in PARTS:
        raise Http404
    whole: fields.Values = msgspec.to_builtins(flow.design_of(study))
    if request.method != "POST":
        return _part(request, room, key, whole, {})
    try:
        sent = fields.read_form(Design, request.POST, PARTS[key])
    except ValueError:  # a kind of question that the page did not offer
        raise Http404 from None
    with transaction.atomic():
        stored = flow.design_of(Study.objects.select_for_update().get(pk=study.pk))
        whole = msgspec.to_builtins(stored) | fields.with_cases(sent, playable(request.user))
        return _keep(request, room, key, stored, whole)


def _keep(
    request: HttpRequest, room: Room, key: str, stored: Design, whole: fields.Values
) -> HttpResponse:
    """Store a part, unless somebody has changed it since it was read, and it is not that change."""
    do, problems = request.POST.get("do", "save"), dict[str, str]()
    is_old = request.POST.get("seen") != hosts.mark_of(stored, PARTS[key])
    wanted = _changed(whole, do)
    try:
        design = files.from_values(wanted)
        if not is_old or design == stored:
            hosts.save(room, design)
            is_old = False
    except BadDesign as bad:
        problems = {files.dotted(one.path): one.words for one in bad.faults}
    if is_old:
        # What both wrote is there: theirs is kept, one's own stands in the form.
        return _part(request, room, key, whole, {}, theirs=msgspec.to_builtins(stored))
    if problems:
        return _part(request, room, key, wanted, problems)
    if do == "save":
        return redirect("study-design", room.code)
    return redirect(f"{reverse('study-part', args=[room.code, key])}#{_place(wanted, do)}")


def _changed(whole: fields.Values, do: str) -> fields.Values:
    if do == "save":
        return whole
    whole = deepcopy(whole)
    try:
        fields.change(whole, do)
    except (KeyError, IndexError, ValueError, TypeError):
        raise Http404 from None
    return whole


def _place(whole: fields.Values, do: str) -> str:
    """Return the id of what was added or moved, so that the page opens there."""
    action, _, rest = do.partition(":")
    path, _, what = rest.partition(":")
    if action == "up":
        return f"{path.replace('.', '-')}-{max(int(what) - 1, 0)}"
    if action == "down":
        return f"{path.replace('.', '-')}-{int(what) + 1}"
    holder: Any = whole
    for step in path.split("."):
        holder = holder[int(step)] if isinstance(holder, list) else holder[step]
    place = path.replace(".", "-")
    return f"{place}-{len(holder) - 1}" if action == "add" and isinstance(holder, list) else place


def _part(
    request: HttpRequest,
    room: Room,
    key: str,
    whole: fields.Values,
    problems: dict[str, str],
    theirs: fields.Values | None = None,
) -> HttpResponse:
    around = fields.Around(problems, playable(request.user))
    form = fields.form_of(Design, whole, PARTS[key], around)
    other = fields.form_of(Design, theirs, PARTS[key], around) if theirs else form
    shown = {one.path for one in fields.every(form)}
    context = {
        "room": room,
        "key": key,
        "form": form,
        "problems": [
            (_address_of(room, path, is_here=path in shown), path, words)
            for path, words in problems.items()
        ],
        "kinds": [(kind, fields.said("types", kind)) for kind in (*KINDS, fields.BLOCK)],
        "check_kinds": [(kind, fields.said("types", kind)) for kind in ("choice", "number")],
        "keys": list(PARTS),
        "is_late": theirs is not None,
        "differences": hosts.differences(other, form),
        "seen": hosts.mark_of(flow.design_of(room.study), PARTS[key]),
    }
    status = 409 if theirs else 422 if problems else 200
    return render(request, "rooms/study/part.html", context, status=status)


def _address_of(room: Room, path: str, *, is_here: bool) -> str:
    """Return where a field is mended: on this page, on that of another part, or nowhere."""
    place = f"#{path.replace('.', '-')}"
    if is_here:
        return place
    owner = path.partition(".")[0]
    key = next((key for key, names in PARTS.items() if owner in names), "")
    return f"{reverse('study-part', args=[room.code, key])}{place}" if key else ""


@require_safe
def download(request: HttpRequest, code: str, kind: str) -> HttpResponse:
    """Send the design as a file."""
    room, study = _own_study(request, code)
    design = flow.design_of(study)
    text = files.to_toml(design) if kind == "toml" else files.to_json(design)
    return attached(text, f"study-{room.code}.{kind}", f"application/{kind}")


@shown_page
def preregister(request: HttpRequest, code: str) -> HttpResponse:
    """Send a preregistration that is filled in from the design."""
    room, study = _own_study(request, code)
    text = preregistration(room, flow.design_of(study))
    return attached(text, f"preregistration-{room.code}.md", "text/markdown")


@shown_page
def pay(request: HttpRequest, code: str) -> HttpResponse:
    """Show what everybody is paid; ``.csv``: as a file of ids and amounts."""
    room, _ = _own_study(request, code)
    pilot = request.GET.get("pilot") == "1"
    lines = paying.table(room, pilot=pilot)
    if request.path.endswith(".csv"):
        return attached(paying.to_csv(lines), f"pay-{room.code}.csv")
    context = {
        "room": room,
        "lines": lines,
        "pilot": pilot,
        "total": sum(one.amount for one in lines),
        "currency": lines[0].currency if lines else "",
    }
    return render(request, "rooms/study/pay.html", context)
