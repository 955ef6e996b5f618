"""The shock twin: the same world and the same luck, in which one shock, or none, strikes."""

from collections.abc import Sequence

import msgspec

from arena.gpu_market.engine.events import MarketEvent, Settled
from arena.gpu_market.engine.playing import play_market
from arena.gpu_market.engine.scenario import MarketScenario, without_shocks
from arena.gpu_market.engine.state import State
from arena.gpu_market.twins.seats import PERSON, players_of

ARRIVALS = ("sudden_supply", "emergency_auction")
"""Shocks that bring a block."""


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

    ``calm_scenario`` is the world without the shock, which seals other values. ``stand_ins`` are
    the labs that a stand-in plays in both, because a person played them: then ``struck`` is not
    the match that was played.
    """

    scenario: MarketScenario
    calm_scenario: MarketScenario
    struck: tuple[MarketEvent, ...]
    calm: tuple[MarketEvent, ...]
    costs: tuple[Cost, ...]
    stand_ins: tuple[int, ...]


def shock_twin(scenario: MarketScenario, seats: Sequence[str], number: int | None = None) -> Twin:
    """Play a market with its shocks, and without one of them or any.

    Args:
        scenario: the market, with its sealed values.
        seats: who plays each lab.
        number: the shock that does not strike in the twin, by its place in the schedule, from 0;
            None: none of them does.

    Raises:
        IndexError: there is no such shock.
    """
    calm_scenario = without_shocks(scenario) if number is None else without_shock(scenario, number)
    players = players_of(scenario, seats)
    struck_state, struck = play_market(scenario, players)
    calm_state, calm = play_market(calm_scenario, players)
    costs = tuple(
        Cost(one.lab, one.utility, other.utility)
        for one, other in zip(_results(struck_state), _results(calm_state), strict=True)
    )
    stand_ins = tuple(lab for lab, name in enumerate(seats) if name == PERSON)
    return Twin(scenario, calm_scenario, struck, calm, costs, stand_ins)


def without_shock(scenario: MarketScenario, number: int) -> MarketScenario:
    """Give the same world in which one shock does not strike.

    Raises:
        IndexError: there is no such shock.
    """
    sealed = scenario.sealed
    shock = sealed.shocks[number]
    spare, arrivals = sealed.spare, [one for one in sealed.shocks if one.kind in ARRIVALS]
    if shock in arrivals:
        # Blocks that shocks bring are counted by place.
        at = arrivals.index(shock)
        spare = (*spare[:at], *spare[at + 1 :])
    rest = (*sealed.shocks[:number], *sealed.shocks[number + 1 :])
    surge = () if shock.kind == "demand_surge" else sealed.surge
    calmer = msgspec.structs.replace(sealed, shocks=rest, spare=spare, surge=surge)
    return msgspec.structs.replace(scenario, sealed=calmer)


def _results(state: State) -> tuple[Settled, ...]:
    return state.ended.results if state.ended is not None else ()
