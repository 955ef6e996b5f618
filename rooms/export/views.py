"""Pages of a room's data, for its host alone: what is in an export, the zip, and for how long.

The zip is sent while it is made: no more than a piece of it is in memory.
"""

import datetime as dt
import io
import tempfile
import zipfile
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import msgspec
from asgiref.sync import sync_to_async
from django import forms
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.core.handlers.asgi import ASGIRequest
from django.db.models import F
from django.http import HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.formats import date_format

from negotiation.models import Game
from negotiation.sentences import sentences
from rooms.desk import remove
from rooms.export.forgetting import forget_member, forget_room, weigh, weigh_member
from rooms.export.rows import Promises, games_of, members_of
from rooms.export.writing import (
    APART,
    SIGNATURE,
    SUMS,
    TIMES,
    NoStudy,
    Times,
    export_to,
    file_names,
    study_of,
)
from rooms.hosting import own_room, touch
from rooms.lobby import live_games
from rooms.models import Member, Room, Study
from rooms.pages import form_page, shown_page
from rooms.study.promises import last_day

say = sentences(__file__)


LONGEST = dt.timedelta(days=3660)


class KeepForm(forms.Form):
    """The last day on which a room and its games are kept; ``latest``: as people were promised."""

    keep_until = forms.DateField(
        label=say.lazy("last_day"),
        widget=forms.DateInput(format="%Y-%m-%d", attrs={"type": "date", "class": "input"}),
    )

    def __init__(self, *args: Any, latest: dt.date | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.latest = latest
        attrs = self.fields["keep_until"].widget.attrs
        attrs["min"] = timezone.localdate().isoformat()
        if latest is not None:
            attrs["max"] = latest.isoformat()

    def clean_keep_until(self) -> dt.date:
        """Take today or a later day."""
        day: dt.date = self.cleaned_data["keep_until"]
        today = timezone.localdate()
        if day < today:
            raise forms.ValidationError(say("that_day_is_over_to_delete"))
        if self.latest is not None and day > self.latest:
            raise forms.ValidationError(
                say("the_people_in_it_were_told", day=date_format(self.latest, "j F Y"))
            )
        if day - today > LONGEST:
            raise forms.ValidationError(say("choose_a_day_within_ten_years"))
        return day


class Summary(msgspec.Struct, frozen=True):
    """Counts of a room; ``has_study`` False: nobody was asked, so nothing leaves as data.

    Trial runs are counted apart: ``pilots`` and ``pilot_games`` are in no other number here.
    """

    has_study: bool
    people: int = 0
    finished: int = 0
    pilots: int = 0
    unasked: int = 0
    withdrawn: int = 0
    games: int = 0
    pilot_games: int = 0
    left_out: int = 0
    unfinished: int = 0


def summary_of(room: Room) -> Summary:
    """Count what an export would hold."""
    study = Study.objects.filter(room=room).first()
    if study is None:
        return Summary(has_study=False)
    promises = Promises(study)
    everybody = room.members.filter(consented_at__isnull=False)
    asked = everybody.filter(is_pilot=False)
    games = pilot_games = left_out = unfinished = 0
    for in_room in games_of(room).iterator(chunk_size=1000):
        if in_room.game.status != Game.Status.ENDED:
            unfinished += 1
        elif promises.has_game(in_room):
            is_pilot = any(member.is_pilot for member in members_of(in_room))
            pilot_games += is_pilot
            games += not is_pilot
        else:
            left_out += 1
    return Summary(
        has_study=True,
        people=asked.count(),
        finished=asked.filter(
            finished_at__isnull=False, end__in=("", Member.End.FINISHED), withdrawn_at=None
        ).count(),
        pilots=everybody.filter(is_pilot=True).count(),
        unasked=room.members.filter(consented_at__isnull=True).count(),
        withdrawn=asked.filter(withdrawn_at__isnull=False).count(),
        games=games,
        pilot_games=pilot_games,
        left_out=left_out,
        unfinished=unfinished,
    )


PIECE = 256 * 1024
"""Bytes of a file that are packed at once."""


class _Sink(io.RawIOBase):
    """Takes what a zip writes and hands it on; nobody can go back in it."""

    def __init__(self) -> None:
        self._kept: list[bytes] = []

    def writable(self) -> bool:
        return True

    def write(self, data: bytes) -> int:  # type: ignore[override]  # what a zip writes is bytes
        self._kept.append(bytes(data))
        return len(data)

    def take(self) -> bytes:
        taken, self._kept = b"".join(self._kept), []
        return taken


def packed(room: Room, times: Times = "exact", *, public: bool = False) -> Iterator[bytes]:
    """Write a room's export into a folder that is gone afterwards, and pack it piece by piece."""
    with tempfile.TemporaryDirectory(prefix="export-") as place:
        folder = Path(place)
        export_to(room, folder, times="day" if public else times)
        yield from pack(folder, f"study-{room.code.lower()}", public=public)


def pack(folder: Path, name: str, *, public: bool = False) -> Iterator[bytes]:
    """Pack the files of an export, in a folder called ``name``; ``public``: but who is paid."""
    left = APART if public else ()
    sink = _Sink()
    with zipfile.ZipFile(sink, "w", zipfile.ZIP_DEFLATED) as zipped:
        for one in (*(name for name in file_names() if name not in left), SUMS, SIGNATURE):
            entry = zipfile.ZipInfo.from_file(folder / one, f"{name}/{one}")
            entry.compress_type = zipfile.ZIP_DEFLATED
            with (folder / one).open("rb") as file, zipped.open(entry, "w") as target:
                while piece := file.read(PIECE):
                    target.write(piece)
                    yield sink.take()
    yield sink.take()


def download(
    request: HttpRequest, room: Room, times: Times = "exact", *, public: bool = False
) -> StreamingHttpResponse:
    """Send the zip; the answer begins before the first byte of it is there."""
    pieces = packed(room, times, public=public)
    is_async = isinstance(request, ASGIRequest)
    response = StreamingHttpResponse(
        _in_threads(pieces) if is_async else pieces, content_type="application/zip"
    )
    name = f"study-{room.code.lower()}{'-public' if public else ''}.zip"
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    response["Cache-Control"] = "no-store"
    return response


async def _in_threads(pieces: Iterator[bytes]) -> AsyncIterator[bytes]:
    # Django would gather an ordinary iterator as a whole before it sends the first byte.
    following = sync_to_async(lambda: next(pieces, None))
    try:
        while (piece := await following()) is not None:
            yield piece
    finally:
        # Whoever closes the browser in between leaves no folder behind.
        await sync_to_async(getattr(pieces, "close", lambda: None))()


@shown_page
def export(request: HttpRequest, code: str) -> HttpResponseBase:
    """Send everything of a study as one zip; a room without one has nothing to send."""
    room = own_room(request, code)
    try:
        study_of(room)
    except NoStudy:
        return redirect("room-data", room.code)
    times: Times = next((one for one in TIMES if one == request.GET.get("times")), "exact")
    return download(request, room, times, public=request.GET.get("public") == "1")


@form_page
def data(request: HttpRequest, code: str) -> HttpResponse:
    """Show what a room has kept and until when; a post sets another day."""
    room = own_room(request, code)
    posted = request.POST if request.method == "POST" else None
    latest = last_day(room)
    form = KeepForm(posted, initial={"keep_until": room.keep_until}, latest=latest)
    if form.is_valid():
        room.keep_until = form.cleaned_data["keep_until"]
        room.save(update_fields=["keep_until"])
        messages.success(request, say("the_day_is_set"))
        return redirect("room-data", room.code)
    context = {"room": room, "form": form, "summary": summary_of(room), "kept": weigh(room)}
    context["latest"] = latest
    return render(request, "rooms/export/data.html", context, status=422 if form.errors else 200)


@form_page
def forget(request: HttpRequest, code: str) -> HttpResponse:
    """Ask once more, then delete a room with all that is in it: for whoever opened it."""
    room = own_room(request, code)
    if room.host_id != request.user.pk:
        raise PermissionDenied
    if request.method != "POST":
        return render(request, "rooms/export/forget.html", {"room": room, "kept": weigh(room)})
    forget_room(room)
    messages.success(request, say("room_is_deleted", room=room.name))
    return redirect("/rooms/")


@form_page
def forget_one(request: HttpRequest, code: str, member_id: str) -> HttpResponse:
    """Ask once more, then delete one person of a room with every game that person sat in."""
    room = own_room(request, code)
    member = get_object_or_404(Member, pk=member_id, room=room)
    if request.method != "POST":
        context = {"room": room, "member": member, "kept": weigh_member(member)}
        return render(request, "rooms/export/forget.html", context)
    owed = [(row.round, {row.seller_id, row.buyer_id} - {member.pk}) for row in live_games(member)]
    if member.left_at is None:
        remove(room, member)
    if forget_member(member).members:
        for number, partners in owed:
            # Whoever was in the middle of their newest game gets another one for it.
            room.members.filter(pk__in=partners, dealt=number).update(dealt=F("dealt") - 1)
    touch(room)
    messages.success(request, say("name_is_forgotten", name=member.nickname))
    return redirect("room-desk", room.code)
