"""The solver against every strategy there is, in games small enough to list them all."""

from collections.abc import Iterator, Sequence
from itertools import product
from random import Random
from typing import Any

import pytest

from bazaarbatna.bargain.moves import Accept, Offer, Walk
from training.evaluation.ceilings.pinned_game import (
    LEAVES,
    TAKES,
    Outcome,
    Position,
    Solver,
    believed,
)

Plan = tuple[Any, ...]
"""A strategy: ("accept",), ("walk",), or ("bid", price, {reply: strategy})."""


class SmallGame:
    """Sellers with drawn tempers: each remembers how many bids were low, and answers by chance."""

    def __init__(self, seed: int, rounds: int, prices: int, types: int, asks: int) -> None:
        rng = Random(seed)
        self.rounds = rounds
        self.budget = 10
        self.keeps_bids = bool(seed % 2)
        self.asks = tuple(range(8, 8 + asks))
        self.prices = tuple(sorted(rng.sample(range(1, 8), prices)))
        self.limits = [rng.randrange(1, 7) for _ in range(types)]
        self.prior = [rng.uniform(0.2, 1.0) for _ in range(types)]
        self._odds = [
            {key: rng.random() for key in product(range(2), range(1, rounds + 1), range(1, 8))}
            for _ in range(types)
        ]

    def start(self) -> Position:
        weights = {(number, 0): weight for number, weight in enumerate(self.prior)}
        return Position(1, self.asks[-1], believed(weights))

    def bids(self, at: Position) -> Sequence[int]:
        return [price for price in self.prices if price >= at.last]

    def outcomes(self, hidden: tuple[int, int], at: Position, bid: int) -> list[Outcome]:
        kind, insulted = hidden
        takes = self._odds[kind][insulted, at.round, bid] if bid >= self.limits[kind] else 0.0
        is_low = bid < self.limits[kind]
        leaves = 0.3 * (1 - takes) if is_low else 0.0
        rest = 1 - takes - leaves
        soft = self._odds[kind][1, at.round, bid]
        after = (kind, int(insulted or is_low))
        found = [Outcome(takes, TAKES), Outcome(leaves, LEAVES)]
        found.append(Outcome(rest * soft, self.asks[0], after))
        found.append(Outcome(rest * (1 - soft), self.asks[-1], after))
        return found

    def worth(self, hidden: tuple[int, int], price: int, round_: int) -> float:
        kind = hidden[0]
        return (self.budget - price) / (self.budget - self.limits[kind] / 2) * 0.97**round_


def strategies(game: SmallGame, round_: int, ask: int, last: int) -> Iterator[Plan]:
    yield ("accept",)
    yield ("walk",)
    for bid in game.prices:
        if game.keeps_bids and bid < last:
            continue
        if round_ == game.rounds:
            yield ("bid", bid, {})
            continue
        replies = sorted(set(game.asks))
        later = [list(strategies(game, round_ + 1, reply, bid)) for reply in replies]
        for chosen in product(*later):
            yield ("bid", bid, dict(zip(replies, chosen, strict=True)))


def worth_of(plan: Plan, game: SmallGame, hidden: tuple[int, int], round_: int, ask: int) -> float:
    if plan[0] == "walk":
        return 0.0
    if plan[0] == "accept":
        return game.worth(hidden, ask, round_) if ask <= game.budget else 0.0
    _, bid, later = plan
    total = 0.0
    for chance, reply, after in game.outcomes(hidden, Position(round_, ask, ()), bid):
        if reply == TAKES:
            total += chance * game.worth(hidden, bid, round_)
        elif reply != LEAVES and later:
            total += chance * worth_of(later[reply], game, after, round_ + 1, reply)
    return total


def best_of_all(game: SmallGame) -> float:
    whole = sum(game.prior)
    at = game.start()
    return max(
        sum(
            weight / whole * worth_of(plan, game, (kind, 0), 1, at.ask)
            for kind, weight in enumerate(game.prior)
        )
        for plan in strategies(game, 1, at.ask, 0)
    )


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize(
    ("rounds", "prices", "types", "asks"), [(2, 4, 3, 2), (3, 3, 2, 1), (2, 3, 2, 3), (3, 2, 3, 1)]
)
def test_no_strategy_does_better_and_one_does_as_well(
    seed: int, rounds: int, prices: int, types: int, asks: int
) -> None:
    game = SmallGame(seed, rounds, prices, types, asks)
    value, _ = Solver(game).solve(game.start())
    assert value == pytest.approx(best_of_all(game), abs=1e-9)


@pytest.mark.parametrize("seed", [0, 1])
def test_three_rounds_with_two_answers_each_are_solved(seed: int) -> None:
    game = SmallGame(seed, rounds=3, prices=2, types=2, asks=2)
    value, _ = Solver(game).solve(game.start())
    assert value == pytest.approx(best_of_all(game), abs=1e-9)


def test_played_by_its_own_moves_a_game_earns_what_the_solver_expects() -> None:
    game = SmallGame(4, rounds=3, prices=4, types=3, asks=2)
    solver = Solver(game)

    def earned(at: Position, hidden: tuple[int, int]) -> float:
        _, move = solver.solve(at)
        if isinstance(move, Walk):
            return 0.0
        if isinstance(move, Accept):
            return game.worth(hidden, at.ask, at.round)
        assert isinstance(move, Offer)
        total = 0.0
        for chance, reply, after in game.outcomes(hidden, at, move.price):
            if reply == TAKES:
                total += chance * game.worth(hidden, move.price, at.round)
            elif reply != LEAVES and at.round < game.rounds and chance:
                total += chance * earned(solver.after(at, move.price, reply), after)
        return total

    whole = sum(game.prior)
    start = game.start()
    mean = sum(w / whole * earned(start, (kind, 0)) for kind, w in enumerate(game.prior))
    assert mean == pytest.approx(solver.solve(start)[0], abs=1e-9)


def test_who_can_expect_nothing_walks() -> None:
    game = SmallGame(0, rounds=2, prices=3, types=1, asks=1)
    game.limits, game.budget, game.asks = [9], 7, (8,)
    assert Solver(game).solve(Position(1, 8, believed({(0, 0): 1.0}))) == (0.0, Walk())


def test_an_answer_that_no_seller_gives_is_refused() -> None:
    game = SmallGame(0, rounds=2, prices=3, types=2, asks=2)
    with pytest.raises(ValueError, match="none that this game's sellers give"):
        Solver(game).after(game.start(), game.prices[0], 99)
