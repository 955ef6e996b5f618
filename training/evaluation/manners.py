"""How a buyer goes about a game, counted from its bids: what its share does not tell.

Nobody is asked here. The bargaining bot that earned most was not the one that people liked (Journal
of Marketing Research 2025, 10.1177/00222437251375323), so these counts stand beside shares. They
are shown as they are: nobody knows weights between them. ``has_slight`` only counts games.
"""

from collections.abc import Sequence
from itertools import groupby, pairwise

import msgspec

from bazaarbatna.intervals import Interval, mean_interval
from negotiation.policies import Entry
from training.evaluation.samples import Sample, play_samples

INSULT = 0.5
LEAP = 0.5
STUBBORN = 3
"""A bid below this part of the opening ask is an insult, a step up by more than this part of the
bid before it a leap, so many equal bids in a row are stubborn. Of the buyers in the dialogues of
``bazaarbatna.bargain.people.paths`` nine in ten do none of it."""

NEAR = 0.01
"""Shares no further apart are equal: of two such buyers the one with fewer slights ships."""


class Manners(msgspec.Struct, frozen=True, kw_only=True):
    """A buyer's manners in one game.

    Attributes:
        share, seller_share: of the zone, 0..1; 0 without a deal, None without a zone.
        jump: largest step up, as part of the bid before it; 0: there was none.
        equal: most bids in a row at one price; 0: no bid was made.
        rounds: in which the game ended, from 1.
        insults: bids below ``INSULT`` of the opening ask.
    """

    share: float | None
    seller_share: float | None
    jump: float
    equal: int
    rounds: int
    insults: int

    @property
    def has_slight(self) -> bool:
        """Whether a person may have minded: an insult, a leap, or the same bid again and again."""
        return self.insults > 0 or self.jump > LEAP or self.equal >= STUBBORN


class MannersRow(msgspec.Struct, frozen=True, kw_only=True):
    """The manners of one buyer over many games.

    Shares are means over games with a zone. ``smooth`` is the part of games without a slight; the
    others are means over all games.
    """

    policy: str
    version: str
    title: str
    share: Interval
    seller_share: Interval
    smooth: Interval
    jump: float
    equal: float
    rounds: float
    insults: float


def manners_of(game: Sample) -> Manners:
    """Count a finished game.

    >>> row = {"policy": "", "title": "", "version": "", "suite": "", "seed": 0, "seller": "",
    ...        "item": "", "anchor": 100, "budget": 90, "reservation": 50, "outcome": "deal",
    ...        "by": "seller", "price": 60, "share": 0.75, "rounds": 3}
    >>> bids = [{"side": "buyer", "move": "offer", "price": bid} for bid in (40, 40, 60)]
    >>> game = msgspec.convert({**row, "lines": bids}, Sample)
    >>> manners_of(game)
    Manners(share=0.75, seller_share=0.25, jump=0.5, equal=2, rounds=3, insults=2)
    """
    bids = [
        line.price
        for line in game.lines
        if line.side == "buyer" and line.move == "offer" and line.price is not None
    ]
    is_deal = game.price is not None
    return Manners(
        share=game.share,
        seller_share=None if game.share is None else (1 - game.share) * is_deal,
        jump=max([0.0, *((after - bid) / bid for bid, after in pairwise(bids))]),
        equal=max((len(list(same)) for _, same in groupby(bids)), default=0),
        rounds=game.rounds,
        insults=sum(bid < INSULT * game.anchor for bid in bids),
    )


def measure(entry: Entry, suite: str, seeds: Sequence[int]) -> MannersRow:
    """Play one game of a suite per seed and sum a buyer's manners up; at least one has a zone."""
    games = [manners_of(game) for game in play_samples(entry, suite, seeds)]
    pairs = [(one.share, one.seller_share) for one in games]
    shares = [(own, theirs) for own, theirs in pairs if own is not None and theirs is not None]

    def mean(name: str) -> float:
        return round(sum(float(getattr(one, name)) for one in games) / len(games), 4)

    return MannersRow(
        policy=entry.name,
        version=entry.version,
        title=entry.title,
        share=mean_interval([own for own, _ in shares]),
        seller_share=mean_interval([theirs for _, theirs in shares]),
        smooth=mean_interval([float(not one.has_slight) for one in games]),
        jump=mean("jump"),
        equal=mean("equal"),
        rounds=mean("rounds"),
        insults=mean("insults"),
    )


def shipped_of(rows: Sequence[MannersRow]) -> MannersRow:
    """Choose who ships: the largest share, or of those ``NEAR`` to it the fewest slights."""
    best = max(row.share.mean for row in rows)
    # Shares have four decimals; what is written as 0.01 apart is 0.01 apart.
    near = [row for row in rows if round(best - row.share.mean, 4) <= NEAR]
    return max(near, key=lambda row: (row.smooth.mean, row.share.mean))
