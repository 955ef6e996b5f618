"""One move that a player could make now, and why: the best of what the page's own numbers say."""

from collections.abc import Mapping, Sequence
from typing import Literal

import msgspec

from arena.gpu_market.board.cards import OfferCard
from arena.gpu_market.board.moments import Run
from arena.gpu_market.board.parts import Board
from arena.gpu_market.board.titles import shock_title
from arena.gpu_market.board.wants import FEW, LEAST, Course, Wanted
from arena.words import say
from bazaarbatna.market.blocks import Job
from bazaarbatna.market.scenario import TASKS

WORTH_A_TURN = 1000
"""A trade that brings less does not put off a job that can run: a shock may come first."""


STEP = 500
"""A first bid is a multiple of it, as prices that labs name are."""


class Advice(msgspec.Struct, frozen=True):
    """A move with what it brings, in hundredths of a credit.

    ``card``, ``bid`` or ``run`` is what it is about; ``starts`` is the round, from 1, in which the
    plan goes on where waiting is best, 0 where nothing is left to do. ``is_named``: the price of a
    bid is what its lab has asked.
    """

    move: Literal["accept", "bid", "run", "wait"]
    gain: int = 0
    card: OfferCard | None = None
    bid: Wanted | None = None
    price: int = 0
    is_named: bool = False
    run: Run | None = None
    starts: int = 0


def advice_of(
    board: Board,
    course: Course | None,
    cards: Sequence[OfferCard],
    named: Mapping[str, int],
    runs: Sequence[Run],
    wanted: Sequence[Wanted],
) -> Advice | None:
    """Advise the viewer, whose turn it is, by the numbers that stand on the page; None else.

    ``named`` are the prices that labs have named to the viewer, by block. Nobody knows the others:
    for those blocks half of what they bring is bid, which their lab may answer with a price.
    """
    own = board.own
    if own is None or course is None or not board.is_own_turn:
        return None
    found = []
    for one in wanted:
        price = named.get(one.block.id)
        bid = one.worth // 2 // STEP * STEP if price is None else price
        is_named = price is not None
        if bid <= (own.budget or 0) and (is_named or (one.tried is None and bid >= STEP)):
            found.append(Advice("bid", one.worth - bid, bid=one, price=bid, is_named=is_named))
    found += [
        Advice("accept", card.gain, card=card) for card in cards if card.answerable and card.gain
    ]
    best = max(found, key=lambda one: (one.gain, one.move == "accept"), default=None)
    now = [run for run in runs if run.earned and run.costs < LEAST and run.earned.net > 0]
    if best is not None and best.gain >= (WORTH_A_TURN if now else FEW):
        return best
    if now:
        run = max(now, key=lambda one: one.earned.net if one.earned else 0)
        return Advice("run", run.earned.net if run.earned else 0, run=run)
    later = [step.round + 1 for step in course.steps if step.round > board.round]
    return Advice("wait", starts=min(later, default=0))


def wishes(board: Board) -> tuple[Job, ...]:
    """Return the viewer's open jobs, what is worth most first."""
    jobs = board.own.jobs if board.own else None
    return tuple(sorted((job for job in jobs or () if not job.done), key=lambda job: -job.value))


def shocks_ahead(board: Board) -> tuple[str, ...]:
    """Name the shocks that everybody knows of and no plan foresees: what, and in which round."""
    task = next((task for task in TASKS if task.name == board.task), None)
    ahead = [one for one in task.shocks if one[0] > board.round] if task else []
    return tuple(
        say("shock_in_round_round", shock=shock_title(kind).lower(), round=round_ + 1)
        for round_, kind in ahead
    )
