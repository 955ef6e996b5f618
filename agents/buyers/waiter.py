"""Waits: the same bid in every round, then the best ask it was given."""

from agents.buyers.base import RuleBuyer, bid
from negotiation.engine.moves import Accept, Move
from negotiation.engine.observe import BuyerObservation

BID_OF_ASK = 0.48
BID_OF_LIST_PRICE = 0.35
"""In suites of real listings, whose opening ask is the list price."""
LISTING_SUITES = ("amazon_realistic",)
BLUFFING_SUITES = ("deceptive_seller", "read_the_tells")
BLUFFER = "deceptive"


class Waiter(RuleBuyer):
    """Bids 48 % of the opening ask in every round and takes the ask once it has stopped falling.

    From a bluffer, whose asks stop and go on, it only takes the last round's. It looks neither at
    the goods nor at what is said: what it reaches is what patience alone is worth.
    """

    name = "rules:waiter"
    title = "Waiter"
    parameters = {
        "bid": BID_OF_ASK,
        "bid_of_list_price": BID_OF_LIST_PRICE,
        "listing_suites": LISTING_SUITES,
        "bluffing_suites": BLUFFING_SUITES,
    }

    def propose(self, observation: BuyerObservation) -> Move:
        """Stand still, or take what there is to take."""
        suite, _, _ = observation.suite.partition("@")
        is_bluffing = observation.persona == BLUFFER or suite in BLUFFING_SUITES
        has_stopped = len(observation.asks) > 1 and observation.last_concession <= 0
        is_over = observation.rounds_left == 0 or (has_stopped and not is_bluffing)
        if is_over and observation.standing_ask <= observation.budget:
            return Accept()
        share = BID_OF_LIST_PRICE if suite in LISTING_SUITES else BID_OF_ASK
        return bid(share * observation.opening_ask)
