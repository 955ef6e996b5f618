"""Games of the population with simple buyers, counted as people's dialogues were counted."""

import itertools
from collections.abc import Iterable, Iterator, Sequence
from random import Random

import msgspec

from bazaarbatna.bargain.episode import advance, start
from bazaarbatna.bargain.events import Event, OfferAccepted, OfferMade, WalkedAway
from bazaarbatna.bargain.log import Log
from bazaarbatna.bargain.moves import Accept, Move, Offer, Walk
from bazaarbatna.bargain.observe import BuyerObservation, observe_buyer, observe_seller
from bazaarbatna.bargain.people.dealing import deal
from bazaarbatna.bargain.people.families import FAMILIES, Family
from bazaarbatna.bargain.people.manner import named_price
from bazaarbatna.bargain.people.seller import PersonSeller
from bazaarbatna.bargain.proposals import repair
from bazaarbatna.bargain.quantities import Side, clamp_price
from bazaarbatna.bargain.scenario import Scenario

TARGETS = (0.5, 0.7, 0.9)
TARGET_WEIGHTS = (0.25, 0.38, 0.37)
"""What people were told to aim at; its mean is 0.72."""
QUITS = 0.125
"""How many leave without naming a price."""
FIRST = (0.85, 1.2)
"""First bid as a multiple of the target: half of the people open above it."""
HIGHEST_FIRST = (0.9, 0.97)
STRETCH = (0.28, 1.0)
"""Most that is paid: this part of the way from the first bid to the list price."""
GAP = (0.22, 0.6)
"""Part of the gap to the ask that the second bid goes."""
FADE = 0.8
"""Each further step goes this part of the gap beside the one before."""
HOLD = (0.28, 0.24)
"""Chance to stand still at the second bid, and what each further bid adds to it."""
PATIENCE = (2, 4)
"""Bids at most; then the ask is taken or the buyer leaves."""
CLOSE = (0.02, 0.08)
"""A gap that is no more than this is not argued about."""


class BuyerManner(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """The numbers of one buyer, as shares of the list price unless said otherwise.

    ``gap`` is the part of the gap to the ask that the second bid goes; a gap below ``close`` is
    closed by taking the ask; ``patience`` counts bids at most (0: leaves at once).
    """

    first: float
    most: float
    gap: float
    close: float
    patience: int


def draw_buyer(dice: Random) -> BuyerManner:
    """Draw a buyer."""
    target = dice.choices(TARGETS, TARGET_WEIGHTS)[0]
    first = min(target * dice.uniform(*FIRST), dice.uniform(*HIGHEST_FIRST))
    return BuyerManner(
        first=first,
        most=first + (1 - first) * dice.uniform(*STRETCH),
        gap=dice.uniform(*GAP),
        close=dice.uniform(*CLOSE),
        patience=0 if dice.random() < QUITS else dice.randint(*PATIENCE),
    )


class PersonBuyer:
    """A buyer who makes a few steps toward the ask, then takes it or leaves; it keeps nothing."""

    def __init__(self, seed: int) -> None:
        self.manner = draw_buyer(Random(f"buyer:{seed}"))
        self._seed = seed

    def act(self, observation: BuyerObservation) -> Move:
        """Choose a move."""
        seen, manner, list_price = observation, self.manner, observation.opening_ask
        most = min(seen.budget, int(manner.most * list_price))
        bid, ask = seen.own_last_bid, seen.standing_ask
        if not manner.patience:
            return Walk()
        if bid is None:
            return self._offer(manner.first * list_price, most, ask)
        is_last = len(seen.bids) >= manner.patience or not seen.rounds_left
        if ask <= most and (is_last or ask - bid <= manner.close * list_price):
            return Accept()
        if is_last:
            return Walk()
        return self._offer(bid + self._step(len(seen.bids), ask - bid), most, ask)

    def _step(self, bids: int, gap: int) -> float:
        luck = Random(f"bid:{self._seed}:{bids}").random()
        start, growth = HOLD
        if luck < start + growth * (bids - 1):
            return 0.0
        return float(self.manner.gap * FADE ** (bids - 1) * gap)

    def _offer(self, price: float, most: int, ask: int) -> Move:
        named = named_price(price, ask)
        return Offer(clamp_price(min(named, most)))


ROUNDS = 10
PERCENTILES = (10, 25, 50, 75, 90)


class Dialogue(msgspec.Struct, frozen=True):
    """What counts of one game, in shares of its list price; ``messages`` are moves of both sides.

    ``asks`` begin with the list price; an acceptance names the other side's price.
    """

    messages: int
    deal: float | None
    by: Side | None
    asks: tuple[float, ...]
    bids: tuple[float, ...]

    def wordless(self) -> "Dialogue":
        """Return the same dialogue where whoever accepts names no price."""
        if self.deal is None:
            return self
        if self.by == "seller":
            return msgspec.structs.replace(self, asks=self.asks[:-1])
        return msgspec.structs.replace(self, bids=self.bids[:-1])

    @property
    def gaps(self) -> list[float]:
        """Part of the gap that each answer of the seller closed."""
        return [
            (before - after) / (before - bid)
            for (before, after), bid in zip(itertools.pairwise(self.asks), self.bids, strict=False)
        ]


def play(games: int, families: Sequence[Family] = FAMILIES, seed: int = 0) -> Iterator[Dialogue]:
    """Play sellers of families, drawn by weight, with buyers of the population."""
    weights = [family.weight for family in families]
    for number in range(seed, seed + games):
        family = Random(f"fit:{number}").choices(families, weights)[0]
        scenario = deal("people-fit", family, number, ROUNDS)
        # People's targets are no limits: most of their deals lie above them. The buyer's own
        # manner says what it pays at most, up to the list price.
        sealed = msgspec.structs.replace(scenario.sealed, budget=scenario.anchor)
        scenario = msgspec.structs.replace(scenario, sealed=sealed)
        seller = PersonSeller.drawn(family, sealed.seed)
        yield dialogue_of(_played(scenario, PersonBuyer(number), seller))


def _played(scenario: Scenario, buyer: PersonBuyer, seller: PersonSeller) -> Log:
    state, opening = start(scenario)
    events: list[Event] = [*opening]
    while (side := state.to_move) is not None:
        move = (
            buyer.act(observe_buyer(state))
            if side == "buyer"
            else seller.act(observe_seller(state))
        )
        state, happened = advance(state, repair(state, side, move))
        events += happened
    return Log(scenario, tuple(events))


def dialogue_of(log: Log) -> Dialogue:
    """Count one game that is over."""
    anchor, ended = log.scenario.anchor, log.ended
    named: dict[Side, list[float]] = {"seller": [1.0], "buyer": []}
    messages = 0
    for event in log.events:
        if isinstance(event, OfferMade | OfferAccepted):
            named[event.actor].append(event.price / anchor)
        messages += isinstance(event, OfferMade | OfferAccepted | WalkedAway)
    price = None if ended is None or ended.price is None else ended.price / anchor
    by = ended.by if ended is not None and price is not None else None
    return Dialogue(messages, price, by, tuple(named["seller"]), tuple(named["buyer"]))


def measure(games: Sequence[Dialogue]) -> dict[str, float]:
    """Count every figure of ``HUMAN``."""
    deals = [one.deal for one in games if one.deal is not None]
    found = {"deals": len(deals) / len(games), "deal_mean": mean(deals)}
    for name, values in (
        ("messages", [float(one.messages) for one in games]),
        ("seller_named", [len(one.asks) - 1.0 for one in games]),
        ("buyer_named", [float(len(one.bids)) for one in games]),
        ("deal", deals),
        ("first_bid", [one.bids[0] for one in games if one.bids]),
        ("first_ask", [one.asks[1] for one in games if len(one.asks) > 1]),
    ):
        found |= {f"{name}_{one}": percentile(values, one) for one in PERCENTILES}
    for place in (1, 2, 3):
        found |= _steps("seller", place, [_falls(one.asks) for one in games])
        found |= _steps("buyer", place, [_rises(one.bids) for one in games])
        gaps = [one.gaps[place - 1] for one in games if len(one.gaps) >= place]
        found |= {f"seller_gap_{place}_{one}": percentile(gaps, one) for one in PERCENTILES}
    return found | _by_first_bid(games)


def _falls(prices: Sequence[float]) -> list[float]:
    return [before - after for before, after in itertools.pairwise(prices)]


def _rises(prices: Sequence[float]) -> list[float]:
    return [after - before for before, after in itertools.pairwise(prices)]


def _steps(side: Side, place: int, paths: Iterable[list[float]]) -> dict[str, float]:
    steps = [path[place - 1] for path in paths if len(path) >= place]
    none = mean([float(step <= 0) for step in steps])
    return {f"{side}_step_{place}": mean(steps), f"{side}_none_{place}": none}


def _by_first_bid(games: Iterable[Dialogue]) -> dict[str, float]:
    classes: dict[str, list[float | None]] = {"low": [], "middle": [], "high": []}
    for one in games:
        if one.bids:
            first = one.bids[0]
            classes["low" if first < 0.5 else "middle" if first < 0.7 else "high"].append(one.deal)
    found = {}
    for name, ends in classes.items():
        deals = [price for price in ends if price is not None]
        found[f"{name}_deals"] = len(deals) / max(len(ends), 1)
        found[f"{name}_price"] = mean(deals)
    return found


def mean(values: Sequence[float]) -> float:
    """Return the mean; 0 of nothing."""
    return sum(values) / len(values) if values else 0.0


def percentile(values: Sequence[float], percent: float) -> float:
    """Return the value that this share of the others lies below; 0 of nothing."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(percent / 100 * len(ordered)))] if ordered else 0.0
