"""What simple players would have made of the same market, and what its best trade would have been.

Everything sealed goes in: for what is over.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import cast

import msgspec

from arena.gpu_market.twins import players_of
from bazaarbatna.market import (
    WAIT,
    MarketAction,
    MarketScenario,
    Observation,
    play_market,
)
from bazaarbatna.market.episode import fold
from bazaarbatna.market.events import Ended, MarketEvent, TradeMade, TurnTaken
from bazaarbatna.market.first_trade import NEW, ROUNDS
from bazaarbatna.market.playing import play_on
from bazaarbatna.market.policies.optimal import planner_alone
from bazaarbatna.market.policies.registry import make_policy
from bazaarbatna.market.quantities import LAB_IDS, Cents

ALONE = "no_negotiation_allocator"
SIMPLE = ("never_act", "always_accept", ALONE, "rule_expert")
"""From the dumbest on: does nothing, says yes, works alone, trades by a few rules."""
PLANNER = "optimal_planner"
CREDIT = 100


class Made(msgspec.Struct, frozen=True):
    """What a player makes of a market, in hundredths of a credit."""

    name: str
    utility: int


class BestTrade(msgspec.Struct, frozen=True):
    """A trade that nobody could better: ``price`` for the new GPUs in ``round``."""

    price: int
    round: int
    utility: int


def simple_players(scenario: MarketScenario, seats: Sequence[str], lab: int) -> tuple[Made, ...]:
    """Let each simple player sit in a lab's chair, on the same luck among the same others."""
    made = {name: _made(scenario, seats, lab, name)[0] for name in SIMPLE}
    made[ALONE] = max(made[ALONE], made_alone(scenario, seats, lab))
    return tuple(Made(name, utility) for name, utility in made.items())


def best_known(
    scenario: MarketScenario, seats: Sequence[str], lab: int
) -> tuple[Made, int, tuple[TradeMade, ...], tuple[MarketEvent, ...]]:
    """Let the planner sit in a lab's chair, and who trades by a few rules.

    Gives what the planner makes, the better of both results, that one's trades, and its log.
    """
    played = {name: _made(scenario, seats, lab, name) for name in (PLANNER, SIMPLE[-1])}
    most, events = max(played.values(), key=lambda one: one[0])
    own = [one for one in events if isinstance(one, TradeMade) and LAB_IDS[lab] in sides_of(one)]
    return Made(PLANNER, played[PLANNER][0]), most, tuple(own), events


def sides_of(trade: TradeMade) -> tuple[str, str]:
    """Return who traded."""
    return trade.contract.sender, trade.contract.target


def dearest_turn(
    scenario: MarketScenario, seats: Sequence[str], lab: int, events: Sequence[MarketEvent]
) -> tuple[TurnTaken, int] | None:
    """Return the turn that cost a lab most, were the planner to play on, and how much; or None."""
    planner = players_of(scenario, seats) | {lab: make_policy(PLANNER, seed=0)}
    turns = [
        (place, one)
        for place, one in enumerate(events)
        if isinstance(one, TurnTaken) and one.lab == LAB_IDS[lab] and one.action is not None
    ]
    worth = [
        cast("Ended", play_on(fold(scenario, events[:place]), planner)[1][-1]).results[lab].utility
        for place, _ in turns
    ]
    worth.append(cast("Ended", events[-1]).results[lab].utility)
    costs = [
        (turn, before - after)
        for (_, turn), (before, after) in zip(turns, pairwise(worth), strict=True)
        if getattr(turn.action, "action", "") != "send_offer"  # pages advise what to ask for
    ]
    found = max(costs, key=lambda one: one[1], default=None)
    return found if found is not None and found[1] >= CREDIT else None


def made_alone(scenario: MarketScenario, seats: Sequence[str], lab: int) -> int:
    """Return what the planner makes in a lab's chair with no trade, in hundredths of a credit."""

    def plan(seen: Observation) -> MarketAction:
        nobody = tuple(one for one in seen.labs if one.id == seen.lab)
        return planner_alone(msgspec.structs.replace(seen, labs=nobody, offers=()))

    state, _ = play_market(scenario, players_of(scenario, seats) | {lab: plan})
    return state.tallies[lab].utility


def _made(
    scenario: MarketScenario, seats: Sequence[str], lab: int, name: str
) -> tuple[int, tuple[MarketEvent, ...]]:
    players = players_of(scenario, seats) | {lab: make_policy(name, seed=0)}
    _, events = play_market(scenario, players)
    return cast("Ended", events[-1]).results[lab].utility, events


def best_first_trade(scenario: MarketScenario) -> BestTrade:
    """Try every price in whole credits, in every round."""
    return max(_tried(scenario), key=lambda one: (one.utility, -one.round))


def _tried(scenario: MarketScenario) -> Iterator[BestTrade]:
    for round_ in range(ROUNDS - 1):
        for price in range(1, scenario.sealed.budgets[0] // CREDIT + 1):
            state, _ = play_market(scenario, {0: _Buyer(Cents(price * CREDIT), round_)})
            if state.tallies[0].trades:
                # A higher price is taken as well, and costs more.
                yield BestTrade(price * CREDIT, round_, state.tallies[0].utility)
                break


class _Buyer(msgspec.Struct, frozen=True):
    """Offers once, and runs the job in the last round on all it has."""

    price: Cents
    round: int

    def __call__(self, seen: Observation) -> MarketAction:
        if seen.round == self.round:
            return MarketAction(
                "send_offer",
                target_lab_id=LAB_IDS[1],
                requested_block_ids=(NEW,),
                payment=self.price,
            )
        if seen.round == ROUNDS - 1:
            job, blocks = seen.jobs[0], tuple(block.id for block in seen.own_blocks)
            return MarketAction("allocate_to_job", job_id=job.id, block_ids=blocks)
        return WAIT
