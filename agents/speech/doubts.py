"""Which of the heard acts are sure enough to be spoken to; of what is not, nothing is presumed."""

from collections.abc import Sequence

import msgspec

from agents.speech.kind_tables import READ_AT_MOST, SURE, Kind, answers, book_of_kinds
from agents.speech.kinds import is_ruled_out, puts_a_question, told_in
from agents.speech.plan import first_of, heard_in
from agents.speech.sides import Seen, rivals_words
from agents.text.acts.acts import Heard, is_question
from agents.text.reading.phrases import Phrasebook
from agents.text.reading.pieces import to_text
from bazaarbatna.bargain.moves import Move
from bazaarbatna.lazily import kept, lazily
from negotiation.plans import HeardAct, Plan

SURE_QUESTION = 1.0
"""Log-odds from which a question counts: to miss one is worse than to see one too many."""
SURE_BY_A_WORD = 4.5
"""From here on a single word of a question may find its answer."""
IN_TALK = frozenset({"price", "small_talk"})
"""Where no price was played, an amount is none, and of small talk the model knows no subject."""


def surely(plan: Plan, seen: Seen, move: Move | None) -> Plan:
    """Return the plan with the sure acts alone; a question of doubtful kind is one of any kind."""
    text = rivals_words(seen)
    heard = heard_in(seen, move)
    sure = [one for one in heard if _is_sure(one, text)]
    if plan.move == "talk":
        sure = [one for one in sure if one.act not in IN_TALK]
    unsure = any(is_question(one.act) for one in heard)
    unsure |= plan.move == "talk" and "?" in text and not sure
    unsure &= puts_a_question(text) and not told_in(text)[0][0]
    if unsure and not any(is_question(one.act) for one in sure):
        sure.append(Heard("question:her", 0, len(text)))
    return msgspec.structs.replace(plan, heard=_as_heard(sure, text), speaks_to=first_of(sure))


def is_doubtful(seen: Seen, move: Move | None) -> bool:
    """Whether a question is too faint for a single word of it to find its answer."""
    scores = [one.score for one in heard_in(seen, move) if is_question(one.act)]
    return max(scores, default=-SURE_BY_A_WORD) < SURE_BY_A_WORD


def _as_heard(heard: Sequence[Heard], text: str) -> tuple[HeardAct, ...]:
    return tuple(HeardAct(h.act, h.start, h.end, text[h.start : h.end]) for h in heard)


def _is_sure(one: Heard, text: str) -> bool:
    if is_question(one.act):
        return one.score >= SURE_QUESTION
    kind = answers().kinds.get(one.act)
    if kind is None:
        return one.score >= SURE
    if is_ruled_out(text, one.act):
        return False
    return one.score >= kind.least and (not kind.needs or one.act in _needs_met(text))


@lazily
def _book() -> Phrasebook[str]:
    kinds: dict[str, Kind] = answers().kinds
    return book_of_kinds({name: kind for name, kind in kinds.items() if kind.needs}, "needs")


@kept(4096)
def _needs_met(text: str) -> frozenset[str]:
    return frozenset(hit.record for hit in _book().find(to_text(text[:READ_AT_MOST]).pieces))
