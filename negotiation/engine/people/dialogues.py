"""Games of the population, and what is counted in them as it was counted in people's dialogues."""

import itertools
from collections.abc import Iterable, Iterator, Sequence
from random import Random

import msgspec

from negotiation.engine.episode import advance, start
from negotiation.engine.events import Event, OfferAccepted, OfferMade, WalkedAway
from negotiation.engine.log import Log
from negotiation.engine.observe import observe_buyer, observe_seller
from negotiation.engine.people.buyers import PersonBuyer
from negotiation.engine.people.dealing import deal
from negotiation.engine.people.families import FAMILIES, Family
from negotiation.engine.people.seller import PersonSeller
from negotiation.engine.proposals import repair
from negotiation.engine.quantities import Side
from negotiation.engine.scenario import Scenario

ROUNDS = 10
PERCENTILES = (10, 25, 50, 75, 90)


class Dialogue(msgspec.Struct, frozen=True):
    """What counts of one game, in shares of its list price.

    Attributes:
        messages: moves of both sides.
        deal: the price, if there was one.
        by: who accepted.
        asks: prices of the seller: the list price, then what its answers named; an acceptance
            names the bid.
        bids: prices of the buyer: an acceptance names the ask.
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
    """Play sellers of families, drawn by weight, with buyers of the population.

    Args:
        games: how many.
        families: who sells.
        seed: of the first game.
    """
    weights = [family.weight for family in families]
    for number in range(seed, seed + games):
        family = Random(f"fit:{number}").choices(families, weights)[0]
        scenario = deal("people-fit", family, number, ROUNDS)
        # People's targets are no limits: most of their deals lie above them. The buyer's own
        # manner says what it pays at most, up to the list price.
        sealed = msgspec.structs.replace(scenario.sealed, budget=scenario.anchor)
        scenario = msgspec.structs.replace(scenario, sealed=sealed)
        yield dialogue_of(_played(scenario, PersonBuyer(number), PersonSeller(scenario)))


def _played(scenario: Scenario, buyer: PersonBuyer, seller: PersonSeller) -> Log:
    """Play to the end without tells: these buyers read none."""
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
    """Return a percentile: the value that this share of the others lies below; 0 of nothing.

    >>> percentile([3, 1, 2], 50), percentile([1, 2], 100)
    (2, 2)
    """
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(percent / 100 * len(ordered)))] if ordered else 0.0
