"""Send a rule buyer, by its name, into many games."""

from collections.abc import Callable

import msgspec
import numpy as np
import numpy.typing as npt

from agents.output_guard.sweeps import Proposers, guarded
from agents.sweeps import proposals
from agents.sweeps.proposals import random_buyers, timed
from negotiation.engine import price_grid
from negotiation.engine.errors import GameError
from negotiation.environment.sweeps.arrays import Seeds, to_seeds
from negotiation.environment.sweeps.play import Buyers, sweep
from negotiation.environment.sweeps.starts import Bargains, SweepResult
from negotiation.environment.sweeps.suites import sweep_suite


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
    "rules:boulware": _timed(price_grid.BOULWARE),
    "rules:linear": _timed(price_grid.LINEAR),
    "rules:conceder": _timed(price_grid.CONCEDER),
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


class NotInSweeps(GameError):
    """No buyer of that name plays sweeps; the message lists those that do."""

    code = "not-in-sweeps"


def sweep_buyer(name: str) -> SweepBuyer:
    """Look a buyer up.

    Raises:
        NotInSweeps: it has no form for sweeps.
    """
    try:
        return SWEEP_BUYERS[name]
    except KeyError:
        known = ", ".join(SWEEP_BUYERS)
        raise NotInSweeps(f"{name[:60]!r} plays no sweeps. Those that do: {known}.") from None


def play(name: str, bargains: Bargains, seeds: npt.ArrayLike | None = None) -> SweepResult:
    """Play every game of a sweep with a buyer.

    Args:
        name: of the policy.
        bargains: where the games start.
        seeds: the buyers' own, for one that throws dice; 0, 1, 2 ... when missing.

    Raises:
        NotInSweeps: no buyer of that name plays sweeps.
    """
    buyer = sweep_buyer(name)
    own = np.arange(len(bargains), dtype=np.uint64) if seeds is None else to_seeds(seeds)
    return sweep(bargains, buyer.make(own), remembers=buyer.remembers)


def play_suite(
    name: str, suite_id: str, seeds: npt.ArrayLike, *, seller: str | None = None
) -> list[SweepResult]:
    """Play games of a suite with a buyer, as ``play_suite_game`` does one by one.

    Args:
        name: of the policy.
        suite_id: for example ``career_10@sampled-1``.
        seeds: of the games; each buyer has its game's.
        seller: persona or version label in place of the suite's own.

    Returns:
        One result for each bargain of a game, in order.

    Raises:
        NotInSweeps: no buyer of that name plays sweeps.
        UnknownSuite, UnknownSeller: there is none of that name.
    """
    buyer = sweep_buyer(name)
    return sweep_suite(suite_id, seeds, buyer.make, remembers=buyer.remembers, seller=seller)
