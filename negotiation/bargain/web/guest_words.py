"""The words of a game's page for somebody who looks on and sits in no seat."""

import functools

import msgspec

from negotiation.bargain.web.seats import BUYING, SELLING, Cast, Seat, seat_of
from negotiation.engine.quantities import Side
from negotiation.models import Game

WATCHED_SALE = msgspec.structs.replace(
    SELLING,
    doing="You are watching a sale to {rival}",
    title="a sale, live",
    own_price="The seller asks",
    first="The seller asks {ask}. {place} {rival} moves first.",
    both="{rival} bids {bid}, the seller asks {ask}. {place} {mover}",
    own_move="The seller's move.",
    own_walk="The seller walked away.",
    reading_empty="Nothing yet. {rival} watches the seller's words, the pace and how the price "
    "moves. After the seller's first line you will see what she sees.",
    from_words="From the seller's last words",
    gives_way="How the seller gives way",
    deal="Sold to {rival} for {price}",
)

WATCHED_PURCHASE = msgspec.structs.replace(
    BUYING,
    doing="You are watching a purchase from {rival}",
    title="a purchase, live",
    own_price="The buyer bids",
    first="{rival} asks {ask}. {place} The buyer moves first.",
    both="{rival} asks {ask}, the buyer bids {bid}. {place} {mover}",
    own_move="The buyer's move.",
    own_walk="The buyer walked away.",
    first_word="The first word is the buyer's.",
    gap="",
    last_round="Last round",
    deal="Bought from {rival} for {price}",
)


def guest_seat(game: Game) -> Seat:
    """Give the words of a game's page for its guests: nobody there is "you"."""
    own = seat_of(game)
    return _facing(own.side, own.rival)


def guest_cast(seat: Seat) -> Cast:
    """Name both sides for somebody who looks on."""
    if seat.side == "seller":
        return Cast("the seller", seat.rival, "seller", is_reader=False)
    return Cast(seat.rival, "the buyer", "buyer", is_reader=False)


@functools.cache
def _facing(side: Side, rival: str) -> Seat:
    return (WATCHED_SALE if side == "seller" else WATCHED_PURCHASE).facing(rival)
