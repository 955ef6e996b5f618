"""The buyer's reward of one move, term by term: what reinforcement learning is paid.

A move is judged as it was *proposed*, before anything repaired it, so that nonsense costs.
"""

import math

import msgspec

from bazaarbatna.bargain.career import Career
from bazaarbatna.bargain.episode import State, legal_moves
from bazaarbatna.bargain.moves import Accept, Offer
from bazaarbatna.bargain.quantities import Paise

DISCOUNT_RATE, DISCOUNT_GROWTH = 0.3, 2.5
"""The time discount of a deal is ``exp(-0.3 * exp(2.5 * round / rounds))``."""

CLOSER = 0.05
"""Paid in all for closing the gap from the opening ask to nothing."""

WALK, SELLER_WALKED, EXPIRED = -0.3, -0.2, -0.15
BAD_BID, REPEATED_BID, NOTHING_TO_ACCEPT = -0.2, -0.1, -0.1
CAPITULATION = -0.1
"""Times the capitulation rate of the career, from its third deal on."""

SAME_BID = 50
"""Bids less than or equal to this many paise apart count as the same."""
THIRD_TIME = 3
THIRD_DEAL = 3


class Reward(msgspec.Struct, frozen=True, kw_only=True):
    """The terms of one move's reward; ``total`` adds them up.

    Attributes:
        surplus: normalised surplus of a deal times its time discount, 0..1; 0 without a deal.
        closer: shaping for narrowing the gap, at most 0.05 over a whole game.
        walk: the buyer left.
        seller_walked: the seller left.
        expired: the rounds ran out.
        bad_bid: the proposed bid was no price, or outside 0..budget.
        repeated_bid: the same bid for the third time in a row, or more.
        nothing_to_accept: an acceptance that the rules do not allow.
        capitulation: the career's habit of closing near the anchor.
    """

    surplus: float = 0.0
    closer: float = 0.0
    walk: float = 0.0
    seller_walked: float = 0.0
    expired: float = 0.0
    bad_bid: float = 0.0
    repeated_bid: float = 0.0
    nothing_to_accept: float = 0.0
    capitulation: float = 0.0

    @property
    def total(self) -> float:
        """The sum of all terms."""
        return math.fsum(self.terms().values())

    def terms(self) -> dict[str, float]:
        """Name every term."""
        return {name: getattr(self, name) for name in self.__struct_fields__}


def normalised_surplus(budget: int, cost: int, price: int) -> float:
    """Return how much of what lies between cost and budget the buyer kept, 0..1."""
    if budget <= cost:
        return 0.0
    return min(max((budget - price) / (budget - cost), 0.0), 1.0)


def time_discount(round_: int, rounds: int) -> float:
    """Return what a deal in a round is still worth, above 0 and below 1."""
    return math.exp(-DISCOUNT_RATE * math.exp(DISCOUNT_GROWTH * round_ / rounds))


def reward(before: State, proposal: object, after: State, career: Career | None = None) -> Reward:
    """Judge a proposed move of the buyer by where it led; ``career`` counts this game already.

    In the ``sampled`` variants and with the population a game without a zone of possible
    agreement costs nothing when it ends without a deal: leaving was right.
    """
    return Reward(
        surplus=_surplus(after),
        closer=_closer(before, after),
        capitulation=_capitulation(after, career),
        **_ending(after),
        **_nonsense(before, proposal),
    )


def _surplus(after: State) -> float:
    ended = after.ended
    if ended is None or ended.price is None:
        return 0.0
    sealed = after.scenario.sealed
    kept = normalised_surplus(sealed.budget, sealed.cost, ended.price)
    return kept * time_discount(ended.round, after.scenario.max_rounds)


def _closer(before: State, after: State) -> float:
    return CLOSER * (_gap(before) - _gap(after)) / before.scenario.anchor


def _gap(state: State) -> int:
    if state.ended is not None and state.ended.price is not None:
        return 0
    bid = state.standing_bid or 0
    return max(state.standing_ask - bid, 0)


def _ending(after: State) -> dict[str, float]:
    ended = after.ended
    if ended is None or ended.outcome == "deal" or _is_rational(after):
        return {}
    if ended.outcome == "expired":
        return {"expired": EXPIRED}
    return {"walk": WALK} if ended.by == "buyer" else {"seller_walked": SELLER_WALKED}


def forgives(suite: str) -> bool:
    """Whether a suite fines no end without a deal where no price could suit both."""
    return "@sampled" in suite or suite.startswith("people")


def _is_rational(after: State) -> bool:
    return forgives(after.scenario.suite) and after.scenario.zopa <= 0


def _nonsense(before: State, proposal: object) -> dict[str, float]:
    if isinstance(proposal, Accept):
        allowed = "accept" in legal_moves(before, "buyer")
        return {} if allowed else {"nothing_to_accept": NOTHING_TO_ACCEPT}
    if not isinstance(proposal, Offer):
        return {}
    price: object = proposal.price
    if not _is_bid(price, before.scenario.sealed.budget):
        return {"bad_bid": BAD_BID}
    last = before.bids[-(THIRD_TIME - 1) :]
    repeated = len(last) == THIRD_TIME - 1 and all(
        abs(bid - proposal.price) <= SAME_BID for bid in last
    )
    return {"repeated_bid": REPEATED_BID} if repeated else {}


def _is_bid(price: object, budget: Paise) -> bool:
    return isinstance(price, int | float) and not isinstance(price, bool) and 0 <= price <= budget


def _capitulation(after: State, career: Career | None) -> float:
    ended = after.ended
    if career is None or ended is None or ended.price is None or career.deals < THIRD_DEAL:
        return 0.0
    return CAPITULATION * career.capitulation_rate
