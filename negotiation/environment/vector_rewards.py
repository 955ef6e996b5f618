"""Rewards of many moves at once: ``engine.rewards`` for arrays."""

import math
from typing import NamedTuple

import numpy as np

from negotiation.engine import rewards
from negotiation.environment.sweeps.arrays import Flags, Floats, Ints
from negotiation.environment.sweeps.play import Play
from negotiation.environment.sweeps.starts import BUYER, DEAL, EXPIRED, Codes

EXACT = 2
"""A sum of so many floats is rounded once anyway."""


class Proposals(NamedTuple):
    """What the buyers propose: a bid in paise each, unless they accept or walk."""

    price: Floats
    accept: Flags
    walk: Flags


class Ends(NamedTuple):
    """Which bargains a move ended, and how; without a deal ``price`` (paise) and ``share`` are 0.

    ``outcome`` and ``by`` are codes as in ``SweepResult``; ``share`` is the buyer's, 0..1.
    """

    over: Flags
    outcome: Codes
    by: Codes
    price: Floats
    share: Floats


def nonsense(play: Play, proposals: Proposals, bid_before: Floats) -> Floats:
    """Fine what breaks a rule or repeats itself; ``bid_before`` is that before the standing one."""
    price, budget = proposals.price, play.budget
    offers = ~proposals.accept & ~proposals.walk
    bad = offers & ~((price >= 0) & (price <= budget))
    third = np.greater_equal(play.round, rewards.THIRD_TIME)
    same = third & (np.abs(play.bid - price) <= rewards.SAME_BID)
    same &= np.abs(bid_before - price) <= rewards.SAME_BID
    fined = np.where(bad, rewards.BAD_BID, np.where(offers & same, rewards.REPEATED_BID, 0.0))
    nothing = proposals.accept & (play.ask > budget)
    return np.where(nothing, rewards.NOTHING_TO_ACCEPT, fined)


def gap(play: Play) -> Floats:
    """Return the distance of the standing prices in paise."""
    return np.maximum(play.ask - play.bid, 0)


def closer(before: Floats, after: Floats, anchor: Floats) -> Floats:
    """Pay for narrowing the gap."""
    return rewards.CLOSER * (before - after) / anchor


def surplus(play: Play, ends: Ends, round_: Ints, discounts: Floats) -> Floats:
    """Pay a deal its normalised surplus, discounted by the round of the move."""
    width = play.budget - play.cost
    kept = np.clip((play.budget - ends.price) / np.where(width > 0, width, 1), 0.0, 1.0)
    kept = np.where(width > 0, kept, 0.0)
    return np.where(ends.over & (ends.outcome == DEAL), kept * discounts[round_], 0.0)


def ending(play: Play, ends: Ends, *, forgives: bool) -> Floats:
    """Fine an end without a deal; with ``forgives`` not where no price could suit both."""
    left = np.where(ends.by == BUYER, rewards.WALK, rewards.SELLER_WALKED)
    fined = np.where(ends.outcome == EXPIRED, rewards.EXPIRED, left)
    counts = ends.over & (ends.outcome != DEAL)
    if forgives:
        counts &= play.budget > play.reservation
    return np.where(counts, fined, 0.0)


def total(*terms: Floats) -> Floats:
    """Add terms up as ``Reward.total`` does: rounded once, whatever their order."""
    table = np.stack(terms)
    added: Floats = table.sum(axis=0)
    for column in np.flatnonzero(np.count_nonzero(table, axis=0) > EXACT):
        added[column] = math.fsum(table[:, column])
    return added
