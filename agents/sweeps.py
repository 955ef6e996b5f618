"""Rule buyers in sweeps: the proposals of ``agents/buyers``, guarded, for many games at once."""

from collections.abc import Callable

import msgspec
import numpy as np
import numpy.typing as npt

from agents.buyers import classic
from bazaarbatna.bargain import price_grid
from bazaarbatna.bargain.errors import GameError
from bazaarbatna.bargain.quantities import MIN_PRICE
from bazaarbatna.fast.arrays import (
    Flags,
    Floats,
    Ints,
    Number,
    Seeds,
    clamp_prices,
    to_seeds,
)
from bazaarbatna.fast.play import Buyers, Play, Wish, sweep
from bazaarbatna.fast.starts import Bargains, SweepResult
from bazaarbatna.fast.suites import sweep_suite
from bazaarbatna.fast.twister import uniforms, words
from bazaarbatna.players import simple
from bazaarbatna.players.simple import LOW_OF_ASK

Proposers = Callable[[Play], Wish]
"""Proposals that need not be legal; the guards decide what of them is played."""


def _guarded(propose: Proposers) -> Buyers:
    def act(play: Play) -> Wish:
        return guard(play, propose(play))

    return act


def guard(play: Play, wish: Wish) -> Wish:
    """Do what ``bazaarbatna.players.guard.guard`` does with each proposal."""
    agreed = play.ask <= play.bid
    least = np.maximum(play.bid, MIN_PRICE)
    price = wish.price
    accept = agreed
    if wish.accept is not None:
        price = np.where(wish.accept, least, price)
        accept = agreed | wish.accept & (play.ask <= play.budget)
    price = np.maximum(least, np.minimum(price, play.budget))
    accept = accept | (price >= play.ask)
    if wish.walk is None:
        return Wish(price, accept)
    walk = wish.walk & ~agreed
    return Wish(price, accept & ~walk, walk)


def _smart_wish(play: Play) -> Wish:
    ask, budget = play.ask, play.budget
    if play.round == 1:
        return Wish(clamp_prices(classic.SMART_OPEN_OF_ASK * np.minimum(ask, budget)))
    halfway = play.bid + classic.HALFWAY * (ask - play.bid)
    price = np.minimum(halfway, classic.SMART_MOST_OF_BUDGET * budget)
    close = (ask - price <= classic.SMART_SMALL_GAP * ask) | _is_last_round(play)
    return Wish(clamp_prices(price), (ask <= budget) & close)


def _agreeable_wish(play: Play) -> Wish:
    if play.round == 1:
        return Wish(clamp_prices(simple.AGREEABLE_OPEN_OF_ASK * play.ask))
    # An acceptance that the budget forbids would hold the last bid; this buyer bids its budget.
    return Wish(play.budget, play.ask <= play.budget)


def _split_wish(play: Play) -> Wish:
    price = (play.bid + play.ask) / 2
    return Wish(clamp_prices(price), play.ask - price <= simple.SPLIT_SMALL_GAP * play.ask)


def _aggressive_wish(play: Play) -> Wish:
    anchor, ask, t = play.anchor, play.ask, play.round
    share = classic.AGGRESSIVE_OPEN_OF_ASK + classic.STEP_OF_ASK * (t - 1)
    price = np.minimum(share * anchor, classic.AGGRESSIVE_MOST_OF_BUDGET * play.budget)
    late = np.greater(t, classic.PATIENCE * play.rounds)
    walks = late & (ask > classic.BEARABLE_OF_ASK * anchor)
    if play.round == 1:
        return Wish(clamp_prices(price), None, walks)
    good = ask <= classic.GOOD_OF_ASK * anchor
    return Wish(clamp_prices(price), good, walks & ~good)


def _og_wish(play: Play) -> Wish:
    turn = min(int(play.round) - 1, len(simple.SCHEDULE) - 1)
    return Wish(clamp_prices(simple.SCHEDULE[turn] * play.budget))


def _zeuthen_wish(play: Play) -> Wish:
    ask, budget = play.ask, play.budget
    if play.round == 1:
        return Wish(clamp_prices(simple.ZEUTHEN_OPEN_OF_ASK * play.anchor))
    cost = simple.COST_OF_ASK * play.anchor
    price = np.maximum(play.bid, budget + cost - ask)
    return Wish(clamp_prices(np.where(ask > budget, play.bid, price)))


def _micro_wish(play: Play) -> Wish:
    assert play.asks is not None
    assert play.bids is not None
    low = np.minimum(simple.LOW_OF_ASK * play.anchor, play.budget)
    rung = (play.budget - low) / play.rounds
    own, theirs = different(play.bids), different(play.asks)
    rungs = np.where(own <= theirs, own, own - 1)
    return Wish(clamp_prices(low + rungs * rung))


def _tit_for_tat_wish(play: Play) -> Wish:
    if play.round == 1:
        return Wish(clamp_prices(simple.TIT_FOR_TAT_OPEN_OF_ASK * play.ask))
    assert play.asks is not None
    concession = play.asks[-2] - play.asks[-1]
    price = clamp_prices(play.bid + np.maximum(concession, 0))
    last = _is_last_round(play)
    return Wish(price, last) if last.any() else Wish(price)


def _climber_wish(play: Play) -> Wish:
    gone = np.subtract(play.round, 1) / np.maximum(np.subtract(play.rounds, 1), 1)
    share = simple.FIRST_OF_ASK + gone * (simple.LAST_OF_ASK - simple.FIRST_OF_ASK)
    takes = _is_last_round(play) & (play.ask <= play.budget)
    return Wish(clamp_prices(share * play.anchor), takes)


def _halver_wish(play: Play) -> Wish:
    ask = play.ask
    if play.round == 1:
        return Wish(clamp_prices(simple.HALVER_OPEN_OF_ASK * ask))
    has_moves = np.less_equal(play.round, simple.MOST_MOVES + 1)
    price = np.where(has_moves, play.bid + simple.HALF * (ask - play.bid), play.bid)
    close = (ask - price <= simple.HALVER_SMALL_GAP * ask) | _is_last_round(play)
    return Wish(clamp_prices(price), (ask <= play.budget) & close)


def _is_last_round(play: Play) -> Flags:
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


SEEDS = 2**43
SEEDS_APART = 1_000_003
"""As in ``RuleBuyer.dice``: a turn's seed is the buyer's seed times this, plus the bids so far."""


def _random_buyers(seeds: Seeds) -> Buyers:
    if len(seeds) and int(seeds.max()) >= SEEDS:
        raise ValueError(f"Seeds of random buyers are 0 to {SEEDS - 1}.")

    def propose(play: Play) -> Wish:
        turn = seeds[play.games] * np.uint64(SEEDS_APART) + np.uint64(int(play.round) - 1)
        drawn = words(turn, range(4))
        chance, where = uniforms(drawn[0], drawn[1]), uniforms(drawn[2], drawn[3])
        accepts = chance < simple.ACCEPT_P
        walks = ~accepts & (chance < simple.ACCEPT_P + simple.WALK_P)
        price = play.bid + (play.budget - play.bid) * where
        return Wish(clamp_prices(price), accepts, walks)

    return _guarded(propose)


def timed(exponent: Number) -> Buyers:
    """Make buyers that climb from half the opening ask to the budget along ``1 - t**e``."""
    if not np.all(np.greater(exponent, 0)):
        raise ValueError("An exponent is above 0: 4 waits, 1 is linear, 0.25 gives in early.")
    # Powers come from the same function as the engine's: numpy's differ in the last bit. They are
    # few, one for each pair of a moment and an exponent.
    exponents, which = np.unique(np.asarray(exponent, float), return_inverse=True)
    which = which.ravel()

    def propose(play: Play) -> Wish:
        own = which[play.games] if len(which) > 1 else which
        claims = _claims(play.round, play.rounds, exponents, own)
        low = np.minimum(LOW_OF_ASK * play.anchor, play.budget)
        return Wish(clamp_prices(play.budget - (play.budget - low) * claims))

    return _guarded(propose)


def _claims(round_: Number, rounds: Number, exponents: Floats, which: Ints) -> Number:
    limits, place = np.unique(np.asarray(rounds), return_inverse=True)
    table = np.array(
        [
            [
                price_grid.aspiration(price_grid.elapsed(int(round_) - 1, int(limit)), e)
                for limit in limits.tolist()
            ]
            for e in exponents.tolist()
        ]
    )
    return float(table[0, 0]) if table.size == 1 else table[which, place.ravel()]


class SweepBuyer(msgspec.Struct, frozen=True):
    """A kind of buyer: made from one seed per game; ``remembers`` all prices of its game."""

    make: Callable[[Seeds], Buyers]
    remembers: bool = False


def _plain(propose: Proposers, *, remembers: bool = False) -> SweepBuyer:
    buyers = _guarded(propose)
    return SweepBuyer(lambda _: buyers, remembers)


def _timed(exponent: float) -> SweepBuyer:
    buyers = timed(exponent)
    return SweepBuyer(lambda _: buyers)


SWEEP_BUYERS: dict[str, SweepBuyer] = {
    "rules:aggressive": _plain(_aggressive_wish),
    "rules:smart": _plain(_smart_wish),
    "rules:boulware": _timed(price_grid.BOULWARE),
    "rules:linear": _timed(price_grid.LINEAR),
    "rules:conceder": _timed(price_grid.CONCEDER),
    "rules:tit-for-tat": _plain(_tit_for_tat_wish, remembers=True),
    "rules:micro": _plain(_micro_wish, remembers=True),
    "rules:zeuthen": _plain(_zeuthen_wish),
    "rules:climber": _plain(_climber_wish),
    "rules:halver": _plain(_halver_wish),
    "rules:split": _plain(_split_wish),
    "rules:og": _plain(_og_wish),
    "rules:agreeable": _plain(_agreeable_wish),
    "rules:random": SweepBuyer(_random_buyers),
}
"""Policy name -> its form for sweeps. Sauda reads tells and the waiter the suite's name, so that
neither is among them."""


class NotInSweeps(GameError):
    """No buyer of that name plays sweeps; the message lists those that do."""

    code = "not-in-sweeps"


def _sweep_buyer(name: str) -> SweepBuyer:
    try:
        return SWEEP_BUYERS[name]
    except KeyError:
        known = ", ".join(SWEEP_BUYERS)
        raise NotInSweeps(f"{name[:60]!r} plays no sweeps. Those that do: {known}.") from None


def play(name: str, bargains: Bargains, seeds: npt.ArrayLike | None = None) -> SweepResult:
    """Play every game of a sweep with a buyer; raises NotInSweeps.

    ``seeds`` are for one that throws dice; 0, 1, 2 ... when missing.
    """
    buyer = _sweep_buyer(name)
    own = np.arange(len(bargains), dtype=np.uint64) if seeds is None else to_seeds(seeds)
    return sweep(bargains, buyer.make(own), remembers=buyer.remembers)


def play_suite(
    name: str, suite_id: str, seeds: npt.ArrayLike, *, seller: str | None = None
) -> list[SweepResult]:
    """Play games of a suite (``career_10@sampled-1``): a result for each bargain, in order.

    ``seller``: a persona or version in place of the suite's own. Raises NotInSweeps, UnknownSuite
    and UnknownSeller.
    """
    buyer = _sweep_buyer(name)
    return sweep_suite(suite_id, seeds, buyer.make, remembers=buyer.remembers, seller=seller)
