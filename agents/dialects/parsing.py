"""A model's answer, read as a move: strictly first, then as leniently as sense allows.

Never raises and never guesses a price: text that names no move gives None, and the rules play.
"""

import json
import math
import re
from typing import Any, Literal

import json_repair
import msgspec

from agents.output_guard.coherence import tidy
from agents.text.price_text import read_prices
from bazaarbatna.bargain.moves import Accept, Move, Offer, Walk
from bazaarbatna.bargain.quantities import MAX_PRICE, MIN_PRICE, Paise

Action = Literal["offer", "accept", "walk", "say"]

MAX_ANSWER = 8000

MAX_OBJECTS = 8

MAX_BRACKETS = 40
"""An answer is one flat object; deeper nests are none, and cost a repairer up to half a second."""

ACTIONS: dict[str, Action] = {
    "offer": "offer",
    "bid": "offer",
    "counter": "offer",
    "counteroffer": "offer",
    "counter_offer": "offer",
    "propose": "offer",
    "accept": "accept",
    "deal": "accept",
    "agree": "accept",
    "take": "accept",
    "walk": "walk",
    "walk_away": "walk",
    "leave": "walk",
    "reject": "walk",
    "say": "say",
    "talk": "say",
    "message": "say",
    "reply": "say",
}

THOUGHT = re.compile(r"<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)", re.DOTALL | re.IGNORECASE)
_WORDS = ("message", "text", "reply", "say", "utterance", "line")
_PRICES = ("price", "bid", "offer", "amount", "counter", "ask")


class Parsed(msgspec.Struct, frozen=True):
    """What an answer proposes, price in paise; ``strict``: it was exactly what was asked for."""

    action: Action
    price: Paise | None
    message: str
    strict: bool

    def to_move(self) -> Move | None:
        """Return the proposed move; None for mere words and for an offer without a price."""
        match self.action:
            case "accept":
                return Accept(self.message)
            case "walk":
                return Walk(self.message)
            case "offer" if self.price is not None:
                return Offer(self.price, self.message)
            case _:
                return None


def parse(text: str) -> Parsed | None:
    r"""Read a model's answer.

    >>> parse('{"action": "offer", "price": 165, "message": "165 final"}').price
    16500
    >>> parse("Sure! ```json\\n{'action': 'offer', 'price': 'Rs 1.2k',}\\n```").price
    120000
    >>> parse("I would rather not say") is None
    True
    """
    answer = text[:MAX_ANSWER].strip()
    exact = _load_strictly(answer)
    if exact is not None:
        read = _read(exact, strict=True)
        if read is not None:
            return read
    for candidate in _objects(THOUGHT.sub(" ", answer)):
        read = _read(_load_leniently(candidate), strict=False)
        if read is not None:
            return read
    return None


def _load_strictly(text: str) -> object:
    try:
        return json.loads(text, parse_constant=lambda _: None)
    except (ValueError, RecursionError):
        return None


def _load_leniently(text: str) -> object:
    if text.count("{") + text.count("[") > MAX_BRACKETS:
        return None
    try:
        return json_repair.loads(text, skip_json_loads=False)
    # A repairer of broken text meets text that breaks it; then there is no answer in it.
    except Exception:  # noqa: BLE001
        return None


def _objects(text: str) -> list[str]:
    found: list[str] = []
    depth, start = 0, 0
    for place, character in enumerate(text):
        if character == "{":
            start = place if depth == 0 else start
            depth += 1
        elif character == "}" and depth:
            depth -= 1
            if depth == 0:
                found.append(text[start : place + 1])
    if depth:
        found.append(text[start:])
    return found[: -MAX_OBJECTS - 1 : -1]


def _read(value: object, *, strict: bool) -> Parsed | None:
    if not isinstance(value, dict):
        return None
    fields = {str(key).strip().lower(): item for key, item in value.items()}
    price = _price(_first(fields, _PRICES))
    action = _action(fields.get("action"), price)
    if action is None or (action == "offer" and price is None):
        return None
    said = _first(fields, _WORDS)
    message = tidy(said) if isinstance(said, str) else ""
    exact = strict and fields.get("action") == action and not isinstance(fields.get("price"), str)
    return Parsed(action, price if action == "offer" else None, message, exact)


def _action(value: object, price: Paise | None) -> Action | None:
    if isinstance(value, str):
        return ACTIONS.get(value.strip().lower().replace(" ", "_").replace("-", "_"))
    return "offer" if value is None and price is not None else None


def _first(fields: dict[str, Any], names: tuple[str, ...]) -> object:
    return next((fields[name] for name in names if fields.get(name) is not None), None)


def _price(value: object) -> Paise | None:
    if isinstance(value, str):
        return read_prices(value[:60], None, None).price
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    # Integers beyond the range of floats are refused before anything computes with them.
    if not 0 < value <= MAX_PRICE / 100 or not math.isfinite(value):
        return None
    return Paise(max(round(value * 100), MIN_PRICE))
