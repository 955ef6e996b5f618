"""The numbers of a debrief, each from the finished games of one room."""

import itertools
import math
from collections.abc import Callable, Sequence
from statistics import fmean, quantiles

import msgspec

from bazaarbatna.bargain.quantities import Side
from rooms.debrief.games import SIDES, FinishedGame

ENOUGH = 8
"""Deals from which on a correlation is worth a number."""

ENOUGH_TO_SPREAD = 4
"""Games from which on their middle half is drawn."""


class Totals(msgspec.Struct, frozen=True, kw_only=True):
    """How a room did; money in rupees, shares 0..1, None where there is nothing to speak of.

    ``games`` are those that count: a game that was broken off says nothing. ``kept`` of the
    ``possible`` rupees were made by deals, ``lost`` were left where deals were missed.
    """

    games: int
    deals: int
    missed: int
    rightly_left: int
    broken_off: int
    seller_share: float | None
    buyer_share: float | None
    kept: float
    lost: float

    @property
    def possible(self) -> float:
        """What deals in all games with a zone would have made."""
        return self.kept + self.lost

    @property
    def lost_part(self) -> float:
        """The part of what was possible that nobody got."""
        return self.lost / self.possible if self.possible else 0.0


def totals_of(games: Sequence[FinishedGame]) -> Totals:
    """Sum a room up."""
    counted = [game for game in games if not game.is_broken_off]
    deals = [game for game in counted if game.is_deal]
    missed = [game for game in counted if game.is_missed]
    places = [game.place for game in deals]
    return Totals(
        games=len(counted),
        deals=len(deals),
        missed=len(missed),
        rightly_left=sum(game.is_rightly_left for game in counted),
        broken_off=len(games) - len(counted),
        seller_share=fmean(places) if places else None,
        buyer_share=1 - fmean(places) if places else None,
        kept=sum(game.zone for game in deals),
        lost=sum(game.zone for game in missed),
    )


class Fit(msgspec.Struct, frozen=True):
    """A straight line through points, and their correlation ``r`` with its 95 % interval."""

    n: int
    r: float
    low: float
    high: float
    slope: float
    start: float

    @property
    def is_sure(self) -> bool:
        """The interval leaves zero out."""
        return self.low > 0 or self.high < 0


def fit_of(points: Sequence[tuple[float, float]]) -> Fit | None:
    """Fit a line by least squares; None for fewer than ``ENOUGH`` points or without any spread.

    The interval of the correlation is Fisher's (1915): it takes the points as drawn apart.
    """
    n = len(points)
    if n < ENOUGH:
        return None
    xs, ys = [x for x, _ in points], [y for _, y in points]
    mx, my = fmean(xs), fmean(ys)
    sxx = sum((x - mx) ** 2 for x in xs)
    syy = sum((y - my) ** 2 for y in ys)
    if not sxx or not syy:
        return None
    sxy = sum((x - mx) * (y - my) for x, y in points)
    r = max(min(sxy / math.sqrt(sxx * syy), 1.0), -1.0)
    z, error = math.atanh(max(min(r, 0.999999), -0.999999)), 1.96 / math.sqrt(n - 3)
    slope = sxy / sxx
    return Fit(n, r, math.tanh(z - error), math.tanh(z + error), slope, my - slope * mx)


def first_bids(games: Sequence[FinishedGame]) -> list[tuple[FinishedGame, float, float]]:
    """List the deals that began with a bid: the bid and the price as parts of the opening ask."""
    return [
        (game, game.first_bid / game.anchor, game.price / game.anchor)
        for game in games
        if game.price is not None and game.first_bid is not None
    ]


class Stop(msgspec.Struct, frozen=True):
    """Where a side stands after a round, in parts of the opening ask, over ``n`` games."""

    round: int
    n: int
    mean: float
    low: float | None = None
    high: float | None = None


def course_of(games: Sequence[FinishedGame], side: Side) -> list[Stop]:
    """Return the mean path of a side: its standing price after each round that was played.

    A game is in a round's mean as long as it was going on in it. ``low`` to ``high`` is the middle
    half of the games. The seller's path begins with the opening ask, round 0.
    """
    paths = [path for game in games if (path := path_of(game, side))]
    last = max((number for path in paths for number in path), default=-1)
    stops = []
    for number in range(last + 1):
        values = [path[number] for path in paths if number in path]
        if values:
            stops.append(_stop(number, values))
    return stops


def _stop(number: int, values: list[float]) -> Stop:
    if len(values) < ENOUGH_TO_SPREAD:
        return Stop(number, len(values), fmean(values))
    low, _, high = quantiles(values, n=4, method="inclusive")
    return Stop(number, len(values), fmean(values), low, high)


def path_of(game: FinishedGame, side: Side) -> dict[int, float]:
    """Return a side's standing price by round, as a part of the opening ask.

    Whoever accepts has moved to the price of the deal.
    """
    path = {0: 1.0} if side == "seller" else {}
    named = [
        (move.round, move.price)
        for move in game.moves
        if move.side == side and move.price is not None
    ]
    for number in range(1, game.rounds + 1):
        said = [price for at, price in named if at <= number]
        if said:
            path[number] = said[-1] / game.anchor
        elif side == "seller":
            path[number] = 1.0
    return path


def concessions(game: FinishedGame, side: Side) -> list[tuple[int, float]]:
    """List a side's steps toward the other: the round, and the step as a part of the ask."""
    path = sorted(path_of(game, side).items())
    sign = -1 if side == "seller" else 1
    return [(at, sign * (new - old)) for (_, old), (at, new) in itertools.pairwise(path)]


class MissedDeal(msgspec.Struct, frozen=True):
    """A game with a zone and no deal; ``gap`` is what lay between the last two prices."""

    game: FinishedGame
    gap: float | None


def missed_in(games: Sequence[FinishedGame]) -> list[MissedDeal]:
    """List the missed deals, the dearest first."""
    missed = [game for game in games if game.is_missed]
    missed.sort(key=lambda game: (-game.zone, game.number))
    return [MissedDeal(game, _gap(game)) for game in missed]


def _gap(game: FinishedGame) -> float | None:
    asked, bid = game.standing("seller"), game.standing("buyer")
    return None if asked is None or bid is None else asked - bid


class RightWalk(msgspec.Struct, frozen=True):
    """Somebody left where no price suited both; ``price`` was the other side's last one.

    ``beyond`` says how far that price lay on the wrong side of ``limit``, the leaver's own.
    """

    game: FinishedGame
    side: Side
    price: float
    limit: float
    beyond: float


def best_walk(games: Sequence[FinishedGame]) -> RightWalk | None:
    """Return the hardest right walk: the price that was refused lay nearest the leaver's limit."""
    found = [walk for game in games if (walk := _right_walk(game)) is not None]
    key: Callable[[RightWalk], float] = lambda walk: walk.beyond / walk.limit  # noqa: E731
    return min(found, key=key, default=None)


def _right_walk(game: FinishedGame) -> RightWalk | None:
    side = game.by
    if not game.is_rightly_left or side is None or not game.chair(side).is_person:
        return None
    price = game.standing("buyer" if side == "seller" else "seller")
    if price is None:
        return None
    limit = game.reservation if side == "seller" else game.budget
    beyond = limit - price if side == "seller" else price - limit
    return RightWalk(game, side, price, limit, beyond) if beyond > 0 else None


def shares_by_role(games: Sequence[FinishedGame]) -> dict[tuple[Side, bool], list[FinishedGame]]:
    """Sort the deals by role and by whether a person (True) or a policy had it throughout."""
    rows: dict[tuple[Side, bool], list[FinishedGame]] = {}
    for game in games:
        for side in SIDES:
            if game.is_deal:
                rows.setdefault((side, game.chair(side).is_person), []).append(game)
    return rows
