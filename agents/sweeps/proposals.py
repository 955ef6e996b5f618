"""What each rule buyer proposes, for many games at once: the formulas of ``agents/buyers``.

Same numbers, same order of operations, so that every price is the same to the paisa.
"""

import numpy as np

from agents.buyers import (
    aggressive,
    agreeable,
    climber,
    halver,
    micro,
    og,
    smart,
    split,
    tit_for_tat,
    zeuthen,
)
from negotiation.environment.sweeps.arrays import Flags, Floats, Ints, clamp_prices
from negotiation.environment.sweeps.play import Play, Wish


def smart_wish(play: Play) -> Wish:
    """Meet halfway, below the own budget."""
    ask, budget = play.ask, play.budget
    if play.round == 1:
        return Wish(clamp_prices(smart.OPEN_OF_ASK * np.minimum(ask, budget)))
    halfway = play.bid + smart.HALFWAY * (ask - play.bid)
    price = np.minimum(halfway, smart.MOST_OF_BUDGET * budget)
    close = (ask - price <= smart.SMALL_GAP * ask) | is_last_round(play)
    return Wish(clamp_prices(price), (ask <= budget) & close)


def agreeable_wish(play: Play) -> Wish:
    """Say a price once, then yes."""
    if play.round == 1:
        return Wish(clamp_prices(agreeable.OPEN_OF_ASK * play.ask))
    # An acceptance that the budget forbids would hold the last bid; this buyer bids its budget.
    return Wish(play.budget, play.ask <= play.budget)


def split_wish(play: Play) -> Wish:
    """Bid the middle."""
    price = (play.bid + play.ask) / 2
    return Wish(clamp_prices(price), play.ask - price <= split.SMALL_GAP * play.ask)


def aggressive_wish(play: Play) -> Wish:
    """Bid a little more than before, or leave."""
    anchor, ask, t = play.anchor, play.ask, play.round
    share = aggressive.OPEN_OF_ASK + aggressive.STEP_OF_ASK * (t - 1)
    price = np.minimum(share * anchor, aggressive.MOST_OF_BUDGET * play.budget)
    late = np.greater(t, aggressive.PATIENCE * play.rounds)
    walks = late & (ask > aggressive.BEARABLE_OF_ASK * anchor)
    if play.round == 1:
        return Wish(clamp_prices(price), None, walks)
    good = ask <= aggressive.GOOD_OF_ASK * anchor
    return Wish(clamp_prices(price), good, walks & ~good)


def og_wish(play: Play) -> Wish:
    """Bid the next share of the schedule."""
    turn = min(int(play.round) - 1, len(og.SCHEDULE) - 1)
    return Wish(clamp_prices(og.SCHEDULE[turn] * play.budget))


def zeuthen_wish(play: Play) -> Wish:
    """Concede to equal risk, or wait."""
    ask, budget = play.ask, play.budget
    if play.round == 1:
        return Wish(clamp_prices(zeuthen.OPEN_OF_ASK * play.anchor))
    cost = zeuthen.COST_OF_ASK * play.anchor
    price = np.maximum(play.bid, budget + cost - ask)
    return Wish(clamp_prices(np.where(ask > budget, play.bid, price)))


def micro_wish(play: Play) -> Wish:
    """Take the next rung, or wait on this one."""
    assert play.asks is not None
    assert play.bids is not None
    low = np.minimum(micro.LOW_OF_ASK * play.anchor, play.budget)
    rung = (play.budget - low) / play.rounds
    own, theirs = different(play.bids), different(play.asks)
    rungs = np.where(own <= theirs, own, own - 1)
    return Wish(clamp_prices(low + rungs * rung))


def tit_for_tat_wish(play: Play) -> Wish:
    """Mirror the seller's last concession."""
    if play.round == 1:
        return Wish(clamp_prices(tit_for_tat.OPEN_OF_ASK * play.ask))
    assert play.asks is not None
    concession = play.asks[-2] - play.asks[-1]
    price = clamp_prices(play.bid + np.maximum(concession, 0))
    last = is_last_round(play)
    return Wish(price, last) if last.any() else Wish(price)


def climber_wish(play: Play) -> Wish:
    """Bid what the line says."""
    gone = np.subtract(play.round, 1) / np.maximum(np.subtract(play.rounds, 1), 1)
    share = climber.FIRST_OF_ASK + gone * (climber.LAST_OF_ASK - climber.FIRST_OF_ASK)
    takes = is_last_round(play) & (play.ask <= play.budget)
    return Wish(clamp_prices(share * play.anchor), takes)


def halver_wish(play: Play) -> Wish:
    """Halve the gap, or stand."""
    ask = play.ask
    if play.round == 1:
        return Wish(clamp_prices(halver.OPEN_OF_ASK * ask))
    has_moves = np.less_equal(play.round, halver.MOST_MOVES + 1)
    price = np.where(has_moves, play.bid + halver.HALF * (ask - play.bid), play.bid)
    close = (ask - price <= halver.SMALL_GAP * ask) | is_last_round(play)
    return Wish(clamp_prices(price), (ask <= play.budget) & close)


def is_last_round(play: Play) -> Flags:
    """Tell whose game ends with this round."""
    return np.broadcast_to(np.equal(play.round, play.rounds), play.ask.shape)


def different(prices: Floats) -> Ints:
    """Count the different prices of each game.

    >>> different(np.array([[5.0, 5.0], [4.0, 5.0], [5.0, 3.0]])).tolist()
    [2, 2]
    """
    if not len(prices):
        return np.zeros(prices.shape[1], np.int64)
    ordered = np.sort(prices, axis=0)
    changes: Ints = np.count_nonzero(ordered[1:] != ordered[:-1], axis=0)
    return 1 + changes
