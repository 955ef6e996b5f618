"""The seller of the arena: whom it looks at, whether it sells, and what it asks next.

Pure functions of the position; the luck of a round comes from the seed and the round's number, so
a match can go on from any point without knowing how it got there.
"""

import hashlib
import math
from collections.abc import Sequence
from random import Random

import msgspec

from bazaarbatna.auction.events import Signal
from bazaarbatna.auction.scenario import ArenaScenario
from bazaarbatna.bargain.quantities import Paise, clamp_price, to_rupees
from bazaarbatna.bargain.sellers import SELLERS
from bazaarbatna.bargain.sellers.base import concession_rate, inventory_pressure
from bazaarbatna.bargain.sellers.persona import HOUSE, Persona
from bazaarbatna.bargain.tells import Tells
from bazaarbatna.bargain.tells_emission import STALLING_BELOW, emit, true_urgency
from bazaarbatna.money import rupees_text

NUMBER = 2
"""Version of the rules in this file. By the first ones a precise seller named paise."""

RUPEE, CHEAP = 100, 10_000

QUIET_EVERY = 3
"""In so many rounds one passes without a number in the seller's words."""


class ArenaRules(msgspec.Struct, frozen=True):
    """The numbers of this seller that no persona changes; shares are 0..1.

    ``closes_at`` is the share of the ask at which the best bid is taken. After a round the ask
    stays at least ``least_pull`` (one bidder) to ``least_pull + rivalry_pull`` (two equal ones) of
    the way from the best bid up to the ask before. The next three weigh a bid by the sign its
    bidder gave; a bluff is heard as competing. Asks are named in steps of at most
    ``step_of_price``.
    """

    closes_at: float = 0.98
    least_pull: float = 0.25
    rivalry_pull: float = 0.5
    capitulation: float = 0.85
    compete: float = 1.15
    bluff: float = 1.15
    cooperate: float = 0.9
    step_of_price: float = 0.005


RULES = ArenaRules()


def version(persona: str) -> str:
    """Return the label that results against this seller carry."""
    parts = (NUMBER, QUIET_EVERY, RULES, SELLERS[persona].persona, HOUSE)
    text = msgspec.json.encode(parts, order="sorted")
    return f"rule:arena-{persona}@{NUMBER}#{hashlib.sha256(text).hexdigest()[:12]}"


class Luck(msgspec.Struct, frozen=True):
    """One round's draws: the same number every round, whatever was bid."""

    late: float
    tie: float
    tells: Random


def luck_of(seed: int, round_: int) -> Luck:
    """Return a round's luck, drawn from the sealed seed."""
    rng = Random(seed * 1_000_003 + round_)
    return Luck(rng.random(), rng.random(), rng)


def attention(
    ask: Paise, bids: Sequence[Paise | None], signals: Sequence[Signal | None]
) -> tuple[float, ...]:
    """Return the seller's attention: the fourth power of bid over ask, louder with a sign.

    >>> attention(Paise(100), (Paise(100), None), (None, None))
    (1.0, 0.0)
    """
    weights = [
        0.0 if bid is None else _fourth(bid / ask) * loudness(sign)
        for bid, sign in zip(bids, signals, strict=True)
    ]
    total = sum(weights)
    return tuple(round(weight / total, 4) if total else 0.0 for weight in weights)


def loudness(sign: Signal | None) -> float:
    """Return the factor of a sign on the seller's attention."""
    return float(getattr(RULES, sign)) if sign else 1.0


def front_runner(bids: Sequence[Paise | None], shares: Sequence[float], luck: Luck) -> int | None:
    """Return who has the best bid; equal bids go to whom the seller looks at, then to luck."""
    standing = [bid for bid in bids if bid is not None]
    if not standing:
        return None
    best = max(standing)
    tied = [seat for seat, bid in enumerate(bids) if bid == best]
    most = max(shares[seat] for seat in tied)
    tied = [seat for seat in tied if shares[seat] == most]
    return tied[int(luck.tie * len(tied))]


def sells(scenario: ArenaScenario, round_: int, ask: Paise, bid: Paise, luck: Luck) -> bool:
    """Whether the seller takes the best bid."""
    sealed = scenario.sealed
    if bid < sealed.reservation:
        return False
    if bid >= RULES.closes_at * ask:
        return True
    if round_ <= HOUSE.late_from * scenario.max_rounds:
        return False
    width = scenario.anchor - sealed.reservation
    chance = (bid - sealed.reservation) / width * round_ / scenario.max_rounds if width else 1.0
    return luck.late < chance * _persona(scenario).late_factor


def next_ask(
    scenario: ArenaScenario, round_: int, ask: Paise, best: Paise | None, shares: Sequence[float]
) -> Paise:
    """Return the ask after a round in which nobody was sold to.

    The schedule of the persona, pulled up toward the best bid: the more two buyers rival each
    other, the less of the way down to the best bid the seller goes. Never below its reservation
    price, never above the ask before. A seller that names round numbers rounds up, also at its
    limit: an odd number would betray it.
    """
    rate = concession_rate(_persona(scenario), scenario.rules)
    planned = scenario.anchor * (1 - rate * round_)
    if best is not None:
        pull = RULES.least_pull + RULES.rivalry_pull * _rivalry(shares)
        planned = max(planned, best + pull * (ask - best))
    named = max(_named(scenario, planned), _named(scenario, scenario.sealed.reservation))
    return clamp_price(min(named, ask), scenario.sealed.reservation)


def tells_of(scenario: ArenaScenario, round_: int, asks: Sequence[Paise], luck: Luck) -> Tells:
    """Return what the seller's state of this round lets everybody notice."""
    persona = _persona(scenario)
    width = scenario.anchor - scenario.sealed.reservation
    conceded = (scenario.anchor - asks[-1]) / width if width else 0.0
    pressure = inventory_pressure(scenario.rules)
    urgency = true_urgency(pressure, round_ / scenario.max_rounds, conceded)
    stalled = len(asks) > 1 and abs(asks[-2] - asks[-1]) < STALLING_BELOW
    label = scenario.item.condition_label
    return emit(persona.style, urgency, round_, stalled, label, luck.tells)


def kind_of_line(scenario: ArenaScenario, round_: int, ask: Paise, new: Paise) -> str:
    """Return "counter" if the seller names its new ask in words, else "hold".

    The reservation price is never spoken, so every third round passes without a number too.
    """
    silent = new in (ask, scenario.sealed.reservation) or round_ % QUIET_EVERY == 0
    return "hold" if silent else "counter"


def line(scenario: ArenaScenario, round_: int, kind: str, price: Paise | None = None) -> str:
    """Return the seller's words: ``kind`` is "counter", "hold", "accept" or "walk"."""
    lines = getattr(_persona(scenario).lines, kind)
    spoken: str = lines[(scenario.sealed.seed + round_) % len(lines)]
    if price is None:
        return spoken
    amount = rupees_text(to_rupees(price), scenario.item.currency)
    return spoken.replace("{price}", amount)


def _persona(scenario: ArenaScenario) -> Persona:
    return SELLERS[scenario.sealed.persona].persona


def _named(scenario: ArenaScenario, price: float) -> Paise:
    if _persona(scenario).style.rounding == "precise":
        return clamp_price(price if "@1#" in scenario.seller else whole(price))
    step = round_step(price)
    return clamp_price(math.ceil(price / step) * step)


def whole(price: float) -> int:
    """Round a price, in paise, up to rupees; what is cheap keeps its paise.

    >>> whole(261_510), whole(4_050)
    (261600, 4050)
    """
    return math.ceil(price) if price < CHEAP else math.ceil(price / RUPEE) * RUPEE


def round_step(price: float) -> int:
    """Return the step, in paise, in which a price is named: 1 or 5 with zeros.

    >>> round_step(139_900), round_step(1_064_911), round_step(40)
    (500, 5000, 1)
    """
    most = RULES.step_of_price * price
    step = 1
    while 10 * step <= most:
        step *= 10
    return 5 * step if 5 * step <= most else step


def _fourth(x: float) -> float:
    # Products, not a power: the same bits on every machine.
    return x * x * x * x


def _rivalry(shares: Sequence[float]) -> float:
    ordered = sorted(shares, reverse=True)
    return ordered[1] / ordered[0] if len(ordered) > 1 and ordered[0] else 0.0
