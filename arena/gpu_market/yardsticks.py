"""What simple players would have made of the same market, and what its best trade would have been.

Everything sealed goes in: for what is over, and for docs. ``python -m arena.gpu_market.yardsticks``
prints what the first trade pays for nothing, for the first offer, alone, and for a good trade.
"""

import argparse
from collections.abc import Iterator, Sequence
from typing import cast

import msgspec

from arena.gpu_market.twins import players_of
from bazaarbatna.market import (
    FIRST_TRADE,
    WAIT,
    MarketAction,
    MarketScenario,
    Observation,
    make_first_trade,
    play_market,
)
from bazaarbatna.market.events import Ended, MarketEvent, TradeMade
from bazaarbatna.market.first_trade import NEW, ROUNDS
from bazaarbatna.market.policies.registry import make_policy
from bazaarbatna.market.quantities import LAB_IDS, Cents

SIMPLE = ("never_act", "always_accept", "no_negotiation_allocator", "rule_expert")
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
    return tuple(Made(name, _made(scenario, seats, lab, name)[0]) for name in SIMPLE)


def planned(
    scenario: MarketScenario, seats: Sequence[str], lab: int
) -> tuple[Made, tuple[TradeMade, ...]]:
    """Let the planner sit in a lab's chair; give what it makes and which trades it makes."""
    utility, events = _made(scenario, seats, lab, PLANNER)
    own = [
        event
        for event in events
        if isinstance(event, TradeMade)
        and LAB_IDS[lab] in (event.contract.sender, event.contract.target)
    ]
    return Made(PLANNER, utility), tuple(own)


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


def main() -> None:
    """Print the table of the docs."""
    parser = argparse.ArgumentParser(
        description=__doc__, prog="python -m arena.gpu_market.yardsticks"
    )
    parser.add_argument("--seeds", type=int, default=30)
    args = parser.parse_args()
    rows: dict[str, list[int]] = {}
    for seed in range(args.seeds):
        scenario = make_first_trade(seed)
        for one in simple_players(scenario, ("person", "archetype"), 0):
            rows.setdefault(one.name, []).append(one.utility)
        best = best_first_trade(scenario)
        rows.setdefault("best trade", []).append(best.utility)
    print(  # noqa: T201
        f"{FIRST_TRADE}, seeds 0 to {args.seeds - 1}, credits made: mean (least to most)"
    )
    for name, values in rows.items():
        made = [value / CREDIT for value in values]
        print(  # noqa: T201
            f"{name:26} {sum(made) / len(made):7.1f} ({min(made):g} to {max(made):g})"
        )


if __name__ == "__main__":
    main()
