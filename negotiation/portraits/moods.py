"""What a face shows: a pure function of what everybody at the table could see.

It reads the wire frames of a game (or their events) and of those only prices, who moved, words'
tells and the end; a sealed value has no name here, so it cannot show in a face.
"""

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from negotiation.portraits.face import Mood

INSULT = 0.5
"""A bid below this part of the standing ask is an insult to the seller."""
WILD = 2.0
"""An ask above this multiple of the standing bid, after the first bids, tries the buyer."""
FIRST_BIDS = 2
"""Bids after which an ask far above them tries the buyer."""
WARM = 0.04
"""A step of at least this part of the price is a kindness."""
LATE = 2
"""Rounds that are left when haste shows."""
HASTE, ANGER = 0.6, 0.6
"""Tells from which on a side's own urgency or escalation is plain to see."""


class _Seen(msgspec.Struct):
    """What the table has seen so far."""

    asks: list[float] = []
    bids: list[float] = []
    round: int = 1
    max_rounds: int = 0
    tells: dict[str, Any] = {}
    last: Mapping[str, Any] = {}


def mood_of(frames: Iterable[Mapping[str, Any]], actor: str) -> Mood:
    """Return the mood of a side ("seller" or "buyer") after the frames of a game.

    >>> opened = {"kind": "opened", "actor": "seller", "price": 1000, "max_rounds": 10}
    >>> mood_of([opened, {"kind": "offer", "actor": "buyer", "price": 300, "round": 1}], "seller")
    'annoyed'
    """
    seen = _Seen()
    for frame in frames:
        event = frame.get("event", frame)
        if event.get("kind") == "ended":
            return _at_the_end(event, seen, actor)
        _take_in(seen, event, actor)
    return _at_the_table(seen, actor)


def _take_in(seen: _Seen, event: Mapping[str, Any], actor: str) -> None:
    kind, by, price = event.get("kind"), event.get("actor"), event.get("price")
    seen.round = event.get("round") or seen.round
    if kind == "opened":
        seen.max_rounds = event.get("max_rounds") or 0
    if kind == "tells" and by == actor:
        seen.tells = dict(event.get("tells") or event.get("signals") or {})
    if kind in ("opened", "offer") and isinstance(price, int | float):
        (seen.bids if by == "buyer" else seen.asks).append(price)
    if kind in ("opened", "offer", "accept", "walk"):
        seen.last = event


def _at_the_end(event: Mapping[str, Any], seen: _Seen, actor: str) -> Mood:
    if event.get("outcome") == "deal":
        return "pleased"
    if event.get("outcome") == "walk":
        return "walking" if event.get("by", seen.last.get("actor")) == actor else "annoyed"
    return "doubtful"


def _at_the_table(seen: _Seen, actor: str) -> Mood:
    kind, by = seen.last.get("kind"), seen.last.get("actor")
    if kind == "accept":
        return "pleased"
    if kind == "walk":
        return "walking" if by == actor else "annoyed"
    if _is_insulted(seen, actor) or _tell(seen, "emotional_escalation") >= ANGER:
        return "annoyed"
    if _in_a_hurry(seen):
        return "hurried"
    return _after_a_step(seen, actor)


def _after_a_step(seen: _Seen, actor: str) -> Mood:
    """Read the other side's last two prices: a step toward one pleases, one back annoys.

    Standing still raises a doubt.
    """
    other, toward = (seen.bids, 1) if actor == "seller" else (seen.asks, -1)
    if len(other) < 2:
        return "calm"
    step = toward * (other[-1] - other[-2]) / max(other[-2], 1)
    if step < 0:
        return "annoyed"
    if step == 0:
        return "annoyed" if other[-3:].count(other[-1]) == 3 else "doubtful"
    # Who stands still is not pleased, and after three rounds of it is on the way out.
    own = seen.asks if actor == "seller" else seen.bids
    stood = own[-3:].count(own[-1]) if own else 0
    if stood == 3:
        return "doubtful"
    return "pleased" if step >= WARM and stood < 2 else "calm"


def _is_insulted(seen: _Seen, actor: str) -> bool:
    if not seen.asks or not seen.bids:
        return False
    if actor == "seller":
        return seen.last.get("actor") == "buyer" and seen.bids[-1] < INSULT * seen.asks[-1]
    is_late = len(seen.bids) > FIRST_BIDS and seen.last.get("actor") == "seller"
    return is_late and seen.asks[-1] > WILD * seen.bids[-1]


def _in_a_hurry(seen: _Seen) -> bool:
    left = seen.max_rounds - seen.round if seen.max_rounds else LATE
    return left < LATE or _tell(seen, "verbal_urgency") >= HASTE


def _tell(seen: _Seen, name: str) -> float:
    value = seen.tells.get(name)
    return float(value) if isinstance(value, int | float) else 0.0
