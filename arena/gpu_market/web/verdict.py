"""How a person did: beside simple players on the same market, and the best trade there was."""

import argparse
import functools
from collections.abc import Iterator, Sequence
from typing import Any, cast

import msgspec

from arena.gpu_market.board.names import exchange_words
from arena.gpu_market.board.parts import Board
from arena.gpu_market.twins import players_of
from arena.gpu_market.web.finding import Seen
from arena.gpu_market.web.game import MARKET
from arena.gpu_market.web.players import trained_in
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
from bazaarbatna.market.first_trade import NEW, OLD, OTHER, ROUNDS
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
        description=__doc__, prog="python -m arena.gpu_market.web.verdict"
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


KEPT = 256  # markets that one process remembers
MOST_TRADES = 2


class Trade(msgspec.Struct, frozen=True):
    """A trade of the planner, in words; ``round`` counts from 1."""

    round: int
    gives: str
    gets: str
    other: str


class Rung(msgspec.Struct, frozen=True):
    """Somebody on the scale; ``wide`` is the bar's length, 0 to 100."""

    name: str
    utility: int
    wide: float
    you: bool = False


class Swap(msgspec.Struct, frozen=True):
    """Why the first trade's opening swap was a poor one: what ``other``'s block and the job say."""

    other: str
    label: float
    need: float


class Verdict(msgspec.Struct, frozen=True):
    """A person's end; money in hundredths of a credit.

    ``name`` is the person's lab, ``rows`` are the simple players, the least first, ``alone`` is
    what comes of no trade. ``first`` is the best first trade and ``swap`` the one that was offered
    (None in other markets), ``best`` what the planner made with ``trades``.
    """

    name: str
    made: int
    rows: tuple[Made, ...]
    nothing: int
    yes: int
    alone: int
    best: int
    first: BestTrade | None
    swap: Swap | None
    trades: tuple[Trade, ...]

    @property
    def scale(self) -> list[Rung]:
        """The person among the simple players and the best, who made most first."""
        most = max(self.best, self.made, *(one.utility for one in self.rows), 1)
        known = [*((one.name, one.utility) for one in self.rows), (PLANNER, self.best)]
        rungs = [Rung("", self.made, _wide(self.made, most), you=True)]
        rungs += [Rung(name, made, _wide(made, most)) for name, made in known]
        return sorted(rungs, key=lambda one: (-one.utility, not one.you))


def _wide(made: int, most: int) -> float:
    return round(100 * max(made, 0) / most, 1)


def verdict_of(seen: Seen, board: Board) -> Verdict | None:
    """Judge the play of the person who looks; None for everybody else, and beside models."""
    lab, seats = seen.viewer.lab, seen.facts.seats
    if not seen.over or lab is None or trained_in(seats):
        return None
    rows, best, first, events = _played(seen.match.pk, seats, lab)
    by_name = {one.name: one.utility for one in rows}
    return Verdict(
        name=board.labs[lab].name,
        made=board.labs[lab].utility or 0,
        rows=rows,
        nothing=by_name["never_act"],
        yes=by_name["always_accept"],
        alone=by_name["no_negotiation_allocator"],
        best=first.utility if first else best.utility,
        first=first,
        swap=_swap(seen.facts.scenario) if first else None,
        trades=tuple(_trade(event.contract, board, LAB_IDS[lab]) for event in events[:MOST_TRADES]),
    )


@functools.lru_cache(maxsize=KEPT)
def _played(
    match_id: str, seats: tuple[str, ...], lab: int
) -> tuple[tuple[Made, ...], Made, BestTrade | None, tuple[Any, ...]]:
    scenario = MARKET.scenario_of(match_id)
    rows = simple_players(scenario, seats, lab)
    best, trades = planned(scenario, seats, lab)
    is_first = scenario.task == FIRST_TRADE and lab == 0
    first = best_first_trade(scenario) if is_first else None
    return tuple(sorted(rows, key=lambda one: one.utility)), best, first, trades


def _swap(scenario: MarketScenario) -> Swap:
    """Read the facts of the first trade's swap from its market."""
    old = next(block for block in scenario.blocks if block.id == OLD)
    return Swap(OTHER, old.reliability, scenario.sealed.jobs[0][0].min_reliability)


def _trade(contract: Any, board: Board, me: str) -> Trade:
    """Tell a trade of the planner from its lab's side."""
    sent = contract.sender == me
    given, taken = contract.given, contract.taken
    offered = exchange_words(given, contract.payment, board.names)
    asked = exchange_words(taken, 0, board.names)
    other = contract.target if sent else contract.sender
    gives, gets = (offered, asked) if sent else (asked, offered)
    return Trade(contract.round + 1, gives, gets, board.lab_name(other))
