"""The best that a buyer can expect who knows how sellers are drawn and not which one it met.

A finite game of incomplete information, solved backwards over what the buyer believes. Exact for
the bids that the game offers; whether those are all that matter is the game's affair.
"""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple, Protocol

from negotiation.engine.moves import Accept, Move, Offer, Walk
from negotiation.engine.quantities import Paise

TAKES, LEAVES = 0, -1
"""What a seller may reply instead of a new ask in paise."""

DIGITS = 12
"""Beliefs that agree so far are one."""

SURE = 1e-12
"""Gains up to this are rounding; of moves worth the same the first stands."""


class Outcome(NamedTuple):
    """One thing that a bid may lead to; ``hidden`` is the seller's state afterwards."""

    probability: float
    reply: int
    hidden: Any = None


Weights = dict[Any, float]

Belief = tuple[tuple[Any, float], ...]
"""Hidden states of the seller with their probabilities, in order."""


class Position(NamedTuple):
    """What the buyer knows when it is to move: the round, the standing ask, and its belief.

    ``last`` is its own last bid where the game asks for it, else 0.
    """

    round: int
    ask: int
    belief: Belief
    last: int = 0


class Game(Protocol):
    """A bargain as the buyer knows it; hidden states are hashable and have an order.

    Attributes:
        budget: the buyer's, in paise.
        keeps_bids: what may be bid depends on the last bid.
    """

    rounds: int
    budget: int
    keeps_bids: bool

    def bids(self, at: Position) -> Iterable[int]:
        """List the bids below the ask that are worth a thought, in paise."""
        ...

    def outcomes(self, hidden: Any, at: Position, bid: int) -> Sequence[Outcome]:
        """List what a seller in a hidden state does about a bid; probabilities add up to 1."""
        ...

    def worth(self, hidden: Any, price: int, round_: int) -> float:
        """Return what a deal is worth to the buyer."""
        ...


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
        """Return the largest expected worth from a position on, and the move that gets it.

        Who can expect nothing walks away.
        """
        if at not in self._solved:
            self._solved[at] = self._best(at)
        return self._solved[at]

    def after(self, at: Position, bid: int, reply: int) -> Position:
        """Return the position after a bid was answered by a new ask.

        Raises:
            ValueError: no seller that is believed in would answer so.
        """
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
        """Return what a bid earns at once, and how likely each new ask is with which seller."""
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
