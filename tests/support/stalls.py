"""Whole purchases between a buyer with a script and a seller of the house, without a site."""

from collections.abc import Iterator, Sequence
from random import Random

import msgspec

from bazaarbatna.bargain.episode import State, start
from bazaarbatna.bargain.events import Event
from bazaarbatna.bargain.observe import SellerObservation, observe
from bazaarbatna.bargain.quantities import Paise
from bazaarbatna.bargain.scenario import Item, Scenario, SealedValues
from negotiation.bargain import opponent
from negotiation.bargain.commands import Say, carry_out
from negotiation.bargain.purchases import SUITE
from negotiation.errors import TwoPrices

GOODS = (
    Item(
        "Philips mixer grinder 750 W, three jars",
        "Appliances",
        "Two years old, one jar has a small crack at the lid. Motor runs strong. Bill is gone.",
    ),
    Item(
        "Brass hanging lamp with chain, peacock top",
        "Brass and crafts",
        "Polished with tamarind every Vishu, one link of chain is a later brass.",
    ),
    Item(
        "Redmi Note 12 5G, 6 GB / 128 GB, matte black",
        "Phones",
        "Screen guard cracked, screen below it clean. Battery lasts a full Delhi metro day.",
    ),
    Item("Sheesham study table with two drawers", "Furniture", ""),
)
ASK = 1500
"""Opening ask in rupees."""
FIRST_BID = 600_00
"""Paise that a first "+20" adds to."""


class Answered(msgspec.Struct, frozen=True):
    """A line of the buyer's, the seller's view after it, and what the seller did and said."""

    said: str
    seen: SellerObservation
    text: str
    events: tuple[Event, ...]


def purchase(seed: int, policy: str, goods: int | None = None) -> Scenario:
    """Draw a purchase of the site's kind."""
    reservation = Paise(100 * round(ASK * Random(seed).uniform(0.5, 0.7)))
    item = GOODS[seed % len(GOODS) if goods is None else goods]
    sealed = SealedValues(
        reservation, reservation, Paise(100 * ASK), seed, persona=policy.removeprefix("seller:")
    )
    return Scenario(
        SUITE, item, 10, Paise(100 * ASK), sealed, "0" * 32, seller=policy, persona_visible=True
    )


def haggle(
    seed: int, policy: str, lines: Sequence[str], goods: int | None = None
) -> list[Answered]:
    """Say lines as a person at the page would, until they or the game are over.

    A line "+20" bids 20 rupees more than before.
    """
    state, opened = start(purchase(seed, policy, goods))
    seq = len(opened)
    return [*_answers(state, seq, policy, lines)]


def _answers(state: State, seq: int, policy: str, lines: Sequence[str]) -> Iterator[Answered]:
    for wish in lines:
        line = wish
        if state.ended is not None:
            return
        if line.startswith("+"):
            bid = (state.standing_bid or FIRST_BID) // 100 + int(line[1:])
            if 100 * bid >= state.standing_ask:
                return
            line = f"{bid}"
        try:
            answer = carry_out(state, seq, Say(line), 3.0, "buyer")
        except TwoPrices:
            continue  # asked back, as "40 % off" is: nothing was said
        state, seq = answer.state, seq + len(answer.events)
        if state.ended is not None:
            return
        seen = observe(state, "seller")
        turn = opponent.take(state, policy, seq)
        if turn is None:
            yield Answered(line, seen, "", ())
            continue
        state, seq = turn.state, seq + len(turn.events)
        texts = [text for event in turn.events if (text := getattr(event, "text", ""))]
        yield Answered(line, seen, texts[0] if texts else "", turn.events)
