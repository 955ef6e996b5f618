"""How a person did: beside simple players on the same market, and the best trade there was."""

import functools
from typing import Any

import msgspec

from arena.gpu_market.board.names import exchange_words
from arena.gpu_market.board.parts import Board
from arena.gpu_market.web.game import MARKET
from arena.gpu_market.web.players import trained_in
from arena.gpu_market.web.watching import Seen
from arena.gpu_market.yardsticks import (
    PLANNER,
    BestTrade,
    Made,
    best_first_trade,
    planned,
    simple_players,
)
from bazaarbatna.market import FIRST_TRADE, MarketScenario
from bazaarbatna.market.first_trade import OLD, OTHER
from bazaarbatna.market.quantities import LAB_IDS

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
