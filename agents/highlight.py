"""``POST /highlight``: what a seller's line gives away, and the price in it. Nothing is stored."""

import asyncio
import json
from typing import Annotated, Any

import msgspec
from asgiref.sync import sync_to_async
from django.http import HttpRequest, HttpResponse, RawPostDataException
from django.http.request import UnreadablePostError
from django.views.decorators.http import require_POST

from agents.text.intent import read_intent
from agents.text.tells.reader import read_tells
from bazaarbatna.bargain.quantities import InvalidPrice, Paise, to_paise, to_rupees
from bazaarbatna.money import rupees_text
from negotiation.errors import RateLimited
from negotiation.games.wire_errors import refusal, status_of
from negotiation.limits import request_key, spend
from negotiation.readers import Intent, SaleContext

MAX_BODY = 16_384

MAX_TEXT = 2_000


class _Unreadable(Exception):
    code = "bad-request"

    def __init__(self, status: int, detail: str) -> None:
        super().__init__(detail)
        self.status = status


class _Line(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    text: Annotated[str, msgspec.Meta(max_length=MAX_TEXT)]
    ask: float | None = None
    bid: float | None = None


@require_POST
async def highlight(request: HttpRequest) -> HttpResponse:
    """Answer with the spans, the signals and the asked price of a text."""
    try:
        # Counting waits for its store, reading takes the processor: neither stops others.
        await sync_to_async(spend)("highlight", request_key(request))
        line = _line(request)
        told = await asyncio.to_thread(read_line, line)
    except _Unreadable as wrong:
        return _json({"error": refusal(wrong)}, wrong.status)
    except (RateLimited, InvalidPrice) as wrong:
        response = _json({"error": refusal(wrong)}, status_of(wrong))
        if isinstance(wrong, RateLimited):
            response["Retry-After"] = str(wrong.retry_after_s)
        return response
    return _json(told, 200)


def read_line(line: _Line) -> dict[str, Any]:
    """Read a line as the live game would; raises InvalidPrice for a standing price out of range."""
    ask, bid = _paise(line.ask), _paise(line.bid)
    intent = read_intent(line.text, ask, bid)
    standing = SaleContext((ask,) if ask else (), (bid,) if bid else (), ())
    named = intent.price if intent.kind == "price" else None
    reading = read_tells(line.text, standing, named)
    return {
        "spans": [msgspec.to_builtins(span) for span in reading.spans],
        "signals": msgspec.to_builtins(reading.tells),
        "asked_price": _asked(intent),
    }


def _asked(intent: Intent) -> dict[str, Any]:
    return {
        "kind": intent.kind,
        "price": None if intent.price is None else to_rupees(intent.price),
        "question": intent.question,
        "candidates": [
            {"price": to_rupees(price), "text": rupees_text(to_rupees(price))}
            for price in intent.candidates
        ],
    }


def _line(request: HttpRequest) -> _Line:
    if request.content_type != "application/json":
        raise _Unreadable(415, 'Send JSON like {"text": "170 last price"} as application/json.')
    try:
        body = request.read(MAX_BODY + 1)
    except (RawPostDataException, UnreadablePostError) as wrong:
        raise _Unreadable(400, "The request cannot be read.") from wrong
    if len(body) > MAX_BODY:
        raise _Unreadable(413, f"A request can be at most {MAX_BODY} bytes.")
    try:
        return msgspec.json.decode(body, type=_Line)
    except msgspec.ValidationError as wrong:
        raise _Unreadable(422, _sentence(str(wrong))) from wrong
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as wrong:
        raise _Unreadable(400, "The body is no valid JSON in UTF-8.") from wrong


_SENTENCES = (
    ("$.text", f"text: is needed, as text of at most {MAX_TEXT:,} characters."),
    ("`text`", f"text: is needed, as text of at most {MAX_TEXT:,} characters."),
    ("$.ask", "ask: must be a number of rupees."),
    ("$.bid", "bid: must be a number of rupees."),
    ("unknown field", "Only text, ask and bid are known here."),
)


def _sentence(said: str) -> str:
    return next((told for part, told in _SENTENCES if part in said), "The body must be an object.")


def _paise(rupees: float | None) -> Paise | None:
    return None if rupees is None else to_paise(rupees)


def _json(told: dict[str, Any], status: int) -> HttpResponse:
    body = json.dumps(told, ensure_ascii=False)
    return HttpResponse(body, status=status, content_type="application/json; charset=utf-8")
