"""How a person did: beside simple players on the same market, and the best trade there was."""

import functools

import msgspec

from arena.gpu_market.board.action_words import action_words
from arena.gpu_market.board.folding import board_of
from arena.gpu_market.board.parts import Board, Line
from arena.gpu_market.board.titles import lab_name
from arena.gpu_market.web.game import MARKET
from arena.gpu_market.web.players import trained_in
from arena.gpu_market.web.visibility import shown
from arena.gpu_market.web.watching import Seen
from arena.gpu_market.yardsticks import (
    ALONE,
    CREDIT,
    PLANNER,
    BestTrade,
    Made,
    best_first_trade,
    best_known,
    dearest_turn,
    simple_players,
)
from bazaarbatna.market import FIRST_TRADE, MarketEvent, MarketScenario
from bazaarbatna.market.first_trade import NEW, OLD, OTHER, TRADERS
from bazaarbatna.market.quantities import LAB_IDS
from negotiation.bargain import verdict as one_scale

KEPT = 256  # markets that one process remembers


class Rung(msgspec.Struct, frozen=True):
    """Somebody on the scale; ``wide`` is the bar's length, 0 to 100."""

    name: str
    utility: int
    wide: float
    you: bool = False


class Swap(msgspec.Struct, frozen=True):
    """Why the first trade's opening swap was a poor one: what ``other``'s block and the job say.

    ``said`` is how reliable its owner called the block, 0..1, and ``label`` how reliable it is;
    ``paid`` is the money the person gave for the new GPUs, None without that trade.
    """

    other: str
    said: float
    label: float
    need: float
    paid: int | None
    taken: bool


class Dearest(msgspec.Struct, frozen=True):
    """The person's costliest move in words, and what it cost; ``round`` counts from 1.

    ``seq`` is its place in the log.
    """

    seq: int
    round: int
    words: str
    cost: int


class Verdict(msgspec.Struct, frozen=True):
    """A person's end; money in hundredths of a credit.

    ``name`` is the person's lab, ``rows`` are other players, the least first, ``alone`` is what
    comes of no trade. ``first`` is the best first trade and ``swap`` the one that was offered (None
    in other markets), ``best`` the most that we or the person found, with the ``trades``, runs and
    shocks of who found it; ``dearest`` is the costliest move, ``story`` what the person traded and
    ran, and what struck meanwhile.
    """

    name: str
    made: int
    rows: tuple[Made, ...]
    alone: int
    best: int
    first: BestTrade | None
    swap: Swap | None
    trades: tuple[Line, ...]
    dearest: Dearest | None = None
    story: tuple[Line, ...] = ()

    @property
    def score(self) -> one_scale.Verdict:
        """The part of what trading could add that the person made; None where it could nothing."""
        room, more = self.best - self.alone, max(self.made - self.alone, 0)
        percent = round(100 * more / room) if room >= CREDIT else None
        return one_scale.Verdict(percent, is_deal=more > 0)

    @property
    def scale(self) -> list[Rung]:
        """The person among the other players, who made most first."""
        most = max(self.best, 1)
        rungs = [Rung("", self.made, _wide(self.made, most), you=True)]
        rungs += [Rung(one.name, one.utility, _wide(one.utility, most)) for one in self.rows]
        return sorted(rungs, key=lambda one: (-one.utility, not one.you))


def _wide(made: int, most: int) -> float:
    return round(100 * max(made, 0) / most, 1)


def verdict_of(seen: Seen, board: Board) -> Verdict | None:
    """Judge the play of the person who looks; None for everybody else, and beside models."""
    lab, seats = seen.viewer.lab, seen.facts.seats
    if not seen.over or lab is None or trained_in(seats):
        return None
    rows, best, first, events = _played(seen.match.pk, seats, lab)
    scenario, log = seen.facts.scenario, seen.events
    dear = None if first else dearest_turn(scenario, seats, lab, log)
    alone = next(one.utility for one in rows if one.name == ALONE)
    made = board.labs[lab].utility or 0
    return Verdict(
        name=board.labs[lab].name,
        made=made,
        rows=rows,
        alone=alone,
        best=max(best, alone, made),
        first=first,
        swap=_swap(scenario, board) if first else None,
        trades=() if first or best <= alone or best < made else _story_of(events, seen, lab),
        dearest=dear
        and Dearest(
            log.index(dear[0]) + 1,
            dear[0].round + 1,
            action_words(dear[0].action, board.names),
            dear[1],
        ),
        story=_story(board, LAB_IDS[lab], lab_name(board.labs[lab].name)),
    )


@functools.lru_cache(maxsize=KEPT)
def _played(
    match_id: str, seats: tuple[str, ...], lab: int
) -> tuple[tuple[Made, ...], int, BestTrade | None, tuple[MarketEvent, ...]]:
    scenario = MARKET.scenario_of(match_id)
    planner, best, _, events = best_known(scenario, seats, lab)
    first = best_first_trade(scenario) if scenario.task == FIRST_TRADE and lab == 0 else None
    if first:
        planner, best = Made(PLANNER, first.utility), first.utility
    rows = sorted((*simple_players(scenario, seats, lab), planner), key=lambda one: one.utility)
    return tuple(rows), best, first, events


def _swap(scenario: MarketScenario, board: Board) -> Swap:
    """Read the facts of the first trade's swap from its market."""
    old = next(block for block in scenario.blocks if block.id == OLD)
    need = scenario.sealed.jobs[0][0].min_reliability
    paid = next((one.payment for one in board.contracts if NEW in one.taken), None)
    taken = any(OLD in one.given for one in board.contracts)
    trader = next(one for one in TRADERS if one.pitch == scenario.offers[0].message)
    return Swap(OTHER, trader.said / 100, old.reliability, need, paid, taken)


def _story_of(events: tuple[MarketEvent, ...], seen: Seen, lab: int) -> tuple[Line, ...]:
    """Tell another play of the same market as the person's own is told."""
    frames = shown(list(enumerate(events, start=1)), seen.facts, seen.viewer)
    board = board_of(frames)
    return _story(board, LAB_IDS[lab], lab_name(board.labs[lab].name))


def _story(board: Board, me: str, name: str) -> tuple[Line, ...]:
    return tuple(
        line
        for line in board.lines
        if line.event == "shock"
        or (line.event == "job" and line.lab == me)
        or (line.event == "contract" and name in line.words)
    )
