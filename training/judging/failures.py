"""What went wrong in a game, by name: one small predicate per failure, from the buyer's side."""

from collections.abc import Callable
from itertools import pairwise

import msgspec

from agents.buyers.steering import urgency_signal
from agents.speech.voice import BLUFFING
from negotiation.engine.career import is_capitulation
from negotiation.engine.moves import Accept, Offer, Walk
from negotiation.engine.quantities import Paise
from negotiation.engine.tells import Tells
from training.judging.transcript import BuyerTurn, Transcript

EARLY = 0.5
"""A deal in this share of the rounds is an early one."""

LOWBALL = 0.5
"""An opening bid under this share of the seller's reservation price anchors too far."""

HURRIED = 0.6
"""Urgency of the seller, 0..1, from which waiting pays."""

BIG_STEP = 0.10
"""A step of this share of the opening ask is a large one."""

SAME_BID = 0.005
"""Bids that differ by no more than this share of the opening ask are the same."""

SAME_BIDS = 3
"""So many of them in a row are a stall."""

NOTHING_LEFT = 0.95
"""From this share of the budget on there is nothing left to come up with."""


def capitulated_early(game: Transcript) -> bool:
    """Whether the buyer closed above 85 % of the anchor in the first half of the rounds."""
    ended, scenario = game.ended, game.scenario
    if ended.price is None or ended.round > EARLY * scenario.max_rounds:
        return False
    return is_capitulation(scenario.anchor, ended.price)


def over_anchored(game: Transcript) -> bool:
    """Whether a winnable game was lost after an opening bid that insulted the seller.

    Its first bid was under half of the seller's reservation price, and no bid ever reached it.
    """
    if game.is_deal or not game.winnable or not game.bids:
        return False
    reservation = game.scenario.sealed.reservation
    return game.bids[0] < LOWBALL * reservation and max(game.bids) < reservation


def walked_winnable(game: Transcript) -> bool:
    """Whether the buyer left although a deal was possible."""
    return game.winnable and game.ended.outcome == "walk" and game.ended.by == "buyer"


def ignored_tells(game: Transcript) -> bool:
    """Whether the buyer came a long way toward a seller who showed that it need not.

    In a turn it raised its bid (or accepted) by 10 % of the opening ask or more, although the
    seller's last turn showed urgency of 0.6 or more, or a bluff, and rounds were left.
    """
    steps = pairwise(game.turns)
    return any(
        _gave_much(game, before, turn) and _need_not(turn.seen.tells) for before, turn in steps
    )


def missed_accept(game: Transcript) -> bool:
    """Whether a better end lay on the table and was not taken.

    Either an ask within the budget stood when the buyer bid in the last round, and there was no
    deal; or the deal cost more than an ask that had stood before.
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
