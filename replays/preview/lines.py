"""A picture of two lines of a haggle, to be sent to a friend: what was said, and what came back."""

import functools
import re
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from agents.text.reading.amounts import take_apart
from bazaarbatna.bargain.quantities import Side
from bazaarbatna.money import rupees_text
from negotiation.bargain.game import SALE
from negotiation.bargain.web.bubbles import Frame, currency_of
from negotiation.bargain.web.seats import replay_cast
from negotiation.games.game import game_of
from negotiation.models import Game
from replays.preview.canvas import HEIGHT, WIDTH, Canvas, wrapped
from replays.preview.card import ACCENT, INK, PAPER, ROLES, SOFT, awning
from replays.sealed_days import is_sealed

SPOKEN = ("offer", "message", "accept", "walk")
_NUMBER = re.compile(r"[₹$]\s?…|[₹$]?\s?\d(?:[\d.,]*\d)?")
WASHES = {"seller": "#fbe8c6", "buyer": "#e0e4f7"}
TONES = {"seller": ROLES["ask"], "buyer": ROLES["bid"]}

_LEFT, _RIGHT, _ROOM, _PAD = 64, WIDTH - 64, 820, 28
_SIZE, _STEP = 40, 52
"""Of the letters of a line, and from one row of it to the next."""


class Spoken(msgspec.Struct, frozen=True):
    """One line; ``price`` is "" where none was named with it."""

    side: Side
    name: str
    price: str
    text: str


class Exchange(msgspec.Struct, frozen=True):
    """What the picture says; two that are equal make the same one."""

    title: str
    lines: tuple[Spoken, ...]

    @property
    def last(self) -> Spoken:
        """The line that was chosen."""
        return self.lines[-1]


def is_pictured(game: Game, event: Mapping[str, Any]) -> bool:
    """Whether there is a picture of a line: of a sale, whose day is over where it has one."""
    return _is_said(event) and game_of(game.kind) == SALE and not is_sealed(game)


def _is_said(event: Mapping[str, Any]) -> bool:
    return event["kind"] in SPOKEN and bool(event.get("text"))


def exchange_of(
    game: Game, frames: Sequence[Frame], seq: int, *, title: str = ""
) -> Exchange | None:
    """Return the line of event ``seq`` and the one it answers; None where nothing was said.

    With a ``title`` in place of the thing's prices are blanked, and a day may go on.
    """
    said = [frame for frame in frames if _is_said(frame["event"])]
    if not title:
        said = [frame for frame in said if is_pictured(game, frame["event"])]
    last = next((frame for frame in said if frame["seq"] == seq), None)
    if last is None:
        return None
    before = [
        one for one in said if one["seq"] < seq and one["event"]["actor"] != last["event"]["actor"]
    ]
    cast, currency = replay_cast(game), currency_of(frames)
    lines = tuple(
        Spoken(
            side=event["actor"],
            name=cast.name(event["actor"]),
            price=rupees_text(event["price"], currency)
            if event["kind"] == "offer" and not title
            else "",
            text=blanked(event["text"]) if title else event["text"],
        )
        for event in (frame["event"] for frame in (*before[-1:], last))
    )
    return Exchange(title or game.title, lines)


def blanked(text: str) -> str:
    """Return words without their numbers, in digits or spelled, of any of our languages.

    >>> blanked("8,950? Teen hazaar, sister.")
    '…? …, sister.'
    """
    parts = take_apart(text)
    for amount in reversed(parts.amounts):
        start, end = parts.plain.span(amount.start, amount.end)
        text = f"{text[:start]}…{text[end:]}"
    return _NUMBER.sub("…", text)


@functools.lru_cache(maxsize=128)
def draw_lines(exchange: Exchange, language: str = "") -> bytes:
    """Return the image, 1200 by 630 pixels, as PNG, in the language that is spoken now."""
    del language  # of the names on it, so that a kept image is not shown in another one
    canvas = Canvas(PAPER)
    awning(canvas)
    y = 60.0
    rows = 3 if len(exchange.lines) > 1 else 6
    for line in exchange.lines:
        y = _bubble(canvas, line, y, rows) + 26
    foot = HEIGHT - 36
    end = canvas.text((_LEFT, foot), "Bazaar", "display", 28, INK)
    end = canvas.text((end, foot), "BATNA", "display-bold", 28, ACCENT)
    for title in wrapped(canvas, exchange.title, "control", 22, _RIGHT - end - 60, 1):
        canvas.text((_RIGHT - canvas.width(title, "control", 22), foot), title, "control", 22, SOFT)
    return canvas.png()


def _bubble(canvas: Canvas, line: Spoken, top: float, rows: int) -> float:
    """Draw a line below ``top``, the seller's at the right, and return where it ends."""
    said = wrapped(canvas, line.text, "display", _SIZE, _ROOM - 2 * _PAD, rows)
    wide = max([canvas.width(one, "display", _SIZE) for one in said], default=0) + 2 * _PAD
    left = _RIGHT - wide if line.side == "seller" else float(_LEFT)
    head = f"{line.name} · {line.price}" if line.price else line.name
    x = min(left, _RIGHT - canvas.width(head, "control-bold", 22))
    canvas.text((x, top + 24), head, "control-bold", 22, TONES[line.side])
    bottom = top + 40 + len(said) * _STEP + _PAD
    canvas.box((left, top + 40), (left + wide, bottom), WASHES[line.side], radius=24)
    y = top + 40 + _PAD + _SIZE * 0.7
    for one in said:
        canvas.text((left + _PAD, y), one, "display", _SIZE, INK)
        y += _STEP
    return bottom
