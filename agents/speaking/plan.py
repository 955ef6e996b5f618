"""A turn's plan: what was heard, what is played and why, and which of the heard is spoken to."""

from agents.hearing.acts import Act, Heard, is_question
from agents.hearing.hear import hear
from agents.lines.topics import last_words
from agents.speaking.languages import FIRST, language_of
from agents.speaking.promises import is_promise, owed
from negotiation.engine.moves import Accept, Move, Offer, Walk
from negotiation.engine.observe import BuyerObservation
from negotiation.engine.quantities import Paise
from negotiation.plans import Because, HeardAct, MoveName, Plan

MOST_SPOKEN_TO = 2

WEIGHT: tuple[Act, ...] = (
    "instruction", "insult", "reason:hardship", "reason:sentiment", "rival", "ultimatum", "promise",
    "split", "extra", "language", "confusion", "flattery", "urgency", "reason:cost",
    "reason:condition", "reason:age", "reason:brand", "concession", "refusal", "greeting",
    "small_talk", "agreement", "nonsense", "price",
)  # fmt: skip
"""What is answered first where no question was asked."""


def plan_of(seen: BuyerObservation, answer: Move | str | None) -> Plan:
    """Plan a turn, or explain one that has its words already.

    Args:
        seen: the position before the move.
        answer: what is played, with the words that are said, if they are found; words alone, or
            None for them, where it is not her turn.
    """
    move = None if isinstance(answer, str) else answer
    words = answer if isinstance(answer, str) else "" if answer is None else answer.text
    text = last_words(seen.turns)
    # The ask that the line itself names stands already; what stood before it is what it is read by.
    ask = seen.asks[-2] if len(seen.asks) > 1 and move is not None else seen.standing_ask
    heard = hear(text, ask, seen.own_last_bid, seen.item.currency) if text else ()
    step = _step(seen, move)
    return Plan(
        move=_name_of(seen, move),
        heard=tuple(HeardAct(h.act, h.start, h.end, text[h.start : h.end]) for h in heard),
        speaks_to=_first_of(heard),
        step=Paise(step),
        because=_because(seen, move, step),
        promises=is_promise(words),
        language=language_of(seen) or FIRST,
    )


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


def _step(seen: BuyerObservation, move: Move | None) -> int:
    if not isinstance(move, Offer) or seen.own_last_bid is None:
        return 0
    return max(0, move.price - seen.own_last_bid)


def _because(seen: BuyerObservation, move: Move | None, step: int) -> Because:
    """Name what everybody could see; nothing that rests on her budget is a reason to be told."""
    if not isinstance(move, Offer) or seen.own_last_bid is None:
        return ""
    if step and owed(seen):
        return "promised"
    if seen.rounds_left == 0:
        return "last-round"
    if step:
        return "you-moved" if seen.last_concession > 0 else ""
    return "you-stood" if seen.last_concession <= 0 else ""


def _first_of(heard: tuple[Heard, ...]) -> tuple[Act, ...]:
    acts = [one.act for one in heard]
    ranked = sorted(acts, key=lambda act: (not is_question(act), _weight(act)))
    return tuple(dict.fromkeys(ranked))[:MOST_SPOKEN_TO]


def _weight(act: Act) -> int:
    return WEIGHT.index(act) if act in WEIGHT else -1
