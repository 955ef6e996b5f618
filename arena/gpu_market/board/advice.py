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


class Choice(msgspec.Struct, frozen=True):
    """A move and what it changes, in hundredths of a credit; a bid as if it were taken.

    ``ends`` is what the lab's plan brings then. ``card``, ``bid`` or ``run`` is what it is about;
    ``gives`` are blocks that go with a bid, ``is_named``: its lab has asked that price.
    """

    move: Literal["accept", "bid", "run", "wait"]
    gain: int = 0
    ends: int = 0
    card: OfferCard | None = None
    bid: Wanted | None = None
    gives: tuple[str, ...] = ()
    price: int = 0
    is_named: bool = False
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
        _bids(board, named, wanted, gives),
        [Choice("wait", brings(board, (), ()))],
    )
    best = [max(found, key=lambda one: one.gain) for found in kinds if found]
    # Of moves that lead as high in whole credits, as pages write them, what has run is safest.
    safe = ("accept", "bid", "wait", "run").index
    found = sorted(best, key=lambda one: (-((course.sure + one.gain) // 100), -safe(one.move)))
    return tuple(msgspec.structs.replace(one, ends=course.sure + one.gain) for one in found)


def _bids(
    board: Board,
    named: Mapping[str, int | None],
    wanted: Sequence[Wanted],
    gives: tuple[str, ...],
) -> list[Choice]:
    money = (board.own and board.own.budget) or 0
    found = []
    for one in wanted:
        name = one.block.id
        price = named.get(name, FIRST_BID)
        if price is not None and price <= money:
            gain = (brings(board, gives, (name,)) if gives else one.worth) - price
            is_named = name in named
            found.append(Choice("bid", gain, bid=one, gives=gives, price=price, is_named=is_named))
    return found


def shocks_ahead(board: Board) -> tuple[str, ...]:
    """Name the shocks that everybody knows of and no plan foresees: what, and in which round."""
    task = next((task for task in TASKS if task.name == board.task), None)
    ahead = [one for one in task.shocks if one[0] > board.round] if task else []
    return tuple(
        say("shock_in_round_round", shock=shock_title(kind).lower(), round=round_ + 1)
        for round_, kind in ahead
    )
