"""Positions made of exchanges: where a seller of the corpus could have said that line."""

from random import Random

import msgspec

from agents.speech.bank import ANY_GOODS, ITEM, LAST, Exchange, shelves
from agents.speech.speaker import filled, thing_of
from agents.text.price_text import read_prices
from negotiation.catalogue.stock import Entry, Shelf, read_stock
from negotiation.engine.episode import Turn
from negotiation.engine.moves import Accept, Move, Offer, Walk
from negotiation.engine.observe import BuyerObservation
from negotiation.engine.quantities import Paise
from negotiation.engine.scenario import SALE, Item
from negotiation.money import rupees_text

ROUNDS = 8
BEGUN, STEP, PURSE = 0.6, 0.05, 0.9
"""Her last bid, her step and her budget, as shares of the ask."""


class Position(msgspec.Struct, frozen=True):
    """A position, and what is played in it; None where words alone are wanted."""

    seen: BuyerObservation
    move: Move | None


def position_of(one: Exchange, seed: int = 0) -> Position:
    """Make the position of an exchange.

    Args:
        one: the exchange.
        seed: of the thing that is sold, where the exchange does not tell.
    """
    shelf, entry = _listing(one, Random(f"position:{seed}:{one.line}"))
    named = read_prices(one.said, None, None).price if "price" in one.heard else None
    # A bare "12" means thousands; an ask of a few rupees is none of this catalogue.
    ask = named if named is not None and named >= 100_00 else Paise(entry.list * 100)
    last = Paise(round(BEGUN * ask / 5000) * 5000 or 1000)
    bids = () if one.move == "open" else (last,)
    asks = (ask,) if one.move == "open" else (Paise(round(1.1 * ask)), ask)
    slots = {LAST: rupees_text(last / 100), ITEM: thing_of(entry.title)}
    before = Turn("buyer", 1, "offer", last, filled(one.before, slots))
    said = Turn("seller", 1, "message" if one.move == "talk" else "offer", ask, one.said)
    seen = BuyerObservation(
        suite=SALE,
        item=Item(entry.title, shelf.category),
        round=ROUNDS if one.final else 2,
        max_rounds=ROUNDS,
        asks=asks,
        bids=bids,
        budget=Paise(round(PURSE * ask) + 7_00),
        deadline=None,
        persona=None,
        tells=None,
        turns=(before, said) if bids and one.before else (said,),
        career=None,
        done=False,
        outcome=None,
    )
    return Position(seen, _move(one, last, ask))


def _move(one: Exchange, last: Paise, ask: Paise) -> Move | None:
    match one.move:
        case "talk":
            return None
        case "accept":
            return Accept()
        case "leave":
            return Walk()
        case "concede":
            return Offer(Paise(last + max(1000, round(STEP * ask / 1000) * 1000)))
        case _:
            return Offer(last)


def _listing(one: Exchange, dice: Random) -> tuple[Shelf, Entry]:
    stock = [
        (shelf, entry)
        for shelf in read_stock()
        for entry in shelf.listing
        if one.goods == ANY_GOODS or shelves()[shelf.category] == one.goods
    ]
    said = one.said.lower()
    named = [pair for pair in stock if (name := thing_of(pair[1].title).lower()) and name in said]
    return dice.choice(named or stock)
