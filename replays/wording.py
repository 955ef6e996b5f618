"""The words of a replay that depend on which side a person played."""

import msgspec

from negotiation.bargain.shops import shop_of
from negotiation.models import Game
from negotiation.policies import title_of


class Wording(msgspec.Struct, frozen=True):
    """One row of words; ``players`` tells who played what, with or without a deal."""

    players: str
    deal: str
    reservation: str
    budget: str
    seller_share: str
    buyer_share: str
    reads_now: str
    read_last: str
    pressed: str
    room: str
    certificate: str


SOLD = Wording(
    players="A visitor sells, Sauda buys",
    deal="Sold to Sauda for",
    reservation="Seller's reservation price",
    budget="Sauda's budget",
    seller_share="Seller's share",
    buyer_share="Sauda's share",
    reads_now="What Sauda reads in these words",
    read_last="What Sauda read last",
    pressed="Sauda thinks: pressed",
    room="Sauda thinks: room left",
    certificate="Sauda's honesty, checked",
)
BOUGHT = Wording(
    players="A visitor buys from {seller}",
    deal="Bought from {seller} for",
    reservation="{seller}'s reservation price",
    budget="The buyer's budget",
    seller_share="{seller}'s share",
    buyer_share="The buyer's share",
    reads_now="What these words give away",
    read_last="What her last words gave away",
    pressed="Seems pressed",
    room="Seems to have room",
    certificate="{seller}'s honesty, checked",
)
SIMULATED = Wording(
    players="{buyer} buys from {persona} seller",
    deal="{buyer} buys for",
    reservation="Seller's reservation price",
    budget="The buyer's budget",
    seller_share="Seller's share",
    buyer_share="{buyer}'s share",
    reads_now="What the seller lets show",
    read_last="What the seller last let show",
    pressed="A buyer may think: pressed",
    room="A buyer may think: room left",
    certificate="",
)
PERSONAS = {
    "default": "a plain",
    "deceptive": "a deceptive",
    "impatient": "an impatient",
    "collaborative": "a friendly",
}
"""How a persona is told of in a sentence."""


def wording_of(game: Game) -> Wording:
    """Give the words for a game."""
    if game.kind == "sim":
        buyer, persona = title_of(game.policy), PERSONAS.get(game.persona, "a")
        return _filled(SIMULATED, buyer=buyer, persona=persona)
    if game.seat != Game.Seat.BUYER:
        return SOLD
    return _filled(BOUGHT, seller=shop_of(game.policy).keeper)


def _filled(row: Wording, **names: str) -> Wording:
    words = msgspec.structs.asdict(row)
    return Wording(**{name: text.format(**names) for name, text in words.items()})
