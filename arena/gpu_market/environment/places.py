"""What stands in which row of the numbers: the same for what a lab sees and what it does."""

from arena.gpu_market.engine import Observation
from arena.gpu_market.engine.agreements import Coalition, Offer
from arena.gpu_market.environment.spaces import COALITION_PLACES, OFFER_PLACES


def offers_shown(seen: Observation) -> list[Offer]:
    """Give the open offers of a view, one a row: those to the lab first, the newest first."""
    live = [offer for offer in reversed(seen.offers) if offer.status == "open"]
    live.sort(key=lambda offer: offer.target != seen.lab)
    return live[:OFFER_PLACES]


def coalitions_shown(seen: Observation) -> list[Coalition]:
    """Give the open coalitions, one a row: those that ask the lab, its own, the newest first."""

    def concern(one: Coalition) -> int:
        return 0 if seen.lab in one.invited else 1 if seen.lab in one.members else 2

    live = [coalition for coalition in reversed(seen.coalitions) if coalition.open]
    return sorted(live, key=concern)[:COALITION_PLACES]
