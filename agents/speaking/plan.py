"""A turn's plan: what was heard, what is played, and which of the heard is spoken to."""

import msgspec

from agents.hearing.acts import Act, Heard, is_question
from agents.hearing.hear import hear
from agents.lines.topics import last_words
from agents.speaking.bank import MoveName
from negotiation.engine.moves import Accept, Move, Walk
from negotiation.engine.observe import BuyerObservation

MOST_SPOKEN_TO = 2

WEIGHT: tuple[Act, ...] = (
    "instruction", "insult", "reason:hardship", "reason:sentiment", "rival", "ultimatum", "promise",
    "split", "extra", "language", "confusion", "flattery", "urgency", "reason:cost",
    "reason:condition", "reason:age", "reason:brand", "concession", "refusal", "greeting",
    "small_talk", "agreement", "nonsense", "price",
)  # fmt: skip
"""What is answered first where no question was asked."""


class Plan(msgspec.Struct, frozen=True):
    """What a turn is made of, before it has words.

    Attributes:
        heard: what the seller's line does.
        move: what is played.
        speaks_to: at most two of the heard acts, questions first.
    """

    heard: tuple[Heard, ...]
    move: MoveName
    speaks_to: tuple[Act, ...]


def plan_of(seen: BuyerObservation, move: Move | None) -> Plan:
    """Plan the words of a turn.

    Args:
        seen: the position before the move.
        move: what is played; None where words alone are wanted.
    """
    text = last_words(seen.turns)
    # The ask that the line itself names stands already; what stood before it is what it is read by.
    ask = seen.asks[-2] if len(seen.asks) > 1 and move is not None else seen.standing_ask
    heard = hear(text, ask, seen.own_last_bid, seen.item.currency) if text else ()
    return Plan(heard, _name_of(seen, move), _first_of(heard))


def _name_of(seen: BuyerObservation, move: Move | None) -> MoveName:
    if move is None:
        return "talk"
    if isinstance(move, Accept):
        return "accept"
    if isinstance(move, Walk):
        return "leave"
    if seen.own_last_bid is None:
        return "open"
    return "concede" if move.price > seen.own_last_bid else "hold"


def _first_of(heard: tuple[Heard, ...]) -> tuple[Act, ...]:
    acts = [one.act for one in heard]
    ranked = sorted(acts, key=lambda act: (not is_question(act), _weight(act)))
    return tuple(ranked[:MOST_SPOKEN_TO])


def _weight(act: Act) -> int:
    return WEIGHT.index(act) if act in WEIGHT else -1
