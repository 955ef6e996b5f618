"""All rule buyers that play sweeps, under the names of ``agents/buyers/table``."""

from collections.abc import Callable

import msgspec

from agents.sweeps import proposals
from agents.sweeps.dice import random_buyers
from agents.sweeps.guarding import Proposers, guarded
from agents.sweeps.timed import timed
from negotiation.engine import bidding
from negotiation.environment.sweeps.arrays import Seeds
from negotiation.environment.sweeps.play import Buyers


class SweepBuyer(msgspec.Struct, frozen=True):
    """A kind of buyer: made from one seed per game; ``remembers`` all prices of its game."""

    make: Callable[[Seeds], Buyers]
    remembers: bool = False


def _plain(propose: Proposers, *, remembers: bool = False) -> SweepBuyer:
    buyers = guarded(propose)
    return SweepBuyer(lambda _: buyers, remembers)


def _timed(exponent: float) -> SweepBuyer:
    buyers = timed(exponent)
    return SweepBuyer(lambda _: buyers)


SWEEP_BUYERS: dict[str, SweepBuyer] = {
    "rules:aggressive": _plain(proposals.aggressive_wish),
    "rules:smart": _plain(proposals.smart_wish),
    "rules:boulware": _timed(bidding.BOULWARE),
    "rules:linear": _timed(bidding.LINEAR),
    "rules:conceder": _timed(bidding.CONCEDER),
    "rules:tit-for-tat": _plain(proposals.tit_for_tat_wish, remembers=True),
    "rules:micro": _plain(proposals.micro_wish, remembers=True),
    "rules:zeuthen": _plain(proposals.zeuthen_wish),
    "rules:climber": _plain(proposals.climber_wish),
    "rules:halver": _plain(proposals.halver_wish),
    "rules:split": _plain(proposals.split_wish),
    "rules:og": _plain(proposals.og_wish),
    "rules:agreeable": _plain(proposals.agreeable_wish),
    "rules:random": SweepBuyer(random_buyers),
}
"""Policy name -> its form for sweeps. Sauda reads tells and the waiter the suite's name, so that
neither is among them."""
