"""The judge that is always there: failures by name, and rules; the first difference decides."""

from collections.abc import Callable
from itertools import pairwise

import msgspec

from agents.buyers.steering import urgency_signal
from agents.speech.voice import BLUFFING
from bazaarbatna.bargain.career import is_capitulation
from bazaarbatna.bargain.moves import Accept, Offer, Walk
from bazaarbatna.bargain.quantities import Paise
from bazaarbatna.bargain.tells import Tells
from training.judging.speech import speech_score
from training.judging.transcript import BuyerTurn, DecidedBy, Transcript, Verdict, check_comparable

EARLY = 0.5  # A deal in this share of the rounds is an early one
LOWBALL = 0.5  # An opening bid under this share of the seller's reservation price anchors too far
HURRIED = 0.6  # Urgency of the seller, 0..1, from which waiting pays
BIG_STEP = 0.10  # A step of this share of the opening ask is a large one
SAME_BID = 0.005  # Bids that differ by no more than this share of the opening ask are the same
SAME_BIDS = 3  # So many of them in a row are a stall
NOTHING_LEFT = 0.95  # From this share of the budget on there is nothing left to come up with


def capitulated_early(game: Transcript) -> bool:
    """Whether the buyer closed above 85 % of the anchor in the first half of the rounds."""
    ended, scenario = game.ended, game.scenario
    if ended.price is None or ended.round > EARLY * scenario.max_rounds:
        return False
    return is_capitulation(scenario.anchor, ended.price)


def over_anchored(game: Transcript) -> bool:
    """Whether a winnable game was lost after an opening bid under half the seller's limit."""
    if game.is_deal or not game.winnable or not game.bids:
        return False
    reservation = game.scenario.sealed.reservation
    return game.bids[0] < LOWBALL * reservation and max(game.bids) < reservation


def walked_winnable(game: Transcript) -> bool:
    """Whether the buyer left although a deal was possible."""
    return game.winnable and game.ended.outcome == "walk" and game.ended.by == "buyer"


def ignored_tells(game: Transcript) -> bool:
    """Whether the buyer came a long way toward a seller who showed that it need not.

    A raise of 10 % of the opening ask or more, right after urgency of 0.6 or a bluff, with rounds
    left.
    """
    steps = pairwise(game.turns)
    return any(
        _gave_much(game, before, turn) and _need_not(turn.seen.tells) for before, turn in steps
    )


def missed_accept(game: Transcript) -> bool:
    """Whether a better end lay on the table and was not taken.

    An ask within the budget stood in the last round of no deal, or before a dearer deal.
    """
    asks = [turn.seen.standing_ask for turn in game.turns]
    price = game.ended.price
    if price is not None:
        return min(asks, default=price) < price
    last = game.turns[-1] if game.turns else None
    if last is None or not isinstance(last.move, Offer) or last.seen.rounds_left > 0:
        return False
    return last.seen.standing_ask <= last.seen.budget


def stalled(game: Transcript) -> bool:
    """Whether the buyer named the same price three times in a row, far below its budget."""
    near = SAME_BID * game.scenario.anchor
    most = NOTHING_LEFT * game.scenario.sealed.budget
    runs = (game.bids[at : at + SAME_BIDS] for at in range(len(game.bids) - SAME_BIDS + 1))
    return any(max(run) - min(run) <= near and max(run) < most for run in runs)


def invalid_json(game: Transcript) -> bool:
    """Whether an answer of the model was no valid JSON of the protocol."""
    return game.invalid > 0


class Failure(msgspec.Struct, frozen=True):
    """A failure's name, as records and pages say it, and the predicate that finds it."""

    name: str
    happened: Callable[[Transcript], bool]


FAILURES: tuple[Failure, ...] = (
    Failure("capitulated early", capitulated_early),
    Failure("over-anchored", over_anchored),
    Failure("walked a winnable deal", walked_winnable),
    Failure("ignored tells", ignored_tells),
    Failure("missed accept", missed_accept),
    Failure("stalled", stalled),
    Failure("invalid JSON", invalid_json),
)


def failure_tags(game: Transcript) -> tuple[str, ...]:
    """Name what went wrong, in the order of the table; empty for a clean game."""
    return tuple(failure.name for failure in FAILURES if failure.happened(game))


def _gave_much(game: Transcript, before: BuyerTurn, turn: BuyerTurn) -> bool:
    if not isinstance(before.move, Offer) or turn.seen.rounds_left == 0:
        return False
    now = _price(turn)
    return now is not None and now - before.move.price >= BIG_STEP * game.scenario.anchor


def _price(turn: BuyerTurn) -> Paise | None:
    match turn.move:
        case Offer(price, _):
            return price
        case Accept():
            return turn.seen.standing_ask
        case Walk():
            return None


def _need_not(tells: Tells | None) -> bool:
    if tells is None:
        return False
    return urgency_signal(tells) >= HURRIED or (tells.verbal_deception_cue or 0.0) >= BLUFFING


EQUAL_SURPLUS = 0.02  # Surpluses that differ by no more than this share of the zone count as equal
EQUAL_WORDS = 0.002  # Scores of the words that differ by no more than this count as equal

Edge = tuple[float, str]
"""By how much "a" is ahead (negative: "b"; 0: level), and the line that says so."""

Rule = Callable[[Transcript, Transcript], Edge]
LEVEL: Edge = (0.0, "")


def judge(a: Transcript, b: Transcript) -> Verdict:
    """Return which of two games on one scenario the buyer played better."""
    check_comparable(a, b)
    for decided_by, rule in RULES:
        lead, reason = rule(a, b)
        if lead:
            return Verdict("a" if lead > 0 else "b", reason, decided_by)
    return Verdict("tie", "Nothing tells the two games apart.", "nothing")


def by_deal(a: Transcript, b: Transcript) -> Edge:
    """Prefer a deal to none, where one was possible; else every end without one is good."""
    if not a.winnable or a.is_deal == b.is_deal:
        return LEVEL
    lost, ahead = (b, 1.0) if a.is_deal else (a, -1.0)
    return ahead, f"A deal was possible; the other game ended by {_end(lost)}."


def _by_surplus(a: Transcript, b: Transcript) -> Edge:
    if not (a.is_deal and b.is_deal) or abs(a.surplus - b.surplus) <= EQUAL_SURPLUS:
        return LEVEL
    more, less = max(a.surplus, b.surplus), min(a.surplus, b.surplus)
    return a.surplus - b.surplus, f"It kept {more:.0%} of the zone, the other game {less:.0%}."


def by_ask(a: Transcript, b: Transcript) -> Edge:
    """Prefer the game without a deal that brought the seller lower; only where one was possible."""
    if not a.winnable or a.is_deal or b.is_deal or a.lowest_ask == b.lowest_ask:
        return LEVEL
    low, high = (a.money(ask) for ask in sorted((a.lowest_ask, b.lowest_ask)))
    reason = f"It brought the ask down to {low}, the other game to {high}."
    return float(b.lowest_ask - a.lowest_ask), reason


def _by_failures(a: Transcript, b: Transcript) -> Edge:
    tags_a, tags_b = failure_tags(a), failure_tags(b)
    if len(tags_a) == len(tags_b):
        return LEVEL
    worse, better = (tags_b, tags_a) if len(tags_a) < len(tags_b) else (tags_a, tags_b)
    named = ", ".join(tag for tag in worse if tag not in better)
    return float(len(tags_b) - len(tags_a)), f"The other game failed more: {named}."


def _by_rounds(a: Transcript, b: Transcript) -> Edge:
    if not (a.is_deal and b.is_deal) or a.ended.round == b.ended.round:
        return LEVEL
    few, many = sorted((a.ended.round, b.ended.round))
    return float(b.ended.round - a.ended.round), f"It closed in round {few}, the other in {many}."


def _by_words(a: Transcript, b: Transcript) -> Edge:
    score_a, score_b = speech_score(a), speech_score(b)
    if abs(score_a - score_b) <= EQUAL_WORDS:
        return LEVEL
    more, less = max(score_a, score_b), min(score_a, score_b)
    return score_a - score_b, f"Its words scored {more:.2f}, those of the other game {less:.2f}."


RULES: tuple[tuple[DecidedBy, Rule], ...] = (
    ("deal", by_deal),
    ("surplus", _by_surplus),
    ("ask", by_ask),
    ("failures", _by_failures),
    ("rounds", _by_rounds),
    ("words", _by_words),
)
"""In this order; a rule that finds no difference leaves the word to the next."""


def _end(game: Transcript) -> str:
    if game.ended.outcome == "expired":
        return "running out of rounds"
    return "the buyer's leaving" if game.ended.by == "buyer" else "the seller's leaving"
