"""How a person did: beside simple players on the same market, and the best trade there was."""

import functools
from typing import Any

import msgspec

from arena.gpu_market.board.action_words import action_words
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
    dearest_turn,
    planned,
    sides_of,
    simple_players,
    without_trades,
)
from bazaarbatna.market import FIRST_TRADE, MarketScenario
from bazaarbatna.market.events import TradeMade
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


class Dearest(msgspec.Struct, frozen=True):
    """The person's costliest move in words, and what it cost; ``round`` counts from 1."""

    round: int
    words: str
    cost: int


class Verdict(msgspec.Struct, frozen=True):
    """A person's end; money in hundredths of a credit.

    ``name`` is the person's lab, ``rows`` are the simple players, the least first, ``alone`` is
    what comes of no trade. ``first`` is the best first trade and ``swap`` the one that was offered
    (None in other markets), ``best`` what the planner made with ``trades``, which brought
    ``best_traded``. ``traded`` is what the person's trades brought, ``dearest`` the costliest move.
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
    best_traded: int = 0
    has_traded: bool = False
    traded: int = 0
    dearest: Dearest | None = None

    @property
    def planned(self) -> int:
        """What running other jobs, or elsewhere, or at another time brought beyond ``alone``."""
        return self.made - self.alone - self.traded

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
    rows, best, first, events, best_traded = _played(seen.match.pk, seats, lab)
    scenario, log = seen.facts.scenario, seen.events
    own = [one for one in log if isinstance(one, TradeMade) and LAB_IDS[lab] in sides_of(one)]
    made = board.labs[lab].utility or 0
    dear = None if first else dearest_turn(scenario, seats, lab, log)
    by_name = {one.name: one.utility for one in rows}
    return Verdict(
        name=board.labs[lab].name,
        made=made,
        rows=rows,
        nothing=by_name["never_act"],
        yes=by_name["always_accept"],
        alone=by_name["no_negotiation_allocator"],
        best=first.utility if first else best.utility,
        first=first,
        swap=_swap(seen.facts.scenario) if first else None,
        trades=tuple(_trade(event.contract, board, LAB_IDS[lab]) for event in events[:MOST_TRADES]),
        best_traded=best_traded,
        has_traded=bool(own),
        traded=made - without_trades(scenario, seats, lab, log) if own else 0,
        dearest=dear
        and Dearest(dear[0].round + 1, action_words(dear[0].action, board.names), dear[1]),
    )


@functools.lru_cache(maxsize=KEPT)
def _played(
    match_id: str, seats: tuple[str, ...], lab: int
) -> tuple[tuple[Made, ...], Made, BestTrade | None, tuple[Any, ...], int]:
    scenario = MARKET.scenario_of(match_id)
    rows = simple_players(scenario, seats, lab)
    best, trades, brought = planned(scenario, seats, lab)
    is_first = scenario.task == FIRST_TRADE and lab == 0
    first = best_first_trade(scenario) if is_first else None
    return tuple(sorted(rows, key=lambda one: one.utility)), best, first, trades, brought


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
