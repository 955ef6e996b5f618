"""How good a buyer could be with the population: bounds for its suites, both approximate."""

from pathlib import Path

import msgspec

from agents.buyers.network import CARD
from agents.buyers.network_buyer import NetworkBuyer, network_in
from bazaarbatna.bargain.episode import State, advance, start
from bazaarbatna.bargain.moves import Accept, Move, Offer, Walk
from bazaarbatna.bargain.observe import BuyerObservation, observe_seller
from bazaarbatna.bargain.people.manner import named_price
from bazaarbatna.bargain.people.seller import PersonSeller
from bazaarbatna.bargain.people.suites import people_suite
from bazaarbatna.bargain.proposals import repair
from bazaarbatna.bargain.quantities import Paise
from bazaarbatna.bargain.scenario import Scenario
from bazaarbatna.players.guard import guard
from training.evaluation.playing import Aim, Ceilings

NETWORKS = Path(__file__).with_name("networks")
"""What ``manage.py best_responses`` found, a folder for each suite."""

BEAM = 8  # Positions of a round that a clairvoyant goes on with
STEPS = (0.0, 0.05, 0.12, 0.22, 0.36, 0.55, 0.8)
OPENINGS = (0.3, 0.4, 0.48, 0.56, 0.64, 0.74, 0.86)
"""Bids that it tries: parts of the way to what could be paid, and shares of that at first."""


class Clairvoyant:
    """Knows the seller and its luck: a beam search over bids, played to the end."""

    def __init__(self, seed: int, aim: Aim) -> None:
        self._seed, self._aim = seed, aim
        self._plan: list[Move] | None = None

    def act(self, seen: BuyerObservation) -> Move:
        """Play the next move of the best way through the game."""
        if self._plan is None:
            suite = people_suite(seen.suite)
            assert suite is not None
            self._plan = best_way(suite.deal(self._seed), self._aim)
        number = len(seen.bids)
        move = self._plan[number] if number < len(self._plan) else Walk()
        return guard(seen, move)


class _Way(msgspec.Struct, frozen=True):
    state: State
    moves: tuple[Move, ...]


def best_way(scenario: Scenario, aim: Aim) -> list[Move]:
    """Search the moves that bring most, the seller's luck being known."""
    seller = PersonSeller(scenario)
    best: tuple[float, tuple[Move, ...]] = (0.0, (Walk(),))
    beam = [_Way(start(scenario)[0], ())]
    while beam:
        ahead: dict[tuple[int, int], _Way] = {}
        for way in beam:
            for move in _moves(way.state):
                after = _answered(seller, way.state, move)
                moves = (*way.moves, move)
                if after.ended is None:
                    key = (after.standing_ask, after.standing_bid or 0)
                    ahead.setdefault(key, _Way(after, moves))
                else:
                    best = max(best, (_worth(after, aim), moves), key=lambda one: one[0])
        # Low bids that brought low asks are the most promising.
        ranked = sorted(ahead.values(), key=lambda w: w.state.asks[-1] + 0.5 * w.state.bids[-1])
        beam = ranked[:BEAM]
    return list(best[1])


def _moves(state: State) -> list[Move]:
    ask, budget = state.standing_ask, state.scenario.sealed.budget
    most, last = min(ask, budget), state.standing_bid
    if last is None:
        wanted = [most * share for share in OPENINGS]
    else:
        wanted = [last + max(most - last, 0) * share for share in STEPS]
    found: list[Move] = [Accept()] if ask <= budget else []
    prices = {max(named_price(one, state.asks[0]), last or 1) for one in wanted}
    return found + [Offer(Paise(price)) for price in sorted(prices) if price <= most]


def _answered(seller: PersonSeller, state: State, move: Move) -> State:
    state, _ = advance(state, repair(state, "buyer", move))
    if state.ended is not None:
        return state
    return advance(state, repair(state, "seller", seller.act(observe_seller(state))))[0]


def _worth(state: State, aim: Aim) -> float:
    ended, deadline = state.ended, state.scenario.sealed.deadline
    if ended is None or ended.price is None:
        return 0.0
    is_late = aim == "grade" and deadline is not None and ended.round > deadline
    return ended.buyer_share * (0.5 if is_late else 1.0)


def folder_of(suite_id: str) -> Path:
    """Return where the best response to a suite lies; horizons share their suite's."""
    return NETWORKS / suite_id.partition("@")[0]


def best_response(seed: int, suite_id: str) -> NetworkBuyer:
    """Seat the network that was trained on the suite's own families."""
    return NetworkBuyer(seed, network_in(folder_of(suite_id))[0])


class BestResponse:
    """The network of whatever suite it finds itself in."""

    def __init__(self, seed: int, aim: Aim) -> None:
        self._seed = seed

    def act(self, seen: BuyerObservation) -> Move:
        """Choose as that network does."""
        return best_response(self._seed, seen.suite).decide(seen)


def ceilings_of(suite_id: str) -> Ceilings:
    """Return the bounds of a suite; there is no official grade in the population's."""
    is_there = (folder_of(suite_id) / CARD).is_file()
    return Ceilings(
        clairvoyant=Clairvoyant,
        best_response=BestResponse if is_there else None,
        clairvoyant_how=f"approximate: beam search over bids, {BEAM} wide, knowing the luck",
        best_response_how="approximate: policy search on the suite's own families",
    )
