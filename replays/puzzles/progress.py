"""Where a visitor stands: the one answer that counts, and what comes next."""

import datetime as dt
import math
from collections import Counter
from collections.abc import Collection
from random import Random

import msgspec
from django.contrib.sessions.models import Session
from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone

from replays.models import PuzzleSolver, PuzzleStanding, PuzzleTry, Rated
from replays.puzzles.puzzle import Puzzle, Theme, puzzles, themes_of

SCALE = 173.7178
TAU = 0.5  # how far the volatility may move
SMALL = 1e-6
MOST_DEVIATION, LEAST_DEVIATION = 350.0, 45.0


class Standing(msgspec.Struct, frozen=True):
    """A rating in points, its standard deviation in points, and its volatility."""

    rating: float = 1500.0
    deviation: float = MOST_DEVIATION
    volatility: float = 0.06


def after(own: Standing, other: Standing, score: float) -> Standing:
    """Return the standing after one game with the score 0, 0.5 or 1.

    >>> after(Standing(1500, 200), Standing(1500, 200), 1.0).rating > 1500
    True
    """
    return after_games(own, ((other, score),))


def after_games(own: Standing, games: tuple[tuple[Standing, float], ...]) -> Standing:
    """Return the standing after the games of one period: opponents as they were, and scores."""
    mu, phi = (own.rating - 1500) / SCALE, own.deviation / SCALE
    information, pull = 0.0, 0.0
    for other, score in games:  # steps 3 and 4
        phi_j = other.deviation / SCALE
        g = 1 / math.sqrt(1 + 3 * phi_j**2 / math.pi**2)
        expected = 1 / (1 + math.exp(-g * (mu - (other.rating - 1500) / SCALE)))
        information += g**2 * expected * (1 - expected)
        pull += g * (score - expected)
    v = 1 / information
    sigma = _volatility(own.volatility, phi, v, v * pull)
    widened = math.sqrt(phi**2 + sigma**2)  # step 6
    narrowed = 1 / math.sqrt(1 / widened**2 + 1 / v)  # step 7
    rating = 1500 + SCALE * (mu + narrowed**2 * pull)
    deviation = min(max(SCALE * narrowed, LEAST_DEVIATION), MOST_DEVIATION)
    return Standing(rating, deviation, sigma)


def _volatility(sigma: float, phi: float, v: float, delta: float) -> float:
    """Find the new volatility (step 5, the Illinois algorithm)."""
    a = math.log(sigma**2)

    def f(x: float) -> float:
        e = math.exp(x)
        spread = phi**2 + v + e
        return e * (delta**2 - spread) / (2 * spread**2) - (x - a) / TAU**2

    low = a
    if delta**2 > phi**2 + v:
        high = math.log(delta**2 - phi**2 - v)
    else:
        k = 1
        while f(a - k * TAU) < 0:
            k += 1
        high = a - k * TAU
    f_low, f_high = f(low), f(high)
    while abs(high - low) > SMALL:
        middle = low + (low - high) * f_low / (f_high - f_low)
        f_middle = f(middle)
        if f_middle * f_high <= 0:
            low, f_low = high, f_high
        else:
            f_low /= 2
        high, f_high = middle, f_middle
    return math.exp(low / 2)


SECONDS = 60
"""How long a puzzle is meant to take; later a right answer counts for half."""

GRACE_S = 3  # for the way there and back
PUZZLE_DEVIATION = 150.0  # of a puzzle that nobody has tried
NEAR = 6  # the next puzzle is one of so many next to the solver's rating

STRAYS_AT_ONCE = 500


FIRST = 10
"""Puzzles solved before a rating is shown: until then it swings too much to mean anything."""


class Score(msgspec.Struct, frozen=True):
    """What a visitor is shown: the rating, once it is ``known``, and counts."""

    rating: int
    tried: int
    solved: int
    streak: int
    best_streak: int
    wanted: int = FIRST

    @property
    def known(self) -> bool:
        """Whether enough are solved for the rating to be shown."""
        return self.solved >= FIRST


def score_of(owner: str) -> Score:
    """Return how a visitor stands; who has answered nothing stands at the beginning."""
    row = PuzzleSolver.objects.filter(owner=owner).first() or PuzzleSolver()
    return Score(
        rating=round(row.rating),
        tried=row.tried,
        solved=row.solved,
        streak=row.streak,
        best_streak=row.best_streak,
    )


def answered_try(owner: str, puzzle: Puzzle) -> PuzzleTry | None:
    """Return a visitor's answer to a puzzle; None before it."""
    return _answers(owner).filter(puzzle=puzzle.id).first()


def seconds_left(opened_at: dt.datetime) -> int:
    """Return what is left of the minute, 0 when it is over."""
    gone = (timezone.now() - opened_at).total_seconds()
    return max(0, min(SECONDS, round(SECONDS - gone)))


def answer(owner: str, puzzle: Puzzle, choice: int, opened_at: dt.datetime) -> None:
    """Take the answer of a visitor who looked at a puzzle first at ``opened_at``.

    Only the first counts, whatever comes later or at the same moment.
    """
    told = {"opened_at": opened_at, "answered_at": timezone.now(), "choice": choice}
    with transaction.atomic():
        rows = PuzzleTry.objects.filter(owner=owner, puzzle=puzzle.id)
        rows.get_or_create(defaults={"opened_at": opened_at}, owner=owner, puzzle=puzzle.id)
        # Nothing is updated where an answer stands already: a second click, an old page.
        if rows.filter(answered_at=None).update(**told):
            _count(owner, puzzle, rows.get())


def _count(owner: str, puzzle: Puzzle, made: PuzzleTry) -> None:
    assert made.answered_at is not None
    late = made.answered_at - made.opened_at > dt.timedelta(seconds=SECONDS + GRACE_S)
    made.in_time, made.is_right = not late, puzzle.is_right(made.choice or 0)
    score = (0.5 if late else 1.0) if made.is_right else 0.0
    PuzzleSolver.objects.get_or_create(owner=owner)
    solver = PuzzleSolver.objects.select_for_update().get(owner=owner)
    start = {"rating": puzzle.rating, "deviation": PUZZLE_DEVIATION}
    PuzzleStanding.objects.get_or_create(puzzle=puzzle.id, defaults=start)
    stand = PuzzleStanding.objects.select_for_update().get(puzzle=puzzle.id)
    mine, its = _standing(solver), _standing(stand)
    made.rating_change = after(mine, its, score).rating - mine.rating
    _keep(solver, after(mine, its, score), made.is_right)
    _keep(stand, after(its, mine, 1 - score), made.is_right)
    solver.streak = solver.streak + 1 if made.is_right else 0
    solver.best_streak = max(solver.best_streak, solver.streak)
    solver.save()
    stand.save()
    made.save()


def _standing(row: Rated) -> Standing:
    return Standing(row.rating, row.deviation, row.volatility)


def _keep(row: Rated, now: Standing, is_right: bool) -> None:
    row.rating, row.deviation, row.volatility = now.rating, now.deviation, now.volatility
    row.tried += 1
    row.solved += is_right


def answered(owner: str) -> set[str]:
    """Return the ids of the puzzles that a visitor has answered."""
    return set(_answers(owner).values_list("puzzle", flat=True))


def _answers(owner: str) -> QuerySet[PuzzleTry]:
    # Versions before stored a row at the first look.
    return PuzzleTry.objects.filter(owner=owner).exclude(answered_at=None)


def forget_strays() -> int:
    """Delete the tries and standings of sessions that are over: nobody can come back to them.

    How hard the puzzles have proved stays. Returns how many rows those were.
    """
    here, count = Exists(Session.objects.filter(pk=OuterRef("owner"))), 0
    # In small steps: nobody's move waits for a long delete.
    for model in (PuzzleSolver, PuzzleTry):
        strays = model._default_manager.exclude(here)
        while keys := list(strays.values_list("pk", flat=True)[:STRAYS_AT_ONCE]):
            count += model._default_manager.filter(pk__in=keys).delete()[0]
    return count


def next_puzzle(owner: str, theme: Theme | None = None) -> Puzzle | None:
    """Return an unanswered puzzle near a visitor's rating; None when all are answered.

    Each move is the best one as often as in the whole set, whatever the rating: who solves most
    would see little but holds, which the house's players find hardest.
    """
    done = answered(owner)
    left = [
        one for one in puzzles().values()
        if one.id not in done and (theme is None or theme in themes_of()[one.id])
    ]  # fmt: skip
    if not left:
        return None
    # Which of them follows from how many are done: a reload shows the same one.
    luck = Random(f"{owner}:{len(done)}:{theme}")
    moves = {one.id: one.options[one.best].kind for one in puzzles().values()}
    often, there = Counter(moves.values()), sorted({moves[one.id] for one in left})
    (move,) = luck.choices(there, [often[one] for one in there])
    ratings, goal = _ratings(left), score_of(owner).rating
    some = [one for one in left if moves[one.id] == move]
    return luck.choice(sorted(some, key=lambda one: abs(ratings[one.id] - goal))[:NEAR])


def _ratings(some: Collection[Puzzle]) -> dict[str, float]:
    known = dict(PuzzleStanding.objects.values_list("puzzle", "rating"))
    return {one.id: known.get(one.id, float(one.rating)) for one in some}
