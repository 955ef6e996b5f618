"""The page that takes a replay in, and the same for programs."""

import codecs
from typing import Any

import msgspec
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods
from ninja import Router, Status

from negotiation.bargain.web.seats import sale_cast
from negotiation.errors import RateLimited, SessionError
from negotiation.games.visitors import visitor
from negotiation.limits import request_key, spend
from negotiation.sentences import sentences
from replays.player.narration import in_words
from replays.transfer.export import SALES
from replays.transfer.importing import MOST_BYTES, import_replay, too_long
from replays.transfer.reading import ImportRefused, UnreadableReplay
from replays.vouching import vouched

say = sentences(__file__)

SHOWN = 6  # events at the end of the good beginning that are told one by one


class Prefix(msgspec.Struct, frozen=True):
    """How far a file is fine; ``skipped`` counts what could be told before the ``last``."""

    fine: int
    total: int
    event: int | None
    last: tuple[tuple[int, str], ...]
    skipped: int


class _Events(msgspec.Struct):
    format: str
    events: list[msgspec.Raw]


def _good_prefix(body: bytes, wrong: SessionError) -> Prefix | None:
    if not isinstance(wrong, ImportRefused) or not (wrong.fine or wrong.event):
        return None
    # It was read as far as its events, else there were none to count.
    file = msgspec.json.decode(body.removeprefix(codecs.BOM_UTF8), type=_Events)
    told = _in_words(file.events[: wrong.fine]) if file.format in SALES else []
    last = tuple(told[-SHOWN:])
    skipped = len(told) - len(last)
    return Prefix(wrong.fine, len(file.events), wrong.event, last, skipped)


def _in_words(events: list[msgspec.Raw]) -> list[tuple[int, str]]:
    fine: list[dict[str, Any]] = [msgspec.json.decode(raw) for raw in events]
    cast = sale_cast()
    currency = fine[0]["item"]["currency"] if fine else "INR"
    return [
        (event["seq"], in_words(event, currency, cast))
        for event in fine
        if event["kind"] != "tells"
    ]


router = Router()

NOT_IMPORTED = say.text("not_imported")

TITLES = say.texts("titles")


@require_http_methods(["GET", "HEAD", "POST"])
def import_page(request: HttpRequest) -> HttpResponse:
    """Show the form, or bring a file in and go to its replay."""
    if request.method != "POST":
        return render(request, "replays/import.html", {"most": MOST_BYTES // 1000})
    body = b""
    try:
        body = _sent(request)
        imported = _bring(request, body)
    except (ImportRefused, RateLimited) as wrong:
        return _refusal(request, wrong, _good_prefix(body, wrong))
    return redirect("replay", imported.game.pk)


@router.post("replays/import/", response={200: dict[str, Any], 201: dict[str, Any]})
def import_file(request: HttpRequest, response: HttpResponse) -> Status[dict[str, Any]]:
    """Bring an exported replay in: 201 for a new one, 200 where it was here already."""
    _check_length(request)
    imported = _bring(request, request.body)
    url = f"/replays/{imported.game.pk}/"
    response["Location"] = url
    told = {"id": imported.game.pk, "url": url, "words": vouched(imported.game).told}
    return Status(201 if imported.is_new else 200, told)


def _bring(request: HttpRequest, body: bytes) -> Any:
    spend("imports", request_key(request))
    return import_replay(visitor(request), body)


def _sent(request: HttpRequest) -> bytes:
    file = request.FILES.get("file")
    if file is not None and file.size:
        return bytes(file.read(MOST_BYTES + 1))
    pasted = request.POST.get("text", "").strip()
    if not pasted:
        raise UnreadableReplay(say("choose_a_file_or_paste_what"))
    return pasted.encode(errors="replace")


def _check_length(request: HttpRequest) -> None:
    # Django refuses a longer body with an error of its own as soon as it is touched.
    length = request.META.get("CONTENT_LENGTH") or "0"
    if length.isdecimal() and (len(length) > 9 or int(length) > MOST_BYTES):
        raise UnreadableReplay(too_long())


def _refusal(request: HttpRequest, wrong: SessionError, prefix: Prefix | None) -> HttpResponse:
    context = {
        "most": MOST_BYTES // 1000,
        "wrong": wrong,
        "title": gettext(TITLES.get(wrong.code, NOT_IMPORTED)),
        "prefix": prefix,
        "pasted": request.POST.get("text", ""),
    }
    return render(request, "replays/import.html", context, status=wrong.status)
