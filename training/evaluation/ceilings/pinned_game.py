"""The best response to a pinned seller, of a buyer that has read the tables of the engine.

The opening ask gives the cost away, and with it the reservation price; what stays unknown is the
seller's luck, and how often a bluffer has bluffed. The game is finite, of incomplete information:
it is solved backwards over what the buyer believes, exactly for the bids that it offers.
"""

import functools
import math
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple, Protocol

import msgspec

from bazaarbatna.bargain.career import Career, is_capitulation
from bazaarbatna.bargain.episode import State, advance, start
from bazaarbatna.bargain.graders import Closing, grade_one
from bazaarbatna.bargain.moves import Accept, Move, Offer, Walk
from bazaarbatna.bargain.observe import BuyerObservation, SellerObservation, observe_seller
from bazaarbatna.bargain.people.seller import PersonSeller
from bazaarbatna.bargain.quantities import Paise, clamp_price
from bazaarbatna.bargain.scenario import Item, Scenario, SealedValues
from bazaarbatna.bargain.sellers import SELLERS, VERSIONS, make_seller
from bazaarbatna.bargain.sellers.base import RuleSeller
from bazaarbatna.bargain.sellers.persona import HOUSE
from bazaarbatna.bargain.tasks import costs_behind, make_scenario, seller_rules, suite
from training.evaluation.playing import Aim

TAKES, LEAVES = 0, -1  # What a seller may reply instead of a new ask in paise
DIGITS = 12  # Beliefs that agree so far are one
SURE = 1e-12  # Gains up to this are rounding; of moves worth the same the first stands


class Outcome(NamedTuple):
    """One thing that a bid may lead to; ``hidden`` is the seller's state afterwards."""

    probability: float
    reply: int
    hidden: Any = None


Weights = dict[Any, float]

Belief = tuple[tuple[Any, float], ...]
"""Hidden states of the seller with their probabilities, in order."""


class Position(NamedTuple):
    """What the buyer knows when it is to move; ``last``, its last bid, is 0 where it is free."""

    round: int
    ask: int
    belief: Belief
    last: int = 0


class Game(Protocol):
    """A bargain as the buyer knows it; hidden states are hashable and have an order.

    ``budget`` is in paise; with ``keeps_bids`` what may be bid depends on the last bid.
    """

    rounds: int
    budget: int
    keeps_bids: bool

    def bids(self, at: Position) -> Iterable[int]:
        """List the bids below the ask that are worth a thought, in paise."""

    def outcomes(self, hidden: Any, at: Position, bid: int) -> Sequence[Outcome]:
        """List what a seller in a hidden state does about a bid; probabilities add up to 1."""

    def worth(self, hidden: Any, price: int, round_: int) -> float:
        """Return what a deal is worth to the buyer."""


def believed(weights: Weights) -> Belief:
    """Normalise weights of hidden states into a belief."""
    whole = sum(weights.values())
    rounded = ((hidden, round(one / whole, DIGITS)) for hidden, one in weights.items())
    return tuple(sorted(one for one in rounded if one[1] > 0))


class Solver:
    """Solves a game; every position is solved once."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._solved: dict[Position, tuple[float, Move]] = {}

    def solve(self, at: Position) -> tuple[float, Move]:
        """Return the largest expected worth from a position on, and its move: walk for nothing."""
        if at not in self._solved:
            self._solved[at] = self._best(at)
        return self._solved[at]

    def after(self, at: Position, bid: int, reply: int) -> Position:
        """Return the position after an answer; ValueError when no seller would give it."""
        _, asks = self._answers(at, bid)
        if reply not in asks:
            raise ValueError("That answer is none that this game's sellers give.")
        return self._next(at, bid, reply, asks[reply])

    def _best(self, at: Position) -> tuple[float, Move]:
        game = self._game
        best: tuple[float, Move] = (0.0, Walk())
        if at.ask <= game.budget:
            taken = sum(p * game.worth(hidden, at.ask, at.round) for hidden, p in at.belief)
            if taken > SURE:
                best = (taken, Accept())
        for bid in game.bids(at):
            found = self._bid(at, bid)
            if found > best[0] + SURE:
                best = (found, Offer(Paise(bid)))
        return best

    def _bid(self, at: Position, bid: int) -> float:
        value, asks = self._answers(at, bid)
        if at.round == self._game.rounds:
            return value
        for reply, states in asks.items():
            value += sum(states.values()) * self.solve(self._next(at, bid, reply, states))[0]
        return value

    def _answers(self, at: Position, bid: int) -> tuple[float, dict[int, Weights]]:
        game, earned = self._game, 0.0
        asks: dict[int, Weights] = {}
        for hidden, likely in at.belief:
            for chance, reply, after in game.outcomes(hidden, at, bid):
                if reply == TAKES:
                    earned += likely * chance * game.worth(hidden, bid, at.round)
                elif reply != LEAVES:
                    states = asks.setdefault(reply, {})
                    states[after] = states.get(after, 0.0) + likely * chance
        return earned, asks

    def _next(self, at: Position, bid: int, reply: int, states: Weights) -> Position:
        last = bid if self._game.keeps_bids else 0
        return Position(at.round + 1, reply, believed(states), last)


PRICES = 64  # Bids on the grid of a round in which luck decides; see ``PinnedGame.bids``
REPLIES = {"accept": TAKES, "walk": LEAVES}
CACHED_GAMES = 64
Hidden = tuple[int, int]  # Which cost, and what the seller remembers of its own game


def worth(aim: Aim, suite_id: str, game: Closing) -> float:
    """Return what a finished bargain is worth to a buyer that plays for something, 0..1."""
    if aim == "grade":
        return grade_one(suite_id, game)
    zone = game.budget - game.reservation
    return 0.0 if game.price is None or zone <= 0 else (game.budget - game.price) / zone


class Opening(msgspec.Struct, frozen=True):
    """What decides the game that a buyer finds itself in; all of it is seen in round one."""

    suite: str
    ask: Paise
    title: str
    budget: Paise
    deals: int
    capitulations: int


class PinnedGame:
    """One bargain of a suite of the engine; a hidden state is a ``Hidden``."""

    keeps_bids = False

    def __init__(self, opening: Opening, aim: Aim) -> None:
        self.budget: int = opening.budget
        self._opening, self._aim = opening, aim
        costs = costs_behind(opening.suite, opening.ask, opening.title)
        if not costs:
            raise ValueError(f"No game of {opening.suite} opens so.")
        self._scenarios = [_scenario(opening, cost) for cost in costs]
        self._sellers = [_pinned(one) for one in self._scenarios]
        self.rounds = self._scenarios[0].max_rounds

    def start(self) -> Position:
        """Return the first position."""
        weights = {(number, 0): 1.0 for number in range(len(self._sellers))}
        return Position(1, self._opening.ask, believed(weights))

    def bids(self, at: Position) -> Sequence[int]:
        """List the bids at which an answer changes, and in late rounds a grid between them.

        Of bids answered alike the lowest is best; only in the last quarter of the rounds does
        every paisa raise the chance to be taken.
        """
        found: set[int] = set()
        for hidden, _ in at.belief:
            found.update(self._edges(hidden, at))
        most = min(at.ask - 1, self.budget)
        if at.round > HOUSE.late_from * self.rounds:
            least = min(self._scenarios[kind].sealed.reservation for (kind, _), _ in at.belief)
            step = (most - least) / (PRICES - 1)
            found.update(clamp_price(least + step * place) for place in range(PRICES))
        return sorted(bid for bid in found if 1 <= bid <= most)

    def outcomes(self, hidden: Hidden, at: Position, bid: int) -> tuple[Outcome, ...]:
        """List what the seller answers, as its own class says."""
        kind, memory = hidden
        return tuple(
            Outcome(chance.probability, REPLIES.get(chance.answer, 0), None)
            if isinstance(chance.answer, str)
            else Outcome(chance.probability, chance.answer, (kind, chance.memory))
            for chance in self._sellers[kind].chances(self._seen(kind, at, bid), memory)
        )

    def worth(self, hidden: Hidden, price: int, round_: int) -> float:
        """Return what a deal is worth for what the buyer plays for."""
        sealed = self._scenarios[hidden[0]].sealed
        game = Closing(
            price, round_, self.rounds, sealed.budget, sealed.cost, sealed.reservation,
            sealed.deadline,
        )  # fmt: skip
        return worth(self._aim, self._opening.suite, game)

    def _edges(self, hidden: Hidden, at: Position) -> Iterator[int]:
        kind, memory = hidden
        seller, reservation = self._sellers[kind], self._scenarios[kind].sealed.reservation
        yield math.ceil(HOUSE.lowball * reservation)
        yield reservation
        yield math.ceil(seller.persona.closes_at * at.ask)
        for _, planned, _ in seller.plans(self._seen(kind, at, 1), memory):
            yield clamp_price(max(planned, reservation))

    def _seen(self, kind: int, at: Position, bid: int) -> SellerObservation:
        scenario = self._scenarios[kind]
        sealed = scenario.sealed
        return SellerObservation(
            scenario.suite, scenario.item, at.round, self.rounds, (Paise(at.ask),), (Paise(bid),),
            sealed.reservation, sealed.cost, sealed.persona, scenario.rules, (), False, None,
        )  # fmt: skip


class BestResponse:
    """Plays what the solver says, from what a buyer sees; it keeps nothing between turns."""

    def __init__(self, aim: Aim) -> None:
        self._aim = aim

    def act(self, seen: BuyerObservation) -> Move:
        """Choose the move with the largest expected worth."""
        game, solver = solved(opening_of(seen), self._aim)
        at = game.start()
        for bid, ask in zip(seen.bids, seen.asks[1:], strict=True):
            at = solver.after(at, bid, ask)
        return solver.solve(at)[1]


def opening_of(seen: BuyerObservation) -> Opening:
    """Read what decides the game."""
    career = career_of(seen)
    return Opening(
        seen.suite, seen.opening_ask, seen.item.title, seen.budget, career.deals,
        career.capitulations,
    )  # fmt: skip


def career_of(seen: BuyerObservation) -> Career:
    """Read the career from what the buyer is told of it."""
    told = seen.career
    if told is None:
        return Career()
    return Career(told.games, told.deals, round(told.capitulation_rate * told.deals))


@functools.lru_cache(maxsize=CACHED_GAMES)
def solved(opening: Opening, aim: Aim) -> tuple[PinnedGame, Solver]:
    """Return a game and its solver, which remembers what it has solved."""
    game = PinnedGame(opening, aim)
    return game, Solver(game)


def expected(opening: Opening, aim: Aim) -> float:
    """Return what the best response expects of a bargain when it opens."""
    game, solver = solved(opening, aim)
    return solver.solve(game.start())[0]


def _scenario(opening: Opening, cost: Paise) -> Scenario:
    row = suite(opening.suite)
    persona = SELLERS[row.persona].persona
    career = Career(opening.deals, opening.deals, opening.capitulations)
    sealed = SealedValues(
        reservation=clamp_price(persona.reservation_factor * cost),
        cost=cost,
        budget=opening.budget,
        seed=0,
        persona=persona.name,
        deadline=row.deadline,
    )
    return Scenario(
        suite=opening.suite,
        item=Item(opening.title),
        max_rounds=row.rounds,
        anchor=opening.ask,
        sealed=sealed,
        salt="",
        seller=VERSIONS[persona.name],
        rules=seller_rules(opening.suite, career),
    )


def _pinned(scenario: Scenario) -> RuleSeller:
    seller = make_seller(scenario)
    assert isinstance(seller, RuleSeller)
    return seller


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
    """Plays the best of all games that can be played on a seed of a suite, exact to the paisa.

    A pinned seller's luck is drawn for each round whatever was bid, and its asks do not look at
    bids. So waiting with a bid that neither offends nor sells shows every round as it will be; the
    least bid that is taken is found by halving.

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
