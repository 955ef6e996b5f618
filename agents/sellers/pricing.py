"""A seller's bargaining without words: when to take a bid, when to leave, how far to come down."""

from agents.rounding import STEPS, people_price
from agents.sellers.faith import BAD_FAITH, may_walk
from agents.sellers.persona import Temper
from negotiation.engine.moves import Accept, Move, Offer, Walk
from negotiation.engine.observe import SellerObservation
from negotiation.engine.quantities import Paise


def propose(observation: SellerObservation, temper: Temper) -> Move:
    """Choose a move without words; the guard still follows."""
    bid = observation.standing_bid
    if bid is not None and bid >= observation.reservation:
        return Accept()
    if may_walk(observation, temper.walks_after):
        return Walk()
    return Offer(counter(observation, temper))


def counter(observation: SellerObservation, temper: Temper) -> Paise:
    """Compute the next ask in paise: one step down, said as people say prices.

    Rounding gives the buyer at most one step of ``agents.rounding`` more. Where the step would pass
    the seller's own floor, the price just above the floor is named, so that the reservation price
    itself is hardly ever said.
    """
    ask = observation.standing_ask
    down = step(observation, temper)
    wish = people_price(ask - down, ask, change=down)
    least = floor(observation, temper)
    return Paise(wish if wish >= least else min(_above(least, ask), ask))


def step(observation: SellerObservation, temper: Temper) -> float:
    """Give the paise of the next concession: the larger of two shares, of the ask and of the gap.

    The gap is the distance from the standing ask to the standing bid. A bid in bad faith counts as
    half the ask: whoever bids next to nothing must not be answered with the largest step.
    """
    ask = observation.standing_ask
    bid = max(observation.standing_bid or 0, BAD_FAITH * ask)
    made = len(observation.asks) - 1
    share = temper.gap_shares[made % len(temper.gap_shares)]
    return max(temper.least_step * ask, share * (ask - bid))


def floor(observation: SellerObservation, temper: Temper) -> int:
    """Give the lowest ask in paise of this round: the reservation price and what is left on top."""
    rounds, left = observation.max_rounds, observation.max_rounds - observation.round
    kept = temper.cushion * left / max(rounds - 1, 1)
    return max(observation.reservation, round(observation.reservation * (1 + kept)))


def _above(price: int, ask: int) -> Paise:
    fine = next(row[2] for row in STEPS if ask / 100 < row[0])
    said = people_price(price, ask, change=0)
    return said if said >= price else Paise(said + 100 * fine)
