"""What came of the tries at a day's game: each one's result, the streak, everybody's together."""

import datetime as dt
from collections.abc import Sequence
from itertools import pairwise
from statistics import median
from typing import Literal

import msgspec
from django.db.models import QuerySet

from bazaarbatna.bargain.events import OfferMade, settled
from negotiation.bargain.verdict import Verdict, verdict_of
from negotiation.games.event_log import from_payload
from negotiation.models import EventRow
from negotiation.ttl_cache import cached, put
from replays.models import DailyTry
from replays.sealed_days import opens_at

BARS = 10

KEPT_S = 5.0
"""A day's results are counted anew no sooner, but for a reader who has just finished."""

Square = Literal["held", "small", "big"]
"""What one side did with its price in a round. A step is big where it is half as much again as an
even part of the way that both have walked: who moved whom is told, and nothing of any price."""

BIG = 1.5
"""So many even parts are a big step."""

End = Literal["deal", "left", "gone", "expired"]
"""Agreed; the seller walked; Sauda walked; the rounds ran out."""

SIGNS = {"held": "🟩", "small": "🟨", "big": "🟥"}
HERS = {"held": "⬜", "small": "🟦", "big": "🟪"}
ENDS: dict[End, str] = {"deal": "🤝", "left": "🚶", "gone": "💨", "expired": "⌛"}


class Result(msgspec.Struct, frozen=True):
    """How one try ended; ``share`` is the seller's part of the zone, 0..1, 0 without a deal.

    ``squares`` are the seller's steps, ``hers`` those of the buyer, each in the order of play.
    """

    share: float
    rounds: int
    squares: tuple[Square, ...]
    hers: tuple[Square, ...]
    end: End

    @property
    def verdict(self) -> Verdict:
        """The result on the scale of all games."""
        return verdict_of(self.share, "seller", deal=self.end == "deal")

    @property
    def columns(self) -> range:
        """The rounds above the squares: hers begin in the second, after a bid that is no step."""
        return range(1, 1 + max(len(self.squares), len(self.hers) + bool(self.hers)))

    @property
    def signs(self) -> tuple[str, str]:
        """The squares and the end as characters, and the buyer's."""
        mine = "".join(SIGNS[name] for name in self.squares) + ENDS[self.end]
        return mine, "".join(HERS[name] for name in self.hers)


def in_time(day: dt.date, ended_at: dt.datetime | None) -> bool:
    """Whether a game of a day ended, and before the day's secret was opened."""
    return ended_at is not None and ended_at < opens_at(day)


def is_counted(own: DailyTry) -> bool:
    """Whether a try counts."""
    return in_time(own.day_id, own.game.ended_at)


def counted(day: dt.date) -> QuerySet[DailyTry]:
    """Return the tries of a day that count: those that ended in time."""
    return DailyTry.objects.filter(day=day, game__ended_at__lt=opens_at(day))


def result_of(own: DailyTry) -> Result:
    """Return the result of a finished try."""
    game = own.game
    rows = EventRow.objects.filter(game=game.pk).order_by("seq")
    events = settled([from_payload(row) for row in rows.values_list("payload", flat=True)])
    offers = [one for one in events if isinstance(one, OfferMade)]
    asks = [getattr(events[0], "price", 0)]
    asks += [one.price for one in offers if one.actor == "seller"]
    mine, hers = squares_of(asks, [one.price for one in offers if one.actor == "buyer"])
    last = rows.filter(kind="ended").values_list("payload", flat=True).first()
    by = getattr(from_payload(last), "by", None) if last is not None else None
    ends: dict[str, End] = {"deal": "deal", "walk": "left" if by == "seller" else "gone"}
    return Result(
        share=game.seller_share or 0.0,
        rounds=game.rounds_used or 0,
        squares=mine,
        hers=hers,
        end=ends.get(game.outcome, "expired"),
    )


def squares_of(
    asks: Sequence[int], bids: Sequence[int]
) -> tuple[tuple[Square, ...], tuple[Square, ...]]:
    """Name the steps between asks and those between bids.

    >>> squares_of([1000, 1000, 960, 860], [500, 600])
    (('held', 'small', 'big'), ('big',))
    """
    mine = [before - after for before, after in pairwise(asks)]
    hers = [after - before for before, after in pairwise(bids)]
    even = sum((*mine, *hers)) / max(1, len(mine) + len(hers))
    return _named(mine, BIG * even), _named(hers, BIG * even)


def _named(steps: Sequence[int], big: float) -> tuple[Square, ...]:
    return tuple("held" if step <= 0 else "big" if step > big else "small" for step in steps)


class Standing(msgspec.Struct, frozen=True):
    """Everybody's results of a day: ``bars`` counts deals by tenths of the zone, worst first.

    ``worse`` counts the others who got less than the reader, ``own`` is the reader's bar, -1 where
    no deal was made, None without a result. ``middle`` is what the middle one of the deals kept.
    """

    total: int
    no_deal: int
    bars: tuple[int, ...]
    best: float | None
    middle: float | None = None
    worse: int = 0
    own: int | None = None

    @property
    def others(self) -> int:
        """How many others have finished."""
        return self.total - (self.own is not None)


def standing_of(day: dt.date, visitor: str = "") -> Standing:
    """Count the results of a day's game; ``visitor`` is the reader's session."""
    scores = _scores(day, visitor)
    bars, no_deal = [0] * BARS, 0
    for score in scores.values():
        if score < 0:
            no_deal += 1
        else:
            bars[_bar(score)] += 1
    mine = scores.get(visitor)
    deals = [score for score in scores.values() if score >= 0]
    return Standing(
        total=len(scores),
        no_deal=no_deal,
        bars=tuple(bars),
        best=max(deals, default=None),
        middle=median(deals) if deals else None,
        worse=0 if mine is None else sum(score < mine for score in scores.values()),
        own=None if mine is None else -1 if mine < 0 else _bar(mine),
    )


def streak_of(visitor: str, last: dt.date) -> int:
    """Return how many days in a row, ``last`` being the latest, a visitor has finished the game.

    Where ``last`` is not finished, the row ends the day before: a day that is not over breaks none.
    """
    tries = DailyTry.objects.filter(visitor=visitor, day__lte=last)
    ends = tries.values_list("day_id", "game__ended_at")
    days = {day for day, ended_at in ends if in_time(day, ended_at)}
    day = last if last in days else last - dt.timedelta(days=1)
    count = 0
    while day in days:
        day -= dt.timedelta(days=1)
        count += 1
    return count


def _scores(day: dt.date, visitor: str) -> dict[str, float]:
    """Return what each visitor got, -1 without a deal; a few seconds old, but with the reader's."""
    name = f"daily-scores:{day}"
    scores = cached(name, KEPT_S, lambda: _counted_scores(day))
    if visitor and visitor not in scores:
        scores = _counted_scores(day)
        put(name, scores)
    return scores


def _counted_scores(day: dt.date) -> dict[str, float]:
    rows = counted(day).values_list("visitor", "game__outcome", "game__seller_share")
    return {who: (share or 0.0) if outcome == "deal" else -1.0 for who, outcome, share in rows}


def _bar(share: float) -> int:
    return min(max(int(share * BARS), 0), BARS - 1)
