"""Positions a seller may face, built in one line."""

import msgspec

from bazaarbatna.bargain.episode import Turn
from bazaarbatna.bargain.observe import SellerObservation
from bazaarbatna.bargain.quantities import Paise
from bazaarbatna.bargain.scenario import Item, SellerRules

TIFFIN = Item("Steel tiffin, three tiers", "Kitchen", "One clip is loose, lids close tight")


def a_stall(
    asks: tuple[float, ...] = (1000,),
    bids: tuple[float, ...] = (600,),
    *,
    reservation: float = 700,
    rounds: int = 10,
    said: str = "",
    item: Item = TIFFIN,
    persona: str = "default",
) -> SellerObservation:
    """A tiffin for 1,000 rupees that Asha will not give below 700; prices in rupees.

    ``said`` are the buyer's words with the last bid.
    """
    number = max(len(bids), 1)
    turns = (Turn("buyer", number, "offer", _paise(bids[-1]), said),) if bids else ()
    return SellerObservation(
        suite="buy@1",
        item=item,
        round=number,
        max_rounds=rounds,
        asks=tuple(map(_paise, asks)),
        bids=tuple(map(_paise, bids)),
        reservation=_paise(reservation),
        cost=_paise(reservation),
        persona=persona,
        rules=SellerRules(),
        turns=turns,
        done=False,
        outcome=None,
    )


def with_talk(observation: SellerObservation, text: str) -> SellerObservation:
    """The same position after the buyer said something without a price."""
    turn = Turn("buyer", observation.round, "message", None, text)
    return msgspec.structs.replace(observation, turns=(*observation.turns, turn)[-6:])


def _paise(rupees: float) -> Paise:
    return Paise(round(rupees * 100))
