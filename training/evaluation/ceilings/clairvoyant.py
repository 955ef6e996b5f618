"""What a buyer could reach that knows everything: the seller's limit, its schedule and its luck.

A pinned seller's luck is drawn for each round whatever was bid, and its asks do not look at bids.
So waiting with a bid that neither offends nor sells shows every round as it will be; the least bid
that is taken is found by halving. Exact to the paisa.
"""

import functools
import math
from collections.abc import Iterator

import msgspec

from bazaarbatna.bargain.career import Career, is_capitulation
from bazaarbatna.bargain.episode import State, advance, start
from bazaarbatna.bargain.graders import Closing
from bazaarbatna.bargain.moves import Accept, Move, Offer, Walk
from bazaarbatna.bargain.observe import BuyerObservation, observe_seller
from bazaarbatna.bargain.people.seller import PersonSeller
from bazaarbatna.bargain.quantities import Paise
from bazaarbatna.bargain.scenario import Scenario
from bazaarbatna.bargain.sellers import make_seller
from bazaarbatna.bargain.sellers.base import RuleSeller
from bazaarbatna.bargain.sellers.persona import HOUSE
from bazaarbatna.bargain.tasks import make_scenario, suite
from training.evaluation.ceilings.pinned_game import career_of, worth
from training.evaluation.playing import Aim

CACHED_GAMES = 64


class Reach(msgspec.Struct, frozen=True):
    """A deal that can be had: in this round, at this price, by this move."""

    round: int
    price: Paise
    move: Accept | Offer


class Way(msgspec.Struct, frozen=True):
    """Wait with a bid, then move (None: no deal is best); ``total`` counts what follows too."""

    total: float
    waiting: Paise
    round: int = 0
    move: Accept | Offer | None = None


class Clairvoyant:
    """Plays the best of all games that can be played on a seed of a suite.

    In careers it looks through all bargains: a deal leaves fewer units in stock for the next ones.
    """

    def __init__(self, seed: int, aim: Aim) -> None:
        self._seed, self._aim = seed, aim

    def act(self, seen: BuyerObservation) -> Move:
        """Wait for the round, and then take the deal."""
        career = career_of(seen)
        way = best_way(
            seen.suite, self._seed, self._aim, career.games, career.deals, career.capitulations
        )
        if way.move is None:
            return Walk()
        return way.move if seen.round == way.round else Offer(way.waiting)


@functools.lru_cache(maxsize=CACHED_GAMES * 64)
def best_way(
    suite_id: str, seed: int, aim: Aim, episode: int, deals: int, capitulations: int
) -> Way:
    """Find the best way from a bargain of a game on, after so many deals and capitulations."""
    career = Career(episode, deals, capitulations)
    scenario = make_scenario(suite_id, seed, episode, career)
    sealed = scenario.sealed

    def later(more: int, worse: int) -> float:
        if episode + 1 == suite(suite_id).episodes:
            return 0.0
        return best_way(suite_id, seed, aim, episode + 1, deals + more, capitulations + worse).total

    best = Way(later(0, 0), waiting_bid(scenario))
    for one in reaches(scenario):
        closing = Closing(
            one.price, one.round, scenario.max_rounds, sealed.budget, sealed.cost,
            sealed.reservation, sealed.deadline,
        )  # fmt: skip
        gained = worth(aim, suite_id, closing)
        total = gained + later(1, is_capitulation(scenario.anchor, one.price))
        if gained > 0 and total > best.total:
            best = Way(total, best.waiting, one.round, one.move)
    return best


def waiting_bid(scenario: Scenario) -> Paise:
    """Return a bid that a pinned seller neither takes nor leaves; the budget where that is less."""
    sealed = scenario.sealed
    patient = Paise(math.ceil(HOUSE.lowball * sealed.reservation))
    return min(patient, Paise(sealed.reservation - 1), sealed.budget)


def reaches(scenario: Scenario) -> Iterator[Reach]:
    """List the cheapest deals of every round: the standing ask, and the least bid that is taken."""
    seller, waiting = make_seller(scenario), waiting_bid(scenario)
    budget, reservation = scenario.sealed.budget, scenario.sealed.reservation
    state, _ = start(scenario)
    while state.ended is None and budget >= reservation:
        ask, round_ = state.standing_ask, state.round
        if ask <= budget:
            yield Reach(round_, ask, Accept())
        least, most = reservation, min(Paise(ask - 1), budget)
        if least <= most and _takes(seller, state, most):
            while least < most:
                middle = Paise((least + most) // 2)
                if _takes(seller, state, middle):
                    most = middle
                else:
                    least = Paise(middle + 1)
            yield Reach(round_, most, Offer(most))
        state, _ = advance(state, Offer(waiting))
        state, _ = advance(state, _answer(seller, state))


def _takes(seller: RuleSeller | PersonSeller, state: State, bid: Paise) -> bool:
    after, _ = advance(state, Offer(bid))
    move = _answer(seller.twin(), after)
    return isinstance(move, Accept) or (isinstance(move, Offer) and move.price <= bid)


def _answer(seller: RuleSeller | PersonSeller, state: State) -> Move:
    seen = observe_seller(state)
    seller.tells(seen)
    return seller.act(seen)
