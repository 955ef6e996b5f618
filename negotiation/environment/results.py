"""How one bargain ended, with its hidden values open."""

import msgspec

from negotiation.engine.events import Opened, Termination
from negotiation.engine.log import Log
from negotiation.engine.quantities import Side, to_rupees
from negotiation.engine.rewards import normalised_surplus
from negotiation.engine.scenario import SealedValues
from negotiation.engine.scoring import Label, score


class Result(msgspec.Struct, frozen=True):
    """A finished bargain; prices in rupees, shares 0..1.

    Attributes:
        game: which bargain of its game it was, counted from 1.
        outcome: ``deal``, ``walk`` or ``expired``.
        by: who accepted or walked.
        round: in which round it ended.
        price: the deal price, if any.
        buyer_share: the buyer's part of the zone of possible agreement; 0 without a deal.
        seller_share: the seller's part.
        surplus: normalised surplus of the buyer between budget and cost, 0..1.
        label: ``buyer win``, ``seller win``, ``tie``, ``mutual loss`` or ``rational walk``.
        reservation_price: the least that the seller would have taken.
        cost: what the item was worth to the seller.
        budget: the most that the buyer could pay.
        persona: how the seller behaved.
        seller: version label of the seller; results of different versions are never mixed.
        commitment: the SHA-256 that was shown before the first move.
        opened: the committed values as they were sealed, prices in paise.
        salt: with ``opened`` it gives the commitment again.
    """

    game: int
    outcome: Termination
    by: Side | None
    round: int
    price: float | None
    buyer_share: float
    seller_share: float
    surplus: float
    label: Label
    reservation_price: float
    cost: float
    budget: float
    persona: str
    seller: str
    commitment: str
    opened: SealedValues
    salt: str

    def __repr__(self) -> str:
        return f"Result({self.outcome!r}, round={self.round})"


def to_result(log: Log, game: int) -> Result:
    """Sum a finished bargain up.

    Args:
        log: a bargain that has ended.
        game: its place, counted from 1.

    Raises:
        ValueError: it has not ended.
    """
    scored, ended, sealed = score(log), log.ended, log.scenario.sealed
    opening = log.events[0]
    assert ended is not None
    assert isinstance(opening, Opened)
    price = ended.price
    return Result(
        game=game,
        outcome=ended.outcome,
        by=ended.by,
        round=ended.round,
        price=None if price is None else to_rupees(price),
        buyer_share=ended.buyer_share,
        seller_share=ended.seller_share,
        surplus=0.0 if price is None else normalised_surplus(sealed.budget, sealed.cost, price),
        label=scored.label,
        reservation_price=to_rupees(sealed.reservation),
        cost=to_rupees(sealed.cost),
        budget=to_rupees(sealed.budget),
        persona=sealed.persona,
        seller=log.scenario.seller,
        commitment=opening.commitment,
        opened=sealed,
        salt=log.scenario.salt,
    )
