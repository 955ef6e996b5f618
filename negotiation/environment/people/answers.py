"""What many sellers answer at once: ``negotiation.engine.people.seller.respond`` over arrays.

A test holds the two together, move by move. Prices are shares of the opening ask here.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from negotiation.engine.people.memory import PROGRESS
from negotiation.engine.people.seller import STANDING_STILL
from negotiation.environment.people.sellers import PLACE, Floats

Bools = npt.NDArray[np.bool_]
Rounds = int | npt.NDArray[np.int64]
"""Of the game, or of each game."""

CROSSED = 1e-9
"""Prices closer than this are the same price."""


@dataclass
class Table:
    """Positions, one a lane; every array broadcasts to the same shape (..., sellers).

    ``named``, ``stalled`` and ``insults`` are what ``people.memory`` counts; ``step`` is how far
    the buyer came up this round.
    """

    ask: Floats
    bid: Floats
    named: Floats
    stalled: Floats
    insults: Floats
    step: Floats


@dataclass(frozen=True)
class Answers:
    """What sellers do: ``takes`` and ``leaves`` (in that order of precedence), else ``ask``."""

    takes: Bools
    leaves: Bools
    ask: Floats


def place_bid(table: Table, bid: Floats, insult: Floats, is_first: bool) -> None:
    """Put a bid on the table and let the sellers remember it."""
    rise = np.zeros_like(bid) if is_first else bid - table.bid
    if not is_first:
        table.stalled = np.where(rise >= PROGRESS - CROSSED, 0.0, table.stalled + 1)
    table.insults = table.insults + (bid < insult - CROSSED)
    table.step = np.maximum(rise, 0.0)
    table.bid = bid


def last_rounds(manner: Floats, rounds: Rounds) -> Floats:
    """Return the round after which each seller is gone; ``rounds`` + 1 without a deadline."""
    deadline = manner[PLACE["deadline"]]
    return np.where(deadline > 0, np.maximum(2.0, np.floor(deadline * rounds + 0.5)), rounds + 1.0)


def takes(manner: Floats, table: Table, round_: int, rounds: Rounds) -> Bools:
    """Return which sellers take the standing bid."""
    floor, last = manner[PLACE["floor"]], last_rounds(manner, rounds)
    is_last = round_ >= np.minimum(last, rounds)
    greed = np.where(is_last, manner[PLACE["last_greed"]], manner[PLACE["greed"]])
    bid, ask = table.bid, table.ask
    wanted = np.minimum(floor + greed * (ask - floor), ask - manner[PLACE["close"]])
    found: Bools = bid >= np.maximum(wanted, floor) - CROSSED
    return found


def planned_step(
    manner: Floats, table: Table, round_: int, rounds: Rounds
) -> tuple[Floats, Bools, Bools]:
    """Return what each ask is to come down without luck, and on whom luck has no bearing.

    Returns:
        Steps as shares of the opening ask; who cannot stand still by luck (a deadline is near, or
        the middle is proposed); whose step is exact.
    """
    named, gap = table.named, table.ask - table.bid
    split = manner[PLACE["split_from"]]
    hurried = round_ + 1 >= last_rounds(manner, rounds)
    splits = (split > 0) & (named == split)
    stops = (named >= manner[PLACE["moves"]]) | ((split > 0) & (named > split))
    share = manner[PLACE["gap"]] * manner[PLACE["fade"]] ** named
    share = np.where(table.insults > 0, share * manner[PLACE["harden"]], share)
    share = np.where(table.stalled > 0, share * manner[PLACE["idle"]], share)
    share = np.where(hurried, np.maximum(share, manner[PLACE["rush"]]), share)
    step = share * gap + manner[PLACE["mirror"]] * table.step
    step = np.where(stops & ~hurried, 0.0, step)
    step = np.where(splits, gap / 2, step)
    return step, hurried | splits, splits


def answers(
    manner: Floats, table: Table, round_: int, rounds: Rounds, luck: Floats, unit: Floats | float
) -> Answers:
    """Answer the standing bids.

    Args:
        manner: of each seller, (fields, sellers).
        table: the positions.
        round_: the round, from 1.
        rounds: of the game.
        luck: draws of the turn in the order of ``people.seller.Luck``, (4, sellers).
        unit: the step in which prices are named, as a share of the opening ask.
    """
    leave, pride, hold, spread = luck
    insulted = table.bid < manner[PLACE["insult"]] - CROSSED
    leaves = insulted & (pride < manner[PLACE["pride"]])
    leaves |= (table.stalled > manner[PLACE["patience"]]) & (leave < manner[PLACE["leave"]])
    leaves |= round_ >= last_rounds(manner, rounds)
    step, moves_anyway, exact = planned_step(manner, table, round_, rounds)
    size = 1 + manner[PLACE["spread"]] * (2 * spread - 1)
    step = np.where(exact, step, step * size)
    still = (step < STANDING_STILL) & ~exact
    still |= ~moves_anyway & (hold < manner[PLACE["hold"]])
    ask = named(table.ask - np.where(still, 0.0, step), unit)
    ask = np.minimum(np.maximum(ask, manner[PLACE["floor"]]), table.ask)
    taken = takes(manner, table, round_, rounds)
    return Answers(taken | (~leaves & (ask <= table.bid + CROSSED)), leaves & ~taken, ask)


def named(price: Floats, unit: Floats | float) -> Floats:
    """Round prices to those that people name."""
    rounded: Floats = np.maximum(np.floor(price / unit + 0.5), 1.0) * unit
    return rounded
