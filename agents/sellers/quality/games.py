"""The games of the quality report: listings of the catalogue, and buyers who open low."""

from random import Random
from typing import Protocol

import msgspec

from agents.buyers.aggressive import Aggressive
from agents.buyers.base import RuleBuyer
from agents.buyers.og import Og
from agents.buyers.sauda import Sauda
from agents.buyers.smart import Smart
from agents.buyers.split import Split
from agents.buyers.timed import Boulware, Linear
from agents.buyers.tit_for_tat import TitForTat
from agents.buyers.zeuthen import Zeuthen
from agents.sellers.quality import chatter
from agents.sellers.quality.cautious import Cautious
from negotiation.catalogue.stock import Entry, read_stock
from negotiation.engine.episode import State, apply, say, start
from negotiation.engine.events import Ended, Event, MessageSent, OfferAccepted, OfferMade
from negotiation.engine.moves import Move
from negotiation.engine.observe import SellerObservation, observe_buyer, observe_seller
from negotiation.engine.quantities import Paise, clamp_price
from negotiation.engine.scenario import Item, Scenario, SealedValues
from negotiation.purchases import draw_cost
from negotiation.scenarios import MAX_ROUNDS, RESERVATION_MARGIN, draw_budget

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
"""Met in turn. Those who take any price at once, or bid at random, test no seller."""


class House(Protocol):
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
    """Draw the games of a persona as the site draws purchases, with a sealed budget for the buyer.

    Args:
        persona: the seller's name.
        count: how many.
        seed: another seed, other listings and values.
    """
    stock = [(shelf.category, entry) for shelf in read_stock() for entry in shelf.listing]
    dice = Random(f"quality:{persona}:{seed}")
    picked = [dice.choice(stock) for _ in range(count)]
    return [_scenario(*goods, persona, dice.randrange(2**53)) for goods in picked]


async def play(
    scenario: Scenario, buyer_class: type[RuleBuyer], house: House, *, cautious: bool = False
) -> Episode:
    """Play one game; an illegal move of the seller raises.

    Args:
        scenario: where it starts.
        buyer_class: whom the seller meets.
        house: what plays the seller.
        cautious: the buyer opens low and climbs slowly, whatever its own plan says.
    """
    persona, seed = scenario.sealed.persona, scenario.sealed.seed
    dice, plain = Random(f"talk:{seed}"), buyer_class(seed)
    buyer = Cautious(plain) if cautious else plain
    state, events = start(scenario)
    log = list(events)
    while state.ended is None:
        if state.to_move == "buyer":
            move = buyer.act(observe_buyer(state))
            words = move.text or chatter.with_a_bid(dice)
            state, events = apply(state, "buyer", msgspec.structs.replace(move, text=words))
        else:
            state, talk = await _talk(state, house, dice)
            log += talk
            answer = await house.act(observe_seller(state), persona, seed)
            state, events = apply(state, "seller", answer)
        log += events
    return Episode(persona, buyer_class.name, scenario, tuple(log))


async def _talk(state: State, house: House, dice: Random) -> tuple[State, list[Event]]:
    words = chatter.mere_talk(dice)
    if not words:
        return state, []
    sealed = state.scenario.sealed
    state, asked = say(state, "buyer", words)
    answer = await house.reply(observe_seller(state), sealed.persona, sealed.seed)
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
        budget=draw_budget(seed, asking, reservation),
        seed=seed,
        persona=persona,
    )
    item = Item(entry.title, category, entry.text, entry.condition)
    return Scenario("buy@1", item, MAX_ROUNDS, asking, sealed, f"quality-{seed}")
