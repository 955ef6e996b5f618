"""A list of names before anybody comes: each gets a seat and a personal link to it."""

import csv
import io
import re
from collections import Counter

from django.contrib.auth.decorators import login_required
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse

from negotiation.sentences import sentences
from rooms import joining
from rooms.errors import RoomError
from rooms.hosting import own_room, touch
from rooms.models import Room
from rooms.pages import FORMULA, attached, csv_file, form_page, safe_text, shown_page
from rooms.study_hooks import is_study

say = sentences(__file__)

MOST_BYTES = 100_000
HEADS = re.compile(
    r"(?:(?:first|last|full|student|given|family) ?)?names?|nickname|surname|student|नाम", re.I
)
"""What stands over a column of names."""
FAMILY = re.compile(r"last|family|sur", re.I)
NO_NAME = re.compile(r"sep=.?|points possible", re.I)
"""What tells a spreadsheet the mark between cells, and a course the most of its marks."""


@form_page
@login_required
def roster(request: HttpRequest, code: str) -> HttpResponse:
    """Show the field for a list; a post seats all of it, or nobody and says why."""
    room = own_room(request, code)
    text = ""
    problems: list[str] = []
    if request.method == "POST" and not is_study(room):
        text, problems = _posted(request)
        problems = problems or _seat_all(room, names_in(text))
        if not problems:
            return redirect(f"{reverse('room-roster', args=[room.code])}#seats")
    context = {
        "room": room,
        "text": text,
        "problems": problems,
        "members": room.members.filter(is_removed=False),
        "seats_at": request.build_absolute_uri("/rooms/seat/"),
        "is_study": is_study(room),
    }
    return render(request, "rooms/roster.html", context, status=422 if problems else 200)


@shown_page
@login_required
def roster_file(request: HttpRequest, code: str) -> HttpResponse:
    """Send names and personal links as a table, for a mail to each."""
    room = own_room(request, code)
    at = request.build_absolute_uri("/rooms/seat/")
    seats = room.members.filter(is_removed=False)
    rows = [[say("nickname"), say("personal_link")]]
    rows += [[safe_text(member.nickname), f"{at}{member.key}/"] for member in seats]
    return attached(csv_file(rows), f"links-{room.code}.csv")


def names_in(text: str) -> list[tuple[int, str]]:
    r"""Return the names of a list with their lines: one a line, or the column that says so.

    Where no head names a column, it is the first. A family's name tells apart who is called the
    same. What would make a cell a formula is no part of a name.

    >>> names_in("No;Surname;Name\n1;Rao;Asha\n2;Das;Asha\n\n3;X;=cmd|' /C calc'!A0\n")
    [(2, 'Asha Rao'), (3, 'Asha Das'), (5, "cmd|' /C calc'!A0")]
    """
    found: list[tuple[int, str, str]] = []
    own, family = [0], list[int]()
    first = next((line for line in text.splitlines() if line.strip() and "sep=" not in line), "")
    marks = [mark for mark in "\t;," if mark in first]
    # A quotation mark that nothing closes would make one name of all that follow.
    lines = io.StringIO(text, newline=None)
    rows = csv.reader(lines, delimiter=marks[0] if marks else ",", strict=True)
    for row in rows:
        cells = [cell.strip() for cell in row]
        heads = [at for at, cell in enumerate(cells) if HEADS.fullmatch(cell)]
        if heads and not found:
            family = [at for at in heads if FAMILY.match(cells[at])]
            own = [at for at in heads if at not in family] or family
        elif (name := _cell(cells, own)) and not NO_NAME.fullmatch(name):
            found.append((rows.line_num, name, _cell(cells, family)))
    called = Counter(name.casefold() for _, name, _ in found)
    return [
        (line, f"{name} {rest}".strip() if called[name.casefold()] > 1 and rest != name else name)
        for line, name, rest in found
    ]


def _cell(cells: list[str], places: list[int]) -> str:
    name = next((cells[at] for at in places if at < len(cells)), "")
    while name.startswith((*FORMULA, "'")):
        name = name[1:].lstrip()
    return name


def _posted(request: HttpRequest) -> tuple[str, list[str]]:
    file = request.FILES.get("file")
    raw = file.read(MOST_BYTES + 1) if file else request.POST.get("names", "").encode()
    if len(raw) > MOST_BYTES:
        return "", [say("too_long")]
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        return "", [say("no_utf_8")]
    try:
        found = names_in(text)
    except csv.Error:
        return text, [say("no_table")]
    return text, [] if found else [say("no_name")]


def _seat_all(room: Room, names: list[tuple[int, str]]) -> list[str]:
    """Give everybody a seat, or nobody; who has one by that name keeps it."""
    problems = []
    with transaction.atomic():
        known = {
            joining.clean_nickname(name) for name in room.members.values_list("nickname", flat=True)
        }
        for line, name in names:
            if joining.clean_nickname(name) in known:
                continue
            try:
                joining.reserve(room, name)
            except RoomError as wrong:
                problems.append(say("line", line=line, name=name[:40], why=wrong.detail))
        if problems:
            transaction.set_rollback(True)
    if not problems:
        touch(room)
    return problems
