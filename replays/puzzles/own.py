"""One's own mistakes as puzzles: the costliest move of each finished game, to be made again.

A puzzle of one's own is hindsight, as grades are: its moves are played on against whoever really
sat there. It is made once a game has ended and has grades, for whoever played it alone.
"""

import datetime as dt
import math
from collections import defaultdict
from collections.abc import Sequence
from statistics import fmean

import msgspec
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from bazaarbatna.bargain.episode import legal_moves
from bazaarbatna.bargain.moves import Accept, Move, Offer, Walk
from bazaarbatna.bargain.scenario import Scenario
from negotiation.bargain.continuation import Crossroads, move_of
from negotiation.bargain.game import SALE
from negotiation.bargain.recorded import record_of
from negotiation.bargain.sessions import side_of
from negotiation.models import Game
from replays.grade import jobs
from replays.grade.ahead import is_own_haggle
from replays.grade.moves import GradedMove, LineMove, without_words, word_for
from replays.grade.reasons import Seen, kind_of, name_of
from replays.grade.result import Result
from replays.models import Grading, Lesson
from replays.puzzles.making import Choice, Measured, difference, option_of
from replays.puzzles.puzzle import CLEAR, Kind, Puzzle, Said, theme_of
from replays.puzzles.table import deed, own_price
from replays.puzzles.worth import kept, toward

TRIED = 40
"""Continuations of each move."""

LUCK = 2_000
"""Number of the first of them: of no luck that a grade was made with."""

MOST_OPTIONS = 5
AT_ONCE = 12  # games that one look makes lessons of

SOLVED = 2  # so often right, and it comes no more
WAITS = (dt.timedelta(days=1), dt.timedelta(days=3))
"""Until it comes again, by how often it is solved: a day, for the end has just told it; three."""


def own_lessons(owner: str) -> QuerySet[Lesson]:
    """Return the lessons of a visitor's games, the newest game first; make what is missing."""
    if not owner:
        return Lesson.objects.none()
    missing = Grading.objects.filter(
        game__owner=owner,
        game__status=Game.Status.ENDED,
        game__source=Game.Source.PERSON,
        game__kind__in=SALE.kinds,
        game__terms={},
        game__rival="",
        game__rematch_of=None,
        game__lesson=None,
        status=Grading.Status.DONE,
        method=jobs.method(),
    )
    for row in missing.select_related("game").order_by("-game__ended_at")[:AT_ONCE]:
        result = jobs.result_of_row(row)
        if result is not None and is_own_haggle(row.game, owner):
            learn(row.game, result)
    found = Lesson.objects.filter(game__owner=owner, game__rematch_of=None)
    return found.select_related("game").order_by("-game__ended_at")


def learn(game: Game, result: Result) -> Lesson:
    """Keep what a graded game teaches; the same game teaches the same, whoever comes second.

    A mistake is called what the end of the game has called it.
    """
    side = side_of(game)
    costly = [
        one for one in result.moves
        if one.actor == side and one.best is not None and word_for(one.loss).noted
    ]  # fmt: skip
    lost: dict[str, float] = defaultdict(float)
    seen = Seen(SALE.frames(game, game.owner), side, rival="")
    made: Puzzle | None = None
    seq: int | None = None
    for move in sorted(costly, key=lambda one: -one.loss):
        puzzle, played = _puzzle(game, move)
        if puzzle.best == played:
            continue  # on other luck it was as good as any
        lost[name_of(kind_of(move, seen), side)] += move.loss
        if made is None:
            made, seq = puzzle, move.seq
    # Each is measured alone: together they cannot have cost more than was missed.
    missed = 1 - max(seen.frames[-1]["event"][f"{side}_share"], 0.0)
    part = min(1.0, missed / max(sum(lost.values()), 1e-9))
    told = {
        "lost": {name: round(share * part, 4) for name, share in lost.items()},
        "puzzle": None if made is None else msgspec.json.encode(made),
        "seq": seq,
        "due": None if made is None else (game.ended_at or timezone.now()) + WAITS[0],
    }
    return Lesson.objects.get_or_create(game=game, defaults=told)[0]


def puzzle_of(lesson: Lesson) -> Puzzle:
    """Return the puzzle of a lesson that has one."""
    assert lesson.puzzle is not None
    return msgspec.json.decode(bytes(lesson.puzzle), type=Puzzle)


def is_due(lesson: Lesson) -> bool:
    """Whether a puzzle is to be solved now."""
    return lesson.due is not None and lesson.due <= timezone.now()


def take(lesson: Lesson, choice: int) -> None:
    """Take an answer where one is due; a second press at the same moment changes nothing."""
    with transaction.atomic():
        row = Lesson.objects.select_for_update().get(pk=lesson.pk)
        if not is_due(row):
            return
        is_right = choice == puzzle_of(row).best
        row.solved = row.solved + 1 if is_right else 0
        row.tries, row.choice = row.tries + 1, choice
        is_over = row.solved == SOLVED
        row.due = None if is_over else timezone.now() + WAITS[row.solved]
        row.save()


def _puzzle(game: Game, graded: GradedMove) -> tuple[Puzzle, int]:
    """Return the position before a costly move as a puzzle, and the place of what was played."""
    record = record_of(game)
    at = Crossroads(record, graded.seq)
    assert graded.best is not None
    played, better = without_words(at.made), _move(graded.best)
    tried = {
        Choice(_kind(move, at), move): _tried(at, move) for move in _choices(at, played, better)
    }
    best = max(tried, key=lambda one: fmean(tried[one].keeps))
    # Whatever else is as good as the best move would be a second right answer.
    shown = [
        one
        for one, found in tried.items()
        if one is best or one.move == played or _is_behind(found, tried[best])
    ]
    shown.sort(key=lambda one: _order(one, at))
    gap, error = min(
        difference(tried[best].keeps, tried[one].keeps) for one in shown if one is not best
    )
    setting = record.setting
    moves = [made for one in record.events if (made := move_of(one)) is not None]
    before = [one for one in record.events[: graded.seq - 1] if move_of(one) is not None]
    puzzle = Puzzle(
        id=game.pk,
        seat=at.side,
        theme=theme_of(best.move, at.state, at.side),
        policy=game.policy,
        scenario=Scenario(**{name: getattr(setting, name) for name in Scenario.__struct_fields__}),
        moves=tuple(Said(deed(one), getattr(one, "price", None), one.text) for one in moves),
        at=len(before),
        outside=None,
        leaves=0,
        options=tuple(option_of(one, tried[one], tried[one]) for one in shown),
        best=shown.index(best),
        gap=round(gap, 1),
        error=round(error, 1),
        rating=1500,
    )
    return puzzle, next(place for place, one in enumerate(shown) if one.move == played)


def _choices(at: Crossroads, played: Move, better: Move) -> list[Move]:
    """List the played move, the better one, and what else a person would think of."""
    state, side = at.state, at.side
    own = own_price(state, side)
    more: list[Move] = [Accept()] if "accept" in legal_moves(state, side) else []
    if own is not None:
        more += [Offer(own)]
        more += [Offer(price) for part in (0.5, 0.2) if (price := toward(state, side, part))]
    return list(dict.fromkeys([played, better, *more]))[:MOST_OPTIONS]


def _tried(at: Crossroads, move: Move) -> Measured:
    ends = [at.rollout(move, luck).ended for luck in range(LUCK, LUCK + TRIED)]
    prices = [None if end is None else end.price for end in ends]
    return Measured(
        tuple(kept(at.state, at.side, price) for price in prices),
        tuple(price for price in prices if price is not None),
    )


def _kind(move: Move, at: Crossroads) -> Kind:
    match move:
        case Accept():
            return "accept"
        case Walk():
            return "walk"
        case Offer(price):
            return "hold" if price == own_price(at.state, at.side) else "price"


def _is_behind(one: Measured, best: Measured) -> bool:
    gap, error = difference(best.keeps, one.keeps)
    return gap > CLEAR * math.sqrt(TRIED) * error


def _order(one: Choice, at: Crossroads) -> tuple[int, int]:
    """Sort as the board does: take, hold, prices from the one that gives least, walk."""
    price = one.move.price if isinstance(one.move, Offer) else 0
    rank: Sequence[Kind] = ("accept", "hold", "price", "walk")
    return rank.index(one.kind), -price if at.side == "seller" else price


def _move(line: LineMove) -> Move:
    if line.kind == "offer":
        assert line.price is not None
        return Offer(line.price)
    return Accept() if line.kind == "accept" else Walk()
