"""How a finished game ended for both sides, and a policy's report card over many games."""

from collections.abc import Sequence
from random import Random
from typing import Literal

import msgspec

from bazaarbatna.bargain.log import Log
from bazaarbatna.intervals import Interval, bootstrap

Label = Literal["buyer win", "seller win", "tie", "mutual loss", "rational walk"]

WIN_SHARE = 0.6
"""A side with more than this share of the zone has won."""


class Score(msgspec.Struct, frozen=True):
    """One game; shares are 0..1 of the zone of possible agreement, both 0 without a deal."""

    label: Label
    buyer_share: float
    seller_share: float
    rounds: int
    winnable: bool

    @property
    def is_deal(self) -> bool:
        """The sides agreed on a price."""
        return self.label not in ("mutual loss", "rational walk")


class ReportCard(msgspec.Struct, frozen=True):
    """A policy in one suite, from the buyer's side; None where there is no game to speak of.

    A game is winnable if it has a zone of possible agreement. ``share_of_winnable`` is the mean
    buyer share over all of these, no deal counting 0, ``share_of_deals`` that over closed deals.
    Deals, wins and ``mutual_loss_rate`` (no deal) are per winnable game, ``rational_walk_rate``
    counts games without a deal per game without a zone.
    """

    n: int
    winnable: int
    share_of_winnable: Interval | None
    share_of_deals: Interval | None
    deal_rate: float | None
    win_rate: float | None
    mutual_loss_rate: float | None
    rational_walk_rate: float | None
    rounds: float


def score(log: Log) -> Score:
    """Score a finished game symmetrically; ``ValueError`` where it has not ended."""
    ended = log.ended
    if ended is None:
        raise ValueError("Only a finished game has a score; this log has no end.")
    winnable = log.scenario.zopa > 0
    buyer, seller = ended.buyer_share, ended.seller_share
    if ended.price is None:
        label: Label = "mutual loss" if winnable else "rational walk"
    elif buyer > WIN_SHARE:
        label = "buyer win"
    else:
        label = "seller win" if seller > WIN_SHARE else "tie"
    return Score(label, buyer, seller, ended.round, winnable)


def report_card(scores: Sequence[Score], seed: int = 0) -> ReportCard:
    """Sum at least one game up; the same ``seed`` of the bootstrap gives the same intervals."""
    if not scores:
        raise ValueError("A report card needs at least one finished game.")
    winnable = [one for one in scores if one.winnable]
    hopeless = [one for one in scores if not one.winnable]
    deals = [one.buyer_share for one in winnable if one.is_deal]
    rng = Random(seed)
    return ReportCard(
        n=len(scores),
        winnable=len(winnable),
        share_of_winnable=bootstrap([one.buyer_share for one in winnable], rng),
        share_of_deals=bootstrap(deals, rng),
        deal_rate=_rate(len(deals), len(winnable)),
        win_rate=_rate(_count(winnable, "buyer win"), len(winnable)),
        mutual_loss_rate=_rate(_count(winnable, "mutual loss"), len(winnable)),
        rational_walk_rate=_rate(_count(hopeless, "rational walk"), len(hopeless)),
        rounds=sum(one.rounds for one in scores) / len(scores),
    )


def _count(scores: Sequence[Score], label: Label) -> int:
    return sum(one.label == label for one in scores)


def _rate(part: int, whole: int) -> float | None:
    return part / whole if whole else None
