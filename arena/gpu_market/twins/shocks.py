"""The shock twin: the same world and the same luck, in which nothing strikes."""

from collections.abc import Sequence

import msgspec

from arena.gpu_market.engine.events import MarketEvent, Settled
from arena.gpu_market.engine.playing import play_market
from arena.gpu_market.engine.scenario import MarketScenario, without_shocks
from arena.gpu_market.engine.state import State
from arena.gpu_market.twins.seats import PERSON, players_of


class Cost(msgspec.Struct, frozen=True):
    """What the shocks cost a lab, in hundredths of a credit; less than 0 where they helped."""

    lab: str
    struck: int
    calm: int

    @property
    def cost(self) -> int:
        """Utility in the calm world less that in the struck one."""
        return self.calm - self.struck


class Twin(msgspec.Struct, frozen=True):
    """Both worlds, played by the same players.

    ``stand_ins`` are the labs that a stand-in plays in both, because a person played them: then
    ``struck`` is not the match that was played.
    """

    struck: tuple[MarketEvent, ...]
    calm: tuple[MarketEvent, ...]
    costs: tuple[Cost, ...]
    stand_ins: tuple[int, ...]


def shock_twin(scenario: MarketScenario, seats: Sequence[str]) -> Twin:
    """Play a market with its shocks and without them.

    Args:
        scenario: the market, with its sealed values.
        seats: who plays each lab.
    """
    players = players_of(scenario, seats)
    struck_state, struck = play_market(scenario, players)
    calm_state, calm = play_market(without_shocks(scenario), players)
    costs = tuple(
        Cost(one.lab, one.utility, other.utility)
        for one, other in zip(_results(struck_state), _results(calm_state), strict=True)
    )
    stand_ins = tuple(lab for lab, name in enumerate(seats) if name == PERSON)
    return Twin(struck, calm, costs, stand_ins)


def _results(state: State) -> tuple[Settled, ...]:
    return state.ended.results if state.ended is not None else ()
