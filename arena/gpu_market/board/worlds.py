"""Other worlds of a market, as pages show them: played to the end, with or without a shock.

Scripted labs and policies meet the same luck in all of them; for a person the stand-in plays.
"""

from collections.abc import Sequence

import msgspec

from arena.gpu_market.engine.events import Ended, MarketEvent
from arena.gpu_market.engine.playing import play_market
from arena.gpu_market.engine.scenario import MarketScenario, without_shocks
from arena.gpu_market.twins import players_of

ARRIVALS = ("sudden_supply", "emergency_auction")
"""Shocks that bring a block."""


class World(msgspec.Struct, frozen=True):
    """A market that was played to its end."""

    scenario: MarketScenario
    events: tuple[MarketEvent, ...]

    @property
    def ended(self) -> Ended:
        """How it ended."""
        last = self.events[-1]
        assert isinstance(last, Ended)
        return last


def worlds(
    scenario: MarketScenario, seats: Sequence[str], number: int | None
) -> tuple[World, World]:
    """Play a market as it is, and without a shock.

    Args:
        scenario: the market, with its sealed values.
        seats: who plays each lab.
        number: the shock that does not strike in the twin, by its place in the schedule, from 0;
            None: none of them does.

    Raises:
        IndexError: there is no such shock.
    """
    calm = without_shocks(scenario) if number is None else without_shock(scenario, number)
    players = players_of(scenario, seats)
    return (
        World(scenario, play_market(scenario, players)[1]),
        World(calm, play_market(calm, players)[1]),
    )


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
