"""The engine's values and judged rounds as JSON: its own field names, and money in credits.

Of a hearing everybody reads public words, scores, winner and reason while a match is live; what was
found in a pitch, and the parts of its score, go to the lab that made it, and to all after the end.
"""

from typing import Any

import msgspec

from bazaarbatna.market.actions import MarketAction
from bazaarbatna.market.blocks import Block, Contract, Job, Offer
from bazaarbatna.market.events import JobRun, Settled
from bazaarbatna.market.judging import PARTS, Card, Checked, Heard, JudgedRound, round_seen
from bazaarbatna.market.observe import Observation
from bazaarbatna.market.quantities import LAB_NUMBERS, LabId, to_credits
from bazaarbatna.market.scenario import MarketSealed
from bazaarbatna.market.state import Tally

MONEY: dict[type[msgspec.Struct], frozenset[str]] = {
    Block: frozenset({"energy"}),
    Job: frozenset({"base_value"}),
    Offer: frozenset({"payment"}),
    Contract: frozenset({"payment"}),
    MarketAction: frozenset({"payment"}),
    JobRun: frozenset({"value", "energy"}),
    Settled: frozenset({"utility", "budget"}),
    MarketSealed: frozenset({"budgets"}),
    Observation: frozenset({"budget"}),
    Tally: frozenset({"value", "energy", "paid", "received"}),
}
"""Fields in hundredths of a credit; a test holds this against the engine's types."""

_NONE: frozenset[str] = frozenset()


def to_wire(value: Any) -> Any:
    """Return a value of the engine as what JSON can say, in credits; unset fields are not there.

    >>> to_wire(MarketAction("wait"))["payment"]
    0.0
    """
    if isinstance(value, msgspec.Struct):
        money = MONEY.get(type(value), _NONE)
        held = {name: getattr(value, name) for name in value.__struct_fields__}
        return {
            name: _credits(one) if name in money else to_wire(one)
            for name, one in held.items()
            if one is not msgspec.UNSET
        }
    if isinstance(value, (list, tuple)):
        return [to_wire(one) for one in value]
    return value


def _credits(cents: Any) -> Any:
    if cents is None:
        return None
    if isinstance(cents, tuple):
        return [to_credits(one) for one in cents]
    return to_credits(cents)


Told = dict[str, Any]


def to_viewer(judged: JudgedRound, by: LabId = "") -> Told:
    """Return a judged round while its match is live, for a lab or a spectator (empty)."""
    shown = round_seen(judged, by)
    told: Told = {
        "round": shown.round,
        "judge": shown.judge,
        "winner": shown.winner,
        "reason": shown.reason,
        "labs": [],
    }
    for one in shown.labs:
        lab: Told = {
            "lab": one.lab,
            "text": one.text,
            "to": one.to,
            "score": one.score,
            "so_far": one.so_far,
        }
        if one.card is not None:
            lab |= _inner(one.text, one.claims, one.card) | {"bonus": shown.bonus}
        told["labs"].append(lab)
    return told


def to_reader(judged: JudgedRound) -> Told:
    """Return a judged round after the end, with everything that was found."""
    hearing = judged.hearing
    return {
        "round": hearing.round,
        "judge": hearing.judge,
        "winner": hearing.winner,
        "reason": hearing.reason,
        "fallback": hearing.fallback,
        "remark": hearing.remark,
        "labs": [_open(one, judged) for one in hearing.labs],
    }


def _open(one: Heard, judged: JudgedRound) -> Told:
    number = LAB_NUMBERS[one.lab]
    return {
        "lab": one.lab,
        "text": one.text,
        "to": one.to,
        "score": one.card.score,
        "so_far": judged.scores_so_far[number],
        **_inner(one.text, one.claims, one.card),
        "bonus": judged.bonuses[number],
    }


def _inner(text: str, claims: tuple[Checked, ...], card: Card) -> Told:
    return {
        "claims": [
            {
                "kind": one.claim.kind,
                "words": text[one.claim.start : one.claim.end],
                "finding": one.finding,
            }
            for one in claims
        ],
        "parts": {name: getattr(card, name) for name in PARTS},
    }
