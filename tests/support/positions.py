"""Positions a buyer may face, built in one line."""

import msgspec

from bazaarbatna.bargain.episode import Turn
from bazaarbatna.bargain.observe import BuyerObservation
from bazaarbatna.bargain.quantities import Paise
from bazaarbatna.bargain.scenario import Item
from bazaarbatna.bargain.tells import Tells


def a_position(
    asks: tuple[float, ...] = (1800,),
    bids: tuple[float, ...] = (),
    *,
    budget: float = 1500,
    at: int | None = None,
    rounds: int = 10,
    said: tuple[str, ...] = (),
    title: str = "Steel tiffin",
    tells: Tells | None = None,
    persona: str | None = None,
    deadline: int | None = None,
    currency: str = "INR",
) -> BuyerObservation:
    """A tiffin for 1,800 rupees and a buyer with 1,500; prices in rupees.

    ``said`` are the seller's last lines, each with the ask that stood then.
    """
    number = len(bids) + 1 if at is None else at
    turns = tuple(
        Turn("seller", max(number - len(said) + place, 1), "offer", _paise(asks[-1]), text)
        for place, text in enumerate(said)
    )
    return BuyerObservation(
        suite="sell@1",
        item=Item(title, currency=currency),
        round=number,
        max_rounds=rounds,
        asks=tuple(map(_paise, asks)),
        bids=tuple(map(_paise, bids)),
        budget=_paise(budget),
        deadline=deadline,
        persona=persona,
        tells=tells,
        turns=turns,
        career=None,
        done=False,
        outcome=None,
    )


def with_words(observation: BuyerObservation, text: str) -> BuyerObservation:
    """The same position after the seller said something without a price."""
    turn = Turn("seller", observation.round, "message", None, text)
    return msgspec.structs.replace(observation, turns=(*observation.turns, turn)[-6:])


def _paise(rupees: float) -> Paise:
    return Paise(round(rupees * 100))
