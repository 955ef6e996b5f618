"""Buyers whose bid depends on the time alone."""

from collections.abc import Mapping
from typing import ClassVar

from agents.buyers.base import RuleBuyer, bid
from negotiation.engine import price_grid
from negotiation.engine.moves import Move
from negotiation.engine.observe import BuyerObservation

LOW_OF_ASK = 0.5


class Timed(RuleBuyer):
    """Climbs from half the opening ask to the budget along ``1 - t**e``; takes what it would bid.

    Faratin, Sierra and Jennings (1998).
    """

    exponent: ClassVar[float]

    def propose(self, observation: BuyerObservation) -> Move:
        """Bid what the clock says."""
        budget = observation.budget
        low = min(LOW_OF_ASK * observation.opening_ask, budget)
        t = price_grid.elapsed(observation.round - 1, observation.max_rounds)
        return bid(budget - (budget - low) * price_grid.aspiration(t, self.exponent))


def _parameters(exponent: float) -> Mapping[str, object]:
    return {"low": LOW_OF_ASK, "exponent": exponent}


class Boulware(Timed):
    """Waits long and gives in late (e = 4)."""

    name = "rules:boulware"
    title = "Boulware"
    exponent = price_grid.BOULWARE
    parameters = _parameters(price_grid.BOULWARE)


class Linear(Timed):
    """Climbs evenly (e = 1)."""

    name = "rules:linear"
    title = "Linear"
    exponent = price_grid.LINEAR
    parameters = _parameters(price_grid.LINEAR)


class Conceder(Timed):
    """Gives in early (e = 1/4)."""

    name = "rules:conceder"
    title = "Conceder"
    exponent = price_grid.CONCEDER
    parameters = _parameters(price_grid.CONCEDER)
