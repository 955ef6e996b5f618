"""A turn's plan: what was heard, what is played and why, and which of the heard is spoken to."""

from collections.abc import Sequence

from agents.speech.promises import is_promise, is_warning, owed
from agents.speech.sides import (
    FIRST,
    Seen,
    heard_at,
    language_of,
    last_own,
    own_step,
    rival_side,
    rivals_step,
    rivals_words,
    rounds_left,
)
from agents.text.acts.acts import Act, Heard, is_question
from agents.text.acts.hear import hear
from bazaarbatna.bargain.moves import Accept, Move, Offer, Walk
from bazaarbatna.bargain.observe import BuyerObservation
from bazaarbatna.bargain.quantities import Paise
from negotiation.plans import Because, HeardAct, MoveName, Plan

MOST_SPOKEN_TO = 2

WEIGHT: tuple[Act, ...] = (
    "instruction", "insult", "reason:hardship", "reason:sentiment", "rival", "ultimatum", "promise",
    "split", "extra", "language", "confusion", "flattery", "urgency", "reason:cost",
    "reason:condition", "reason:age", "reason:brand", "concession", "refusal", "greeting",
    "small_talk", "agreement", "nonsense", "price",
)  # fmt: skip
"""What is answered first where no question was asked; of questions, the one heard most clearly."""


def plan_of(seen: Seen, answer: Move | str | None) -> Plan:
    """Plan a turn, or explain one that has its words already; None where it is not her turn."""
    move = None if isinstance(answer, str) else answer
    words = answer if isinstance(answer, str) else "" if answer is None else answer.text
    text, heard = rivals_words(seen), heard_in(seen, move)
    step = _step(seen, move)
    return Plan(
        move=_name_of(seen, move),
        heard=tuple(HeardAct(h.act, h.start, h.end, text[h.start : h.end]) for h in heard),
        speaks_to=first_of(heard),
        step=Paise(step),
        because=_because(seen, move, step, words),
        promises=is_promise(words),
        language=language_of(seen) or FIRST,
    )


def heard_in(seen: Seen, move: Move | None) -> tuple[Heard, ...]:
    """Return what the other side's last line does, by the prices that stood before it."""
    text = rivals_words(seen)
    ask, bid = heard_at(seen, speak_only=move is None)
    return hear(text, ask, bid, seen.item.currency, rival_side(seen)) if text else ()


def _name_of(seen: Seen, move: Move | None) -> MoveName:
    if move is None:
        return "talk"
    if isinstance(move, Accept):
        return "accept"
    if isinstance(move, Walk):
        return "leave"
    if last_own(seen) is None:
        return "open"
    return "concede" if own_step(seen, move.price) > 0 else "hold"


def _step(seen: Seen, move: Move | None) -> int:
    return max(0, own_step(seen, move.price)) if isinstance(move, Offer) else 0


def _because(seen: Seen, move: Move | None, step: int, words: str) -> Because:
    if not isinstance(move, Offer) or last_own(seen) is None:
        return ""
    if step and isinstance(seen, BuyerObservation) and owed(seen):
        return "promised"
    if is_warning(words):
        return "far-apart"
    if rounds_left(seen) == 0:
        return "last-round"
    if step:
        return "you-moved" if rivals_step(seen) > 0 else ""
    return "you-stood" if rivals_step(seen) <= 0 else ""


def first_of(heard: Sequence[Heard]) -> tuple[Act, ...]:
    """Return what is spoken to: questions first, then what weighs most."""

    def rank(one: Heard) -> tuple[bool, float]:
        asks = is_question(one.act)
        return not asks, -one.score if asks else _weight(one.act)

    acts = [one.act for one in sorted(heard, key=rank)]
    return tuple(dict.fromkeys(acts))[:MOST_SPOKEN_TO]


def _weight(act: Act) -> int:
    return WEIGHT.index(act) if act in WEIGHT else -1
