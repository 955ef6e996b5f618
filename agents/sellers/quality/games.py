"""The games of the quality report: listings of the catalogue, and buyers who open low."""

from pathlib import Path
from random import Random
from typing import Protocol

import msgspec

from agents.buyers.classic import Aggressive, Og, Smart
from agents.buyers.sauda import Sauda
from bazaarbatna.bargain.episode import State, apply, say, start
from bazaarbatna.bargain.events import Ended, Event, MessageSent, OfferAccepted, OfferMade
from bazaarbatna.bargain.moves import Move, Offer
from bazaarbatna.bargain.observe import (
    BuyerObservation,
    SellerObservation,
    observe_buyer,
    observe_seller,
)
from bazaarbatna.bargain.quantities import Paise, clamp_price
from bazaarbatna.bargain.scenario import Item, Scenario, SealedValues
from bazaarbatna.players.base import RuleBuyer
from bazaarbatna.players.simple import Boulware, Linear, Split, TitForTat, Zeuthen
from bazaarbatna.word_tables import read_table
from negotiation.bargain.purchases import draw_cost
from negotiation.bargain.scenarios import MAX_ROUNDS, RESERVATION_MARGIN, draw_budget
from negotiation.catalogue.stock import Entry, read_stock

OPENING = (0.33, 0.48)

PACE = 0.35


class _Cautious:
    """Plays as another buyer would, but never names the good price at once."""

    def __init__(self, buyer: RuleBuyer) -> None:
        self.buyer = buyer

    def act(self, observation: BuyerObservation) -> Move:
        move = self.buyer.act(observation)
        if not isinstance(move, Offer):
            return move
        last = observation.own_last_bid
        if last is None:
            share = Random(f"opening:{self.buyer.seed}").uniform(*OPENING)
            return Offer(Paise(max(min(move.price, round(share * observation.standing_ask)), 1)))
        return Offer(Paise(last + round(PACE * (move.price - last))))


_SAID = read_table(Path(__file__).with_suffix(".toml"), dict[str, tuple[str, ...]])
WITH_BIDS, MERE_TALK = _SAID["with_bids"], _SAID["mere_talk"]

TALK_P = 0.25


BUYERS: tuple[type[RuleBuyer], ...] = (
    Sauda,
    Aggressive,
    Boulware,
    Linear,
    TitForTat,
    Zeuthen,
    Split,
    Smart,
    Og,
)


class Sellers(Protocol):
    """What plays the sellers."""

    async def act(self, observation: SellerObservation, persona: str, seed: int) -> Move:
        """Choose the seller's move."""
        ...

    async def reply(self, observation: SellerObservation, persona: str, seed: int) -> str:
        """Choose the seller's words without a move."""
        ...


class Episode(msgspec.Struct, frozen=True):
    """A finished game of one persona."""

    persona: str
    buyer: str
    scenario: Scenario
    events: tuple[Event, ...]

    @property
    def messages(self) -> tuple[str, ...]:
        """Everything the seller said."""
        spoken = (OfferMade, OfferAccepted, MessageSent)
        return tuple(
            e.text for e in self.events if isinstance(e, spoken) and e.actor == "seller" and e.text
        )

    @property
    def asks(self) -> tuple[Paise, ...]:
        """The anchor and the seller's counters, in paise."""
        made = (e.price for e in self.events if isinstance(e, OfferMade) and e.actor == "seller")
        return (self.scenario.anchor, *made)

    @property
    def bids(self) -> tuple[Paise, ...]:
        """The buyer's bids, in paise."""
        return tuple(
            e.price for e in self.events if isinstance(e, OfferMade) and e.actor == "buyer"
        )

    @property
    def ended(self) -> Ended:
        """How it ended."""
        last = self.events[-1]
        assert isinstance(last, Ended)
        return last


def scenarios(persona: str, count: int, seed: int) -> list[Scenario]:
    """Draw games of a persona as the site draws purchases, with a sealed budget."""
    stock = [(shelf.category, entry) for shelf in read_stock() for entry in shelf.listing]
    dice = Random(f"quality:{persona}:{seed}")
    picked = [dice.choice(stock) for _ in range(count)]
    return [_scenario(*goods, persona, dice.randrange(2**53)) for goods in picked]


async def play(
    scenario: Scenario, buyer_class: type[RuleBuyer], sellers: Sellers, *, cautious: bool = False
) -> Episode:
    """Play one game; an illegal move of the seller raises."""
    persona, seed = scenario.sealed.persona, scenario.sealed.seed
    dice, plain = Random(f"talk:{seed}"), buyer_class(seed)
    buyer = _Cautious(plain) if cautious else plain
    state, events = start(scenario)
    log = list(events)
    while state.ended is None:
        if state.to_move == "buyer":
            move = buyer.act(observe_buyer(state))
            words = move.text or dice.choice(WITH_BIDS)
            state, events = apply(state, "buyer", msgspec.structs.replace(move, text=words))
        else:
            state, talk = await _talk(state, sellers, dice)
            log += talk
            answer = await sellers.act(observe_seller(state), persona, seed)
            state, events = apply(state, "seller", answer)
        log += events
    return Episode(persona, buyer_class.name, scenario, tuple(log))


async def _talk(state: State, sellers: Sellers, dice: Random) -> tuple[State, list[Event]]:
    if dice.random() >= TALK_P:
        return state, []
    sealed = state.scenario.sealed
    state, asked = say(state, "buyer", dice.choice(MERE_TALK))
    answer = await sellers.reply(observe_seller(state), sealed.persona, sealed.seed)
    if not answer:
        return state, [*asked]
    state, answered = say(state, "seller", answer)
    return state, [*asked, *answered]


def _scenario(category: str, entry: Entry, persona: str, seed: int) -> Scenario:
    asking = Paise(100 * entry.list)
    cost = draw_cost(seed, 100 * entry.street)
    reservation = clamp_price(RESERVATION_MARGIN * cost, high=asking)
    sealed = SealedValues(
        reservation=reservation,
        cost=min(cost, reservation),
        budget=draw_budget(seed, asking, reservation, 100 * entry.street),
        seed=seed,
        persona=persona,
    )
    item = Item(entry.title, category, entry.text, entry.condition)
    return Scenario("buy@1", item, MAX_ROUNDS, asking, sealed, f"quality-{seed}")
