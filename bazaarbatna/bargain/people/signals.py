"""What a seller of the population remembers of a game, and what it lets the buyer notice."""

import itertools
from collections.abc import Sequence
from random import Random

import msgspec

from bazaarbatna.bargain.observe import SellerObservation
from bazaarbatna.bargain.people.manner import Manner
from bazaarbatna.bargain.tells import CONDITIONS, ConditionLabel, Pattern, Posture, Speed, Tells
from bazaarbatna.bargain.tells_emission import BITS_PER_DRAW, NOISE, SIZE

PROGRESS = 0.005
"""A buyer who comes up by less than this share of the opening ask has stood still."""


class Memory(msgspec.Struct, frozen=True, gc=False):
    """The past of a game as a seller sees it when a bid is on the table.

    ``named`` counts asks after the first, ``stalled`` rounds in a row in which the buyer stood
    still; ``step`` is how far it came up this round, as a share of the opening ask.
    """

    named: int
    stalled: int
    insults: int
    step: float


def remember(asks: Sequence[int], bids: Sequence[int], insult: float) -> Memory:
    """Sum the past up; bids below the share ``insult`` of the opening ask are insults.

    ``asks`` begin with the opening ask, the last of the ``bids`` is the standing one; in paise.
    """
    anchor = asks[0]
    named = sum(after < before for before, after in itertools.pairwise(asks))
    stalled = 0
    for before, after in itertools.pairwise(bids):
        stalled = 0 if after - before >= PROGRESS * anchor else stalled + 1
    insults = sum(bid < insult * anchor for bid in bids)
    step = (bids[-1] - bids[-2]) / anchor if len(bids) > 1 else 0.0
    return Memory(named, stalled, insults, max(step, 0.0))


DEADLINE_URGENCY = 0.3
"""How much the urgency of a seller with a deadline grows until then."""
FULL_ROOM = 0.5
"""Room above the floor, as a share of the opening ask, at which no confidence is left."""
SHOWN_CONFIDENCE = (0.9, -0.7)
"""Confidence without any room, and what all of ``FULL_ROOM`` changes about it."""
BLUFFED_CONFIDENCE = 0.8
"""What bluffing makes a seller without confidence show."""


def levels(
    manner: Manner, memory: Memory, room: float, round_: int, rounds: int
) -> tuple[float, float, float, float, float]:
    """Return the five levels that a seller would show without noise, each 0..1.

    They are urgency, confidence, deception, fidgeting and escalation. ``room`` is what the ask
    leaves above the floor, as a share of the opening ask.
    """
    urgency = manner.urgency
    if manner.deadline:
        urgency += DEADLINE_URGENCY * min(1.0, round_ / manner.deadline_round(rounds))
    rested = SHOWN_CONFIDENCE[0] + SHOWN_CONFIDENCE[1] * min(1.0, room / FULL_ROOM)
    confidence = rested + manner.bluff * (BLUFFED_CONFIDENCE - rested)
    escalation = 0.3 * (memory.insults > 0) + 0.15 * min(memory.stalled, 3)
    fidget = 0.4 * urgency + 0.3 * manner.bluff
    return min(urgency, 1.0), confidence, 0.8 * manner.bluff, fidget, escalation


def signals(
    manner: Manner, memory: Memory, seen: SellerObservation, label: ConditionLabel, dice: Random
) -> Tells:
    """Show one turn's signals: each is true with noise (sd 0.1), or mere noise."""
    anchor, ask = seen.asks[0], seen.asks[-1]
    room = (ask - seen.reservation) / anchor
    true = levels(manner, memory, room, seen.round, seen.max_rounds)
    shown = [_shown(level, manner.honesty, dice) for level in true]
    urgency, confidence, deception, fidget, escalation = shown
    condition, depreciation = CONDITIONS[label]
    return Tells(
        urgency,
        confidence,
        deception,
        fidget,
        escalation,
        "round",
        _speed(urgency, confidence),
        _pattern(seen),
        "avoidant" if deception > 0.5 else "steady",
        _posture(escalation, memory),
        1 if memory.stalled > 1 else 0,
        int(3 * deception),
        condition,
        depreciation,
        label,
    )


def _shown(level: float, honesty: float, dice: Random) -> float:
    is_true, anything, noise = dice.random(), dice.random(), dice.getrandbits(BITS_PER_DRAW)
    value = level if is_true < honesty else anything
    return round(min(1.0, max(0.0, value + NOISE[noise % SIZE])), 3)


def _speed(urgency: float, confidence: float) -> Speed:
    if urgency > 0.65:
        return "instant"
    return "deliberate" if confidence > 0.75 else "normal"


def _pattern(seen: SellerObservation) -> Pattern:
    steps = [before - after for before, after in zip(seen.asks, seen.asks[1:], strict=False)]
    if not steps or steps[-1] == 0:
        return "stalling" if steps else "steady"
    if len(steps) > 1 and steps[-1] > 1.5 * max(steps[:-1]):
        return "erratic"
    return "front_loaded" if len(steps) > 1 and steps[0] > 1.5 * steps[-1] else "steady"


def _posture(escalation: float, memory: Memory) -> Posture:
    if escalation > 0.4:
        return "arms_crossed"
    return "leaning_in" if memory.step > 0 else "neutral"
