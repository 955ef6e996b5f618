"""Grade every move of a finished game: what it lost, in expected share, against a better one.

1. Candidates: the played move and its alternatives in the position before it.
2. Each is played on to the end with the same luck (paired): the opponent that was really there,
   and the mover's own way of playing.
3. The search keeps the best and measures it on luck that it was not chosen by.
"""

import math
from collections.abc import Collection, Iterable, Iterator, Sequence

import msgspec
from django.utils.translation import pgettext

from agents.text.rounding import STEPS
from bazaarbatna.bargain.episode import State, highest_ask, legal_moves
from bazaarbatna.bargain.events import Ended
from bazaarbatna.bargain.moves import Accept, Move, Offer, Walk
from bazaarbatna.bargain.quantities import MAX_PRICE, MIN_PRICE, Paise, Side, clamp_price
from negotiation.bargain.continuation import NEAR, Crossroads, move_of
from negotiation.bargain.recorded import Record
from negotiation.sentences import sentences
from replays.grade.search import EFFORT, Effort, find_better, significant, standard_error

say = sentences(__file__)

GRID = 9  # prices spread evenly over the sensible range
AROUND = (-0.06, -0.02, 0.02, 0.06)  # more, beside the played price, as parts of the standing ask
LOWEST_OPENING = 0.35  # first bid that is tried, as a part of the standing ask


def candidates(state: State, played: Move) -> tuple[Move, ...]:
    """Return what the side to move could do, the played move first; all legal and wordless.

    A bid at the ask is an acceptance: only one of the two is listed.
    """
    side = state.to_move
    assert side is not None
    low, high = sensible_range(state, side)
    gap = (high - low) / (GRID - 1)
    wanted = [low + gap * step for step in range(GRID)]
    if isinstance(played, Offer):
        wanted += [played.price + part * state.standing_ask for part in AROUND]
    own = state.standing_bid if side == "buyer" else state.standing_ask
    # Where both prices are one, to hold is to accept.
    hold = [Offer(own)] if own and state.standing_bid != state.standing_ask else []
    moves: list[Move] = [without_words(played), Accept(), Walk(), *hold, *offers(state, wanted)]
    legal = legal_moves(state, side)
    kept = (move for move in moves if not isinstance(move, Accept) or "accept" in legal)
    return tuple(dict.fromkeys(kept))


def _nearby(state: State, leader: Move, field: Sequence[Move]) -> list[Move]:
    if not isinstance(leader, Offer):
        return []
    prices = [move.price for move in field if isinstance(move, Offer)]
    return list(dict.fromkeys(offers(state, halfway(leader.price, prices))))


def halfway(price: Paise, prices: Iterable[Paise]) -> list[float]:
    """Return the middles between a price of a field and its next neighbours below and above.

    >>> halfway(Paise(300), [Paise(300), Paise(100), Paise(340), Paise(200)])
    [250.0, 320.0]
    """
    ranked = sorted(set(prices))
    at = ranked.index(price)
    beside = (*ranked[max(at - 1, 0) : at], *ranked[at + 1 : at + 2])
    return [(price + other) / 2 for other in beside]


def offers(state: State, wanted: list[float]) -> list[Offer]:
    """Return legal offers near wished prices in paise, in round numbers that close nothing."""
    side = state.to_move
    assert side is not None
    low, high = sensible_range(state, side)
    step = price_step(state.standing_ask)
    rounded = (clamp_price(round(price / step) * step, low, high) for price in wanted)
    return [Offer(price) for price in rounded] if low <= high else []


def sensible_range(state: State, side: Side) -> tuple[Paise, Paise]:
    """Return the lowest and highest price in paise worth trying; none where low > high.

    A bid stays a step below the standing ask (at it, it would be an acceptance) and does not fall
    below the own last one; an ask likewise. Limits are rounded to their own side.
    """
    ask, bid, sealed = state.standing_ask, state.standing_bid, state.scenario.sealed
    step = price_step(ask)
    if side == "buyer":
        lowest = bid if bid is not None else _up(LOWEST_OPENING * ask, step)
        return max(lowest, MIN_PRICE), Paise(min(ask - step, sealed.budget // step * step))
    least = sealed.reservation if bid is None else max(sealed.reservation, bid + step)
    return _up(least, step), Paise(min(highest_ask(state), MAX_PRICE))


def without_words(move: Move) -> Move:
    """Return the same move in silence."""
    match move:
        case Offer(price):
            return Offer(price)
        case Accept():
            return Accept()
        case Walk():
            return Walk()


def _up(price: float, step: int) -> Paise:
    return Paise(math.ceil(price / step) * step)


def price_step(ask: int) -> int:
    """Return the finest step of prices in paise that people use for such a thing."""
    return next(100 * fine for below, _, fine in STEPS if ask < 100 * below)


class Word(msgspec.Struct, frozen=True):
    """One grade up to a loss of ``most`` (of the zone, 0..1); ``noted``: marked in the talk too."""

    name: str
    most: float
    icon: str
    meaning: str
    noted: bool = False

    @property
    def shown(self) -> str:
        """The word in the language that is spoken now."""
        words = {
            "best": pgettext("grade", "best"),
            "fine": pgettext("grade", "fine"),
            "slip": pgettext("grade", "slip"),
            "blunder": pgettext("grade", "blunder"),
        }
        return words[self.name]


# A loss earns the first word that allows it.
WORDS: tuple[Word, ...] = (
    Word("best", 0.01, "★", "Nothing that was tried did better."),
    Word("fine", 0.05, "✓", "As good as makes no difference."),
    Word("slip", 0.15, "?", "A better move was there.", noted=True),
    Word("blunder", 1.0, "✗", "The move to look at first.", noted=True),
)


def word_for(loss: float) -> Word:
    """Return the word for a loss of expected share, 0..1."""
    return next(word for word in WORDS if loss <= word.most)


def loss_allowed(word: Word) -> str:
    """Return in percent of the zone which losses earn a word."""
    if word is WORDS[-1]:
        return pgettext("loss", "more")
    return say("up_to_percent", percent=round(100 * word.most))


HALVING_LOSS = 0.10  # share of the zone; such a move counts half of a perfect one


def move_accuracy(loss: float) -> float:
    """Return the accuracy, 0..100, of a move with a loss 0..1."""
    return 100 * math.pow(0.5, loss / HALVING_LOSS)


def accuracy(losses: Sequence[float]) -> float | None:
    """Return the mean accuracy, 0..100, of moves by their losses; None without any."""
    if not losses:
        return None
    return sum(move_accuracy(loss) for loss in losses) / len(losses)


class LineMove(msgspec.Struct, frozen=True):
    """One move of a line; that of a match ends with "wins" or "unsold". ``price`` in paise."""

    actor: str
    kind: str
    price: Paise | None


class GradedMove(msgspec.Struct, frozen=True):
    """One move and what it was worth to its side, in expected shares 0..1 of the zone.

    ``best`` and ``line`` would have been better. ``stake``: the most that hung on this move.
    ``words``: what those of the move brought more than the same move in silence. ``error`` and
    ``words_error``: how sure the means of the best and of the silent move are. ``over``: what the
    best brings more than the side really got, known once the game has ended.
    """

    seq: int
    actor: str
    played: float
    loss: float
    stake: float
    best: LineMove | None = None
    line: tuple[LineMove, ...] = ()
    words: float = 0.0
    error: float = 0.0
    words_error: float = 0.0
    over: float = 0.0


def grade(
    record: Record, closed: Collection[int] = (), effort: Effort = EFFORT
) -> Iterator[GradedMove]:
    """Grade each offer, acceptance and walk of a finished game; always with the same result.

    ``closed``: events with which the table was closed for somebody, who made no such move.
    """
    for seq, event in enumerate(record.events, start=1):
        if move_of(event) is not None and seq not in closed:
            yield settled(grade_move(Crossroads(record, seq), effort), record)


def settled(move: GradedMove, record: Record) -> GradedMove:
    """Measure a grade by how its game ended: no move lost what its side has got all the same.

    A line that ends elsewhere than the better move does on average is left out.
    """
    setting, ended = record.setting, record.events[-1]
    if not isinstance(ended, Ended) or setting.zopa <= 0:
        return move

    def share(price: Paise | None) -> float:
        if price is None:
            return 0.0
        sealed = setting.sealed
        kept = sealed.budget - price if move.actor == "buyer" else price - sealed.reservation
        return kept / setting.zopa

    move = measured_by(move, share(ended.price))
    if move.best is None:
        return move
    closes = move.line[-1].price if move.line[-1].kind == "accept" else None
    if is_about(share(closes) - share(ended.price), move.over):
        return move
    return msgspec.structs.replace(move, line=move.line[:1])


def measured_by(move: GradedMove, got: float) -> GradedMove:
    """Say what a better move brings beyond what its side really ``got``; all 0..1 of the zone."""
    over = move.played + move.loss - got
    over = over if over > move.error else 0.0
    silent = move.played - move.words - got
    silent = silent if silent > move.words_error else 0.0
    loss, words = min(move.loss, over), max(move.words, -silent)
    move = msgspec.structs.replace(move, loss=loss, over=over, words=words)
    if loss > WORDS[0].most:
        return move
    return msgspec.structs.replace(move, loss=0.0, over=0.0, best=None, line=())


def is_about(gain: float, told: float) -> bool:
    """Whether a line gains about what is told of its move on average."""
    return gain > 0 and abs(gain - told) <= max(NEAR, told / 4)


def grade_move(at: Crossroads, effort: Effort = EFFORT) -> GradedMove:
    """Grade the move that was made in one position; of what came after it nothing is known."""
    if at.state.scenario.zopa <= 0:
        return GradedMove(at.seq, at.side, 0.0, 0.0, 0.0)  # no move could win anything

    def closer(leader: Move, field: Sequence[Move]) -> Sequence[Move]:
        return _nearby(at.state, leader, field)

    found = find_better(candidates(at.state, at.made), at.share, closer, effort)
    words, words_error = _worth_of_words(at, effort)
    graded = GradedMove(
        at.seq, at.side, found.played, found.loss, found.stake,
        words=words, error=found.error, words_error=words_error,
    )  # fmt: skip
    if found.best is None or found.loss <= WORDS[0].most:
        return msgspec.structs.replace(graded, loss=0.0)
    line = _line(at, found.best, found.typical, found.played + found.loss)
    return msgspec.structs.replace(graded, best=line[0], line=line)


def _worth_of_words(at: Crossroads, effort: Effort) -> tuple[float, float]:
    """Return what the words of an offer brought, words and tells against none, and the error."""
    if not isinstance(at.made, Offer) or not at.made.text:
        return 0.0, 0.0
    silent, gains, ends = without_words(at.made), list[float](), list[float]()
    for luck in range(1, 1 + effort.measured):
        ends.append(at.share(silent, luck, heard=False))
        gains.append(at.share(at.made, luck) - ends[-1])
        if len(gains) == effort.glance and not any(gains):
            return 0.0, 0.0  # nobody there hears words
    worth = significant(gains, effort.noise)
    worth = worth or -significant([-gain for gain in gains], effort.noise)
    return worth, effort.noise * standard_error(ends)


def _line(at: Crossroads, move: Move, typical: int, mean: float) -> tuple[LineMove, ...]:
    """Return how it goes on with the game's own luck, or where that is far off, with a typical."""
    state = at.rollout(move, 0)
    assert state.ended is not None
    share = state.ended.buyer_share if at.side == "buyer" else state.ended.seller_share
    if abs(share - mean) > NEAR:
        state = at.rollout(move, typical)
    turns = state.turns[len(at.state.turns) :]
    return tuple(LineMove(turn.actor, turn.kind, turn.price) for turn in turns)
