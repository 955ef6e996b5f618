"""What a player could do now, and where each move leads by the page's own numbers."""

from collections.abc import Mapping, Sequence
from typing import Literal

import msgspec

from arena.gpu_market.board.cards import OfferCard
from arena.gpu_market.board.moments import Run
from arena.gpu_market.board.parts import Board
from arena.gpu_market.board.titles import shock_title
from arena.gpu_market.board.wants import Course, Wanted, brings
from arena.words import say
from bazaarbatna.market.scenario import TASKS

FIRST_BID = 500
"""Little: a lab names its price to who bids too little, and what is bid above it is given away."""
LIKELY, LESS = (6_000, 7_000, 8_500, 10_000, 11_000), 2_600
"""Five prices as labs name them for a block, one as often as the other, and what a block that goes
with the bid takes off. No lab's own: `market_advice --dealt` prints what all of them ask."""

WORTH_ASKING = 200
"""Asking is free, but somebody has to press: for less it is not proposed."""


class Choice(msgspec.Struct, frozen=True):
    """A move and what it changes, in hundredths of a credit; a bid as if it were taken.

    To ask for a price changes what it does on average over ``LIKELY``: what is dear is not bought.

    ``ends`` is what the lab's plan brings then. ``card``, ``bid`` or ``run`` is what it is about;
    ``gives`` are blocks that go with a bid, ``is_named``: its lab has asked that price; ``likely``
    are prices as labs mostly ask, the least first, where it has not.
    """

    move: Literal["accept", "bid", "run", "wait"]
    gain: int = 0
    ends: int = 0
    card: OfferCard | None = None
    bid: Wanted | None = None
    gives: tuple[str, ...] = ()
    price: int = 0
    is_named: bool = False
    likely: tuple[int, ...] = ()
    run: Run | None = None


def choices_of(
    board: Board,
    course: Course | None,
    cards: Sequence[OfferCard],
    named: Mapping[str, int | None],
    runs: Sequence[Run],
    wanted: Sequence[Wanted],
    gives: tuple[str, ...],
) -> tuple[Choice, ...]:
    """Return the best move of each kind, what we would do first, by the numbers on the page.

    ``named`` are the prices that labs have named to the viewer, by block, with ``gives`` on top;
    None where no money would do.
    """
    if board.own is None or course is None or not board.is_own_turn:
        return ()
    kinds: tuple[Sequence[Choice], ...] = (
        [Choice("accept", one.gain or 0, card=one) for one in cards if one.answerable],
        [Choice("run", -one.costs, run=one) for one in runs if one.earned and one.earned.net > 0],
        [Choice("wait", brings(board, (), ()))],
    )
    best = [max(found, key=lambda one: one.gain) for found in kinds if found]
    bids = _bids(board, named, wanted, gives, max(one.gain for one in best))
    best += sorted(bids, key=lambda one: -one.gain)[:1]
    # Of moves that lead as high in whole credits, as pages write them, what has run is safest.
    safe = ("accept", "bid", "wait", "run").index
    found = sorted(best, key=lambda one: (-((course.sure + one.gain) // 100), -safe(one.move)))
    return tuple(msgspec.structs.replace(one, ends=course.sure + one.gain) for one in found)


def _bids(
    board: Board,
    named: Mapping[str, int | None],
    wanted: Sequence[Wanted],
    gives: tuple[str, ...],
    else_: int,
) -> list[Choice]:
    """Return bids at named prices, and asks; ``else_`` is what comes of a price too high."""
    money = (board.own and board.own.budget) or 0
    prices = tuple(max(one - LESS * len(gives), FIRST_BID) for one in LIKELY)
    found, asks = [], []
    for one in wanted:
        worth = brings(board, gives, (one.block.id,)) if gives else one.worth
        price = named.get(one.block.id, FIRST_BID)
        bid = Choice("bid", worth, bid=one, gives=gives, price=price or 0)
        if one.block.id not in named:
            asks.append(msgspec.structs.replace(bid, likely=prices))
        elif price is not None and price <= money:
            found.append(msgspec.structs.replace(bid, gain=worth - price, is_named=True))
    else_ = max([else_, *(one.gain for one in found)])
    for ask in asks if money >= FIRST_BID else ():
        ends = [max(ask.gain - one, else_) if one <= money else else_ for one in prices]
        if (gain := sum(ends) // len(ends)) - else_ >= WORTH_ASKING:
            found.append(msgspec.structs.replace(ask, gain=gain))
    return found


def shocks_ahead(board: Board) -> tuple[str, ...]:
    """Name the shocks that everybody knows of and no plan foresees: what, and in which round."""
    task = next((task for task in TASKS if task.name == board.task), None)
    ahead = [one for one in task.shocks if one[0] > board.round] if task else []
    return tuple(
        say("shock_in_round_round", shock=shock_title(kind).lower(), round=round_ + 1)
        for round_, kind in ahead
    )
