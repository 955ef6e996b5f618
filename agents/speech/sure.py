"""What is told or asked in words that leave no doubt, which is answered before anything else."""

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

from agents.speech.answers import LOSS, NEEDS, about
from agents.speech.bank import Exchange, is_said, look
from agents.speech.kind_tables import Statement, answers, cut, form_of, statements
from agents.speech.kinds import is_grave, kind_of
from agents.speech.sides import Seen, own_words, rivals_step, rivals_words
from agents.speech.together import Together, sentences
from agents.text.acts.acts import is_question
from agents.text.languages import FEW_WORDS, Register
from bazaarbatna.bargain.observe import BuyerObservation
from bazaarbatna.lazily import kept, lazily
from bazaarbatna.word_tables import read_table
from negotiation.plans import Plan

SURE = Path(__file__).with_name("sure.toml")
STEPS, TAKEN_BACK, YES_OR_NO = "small_steps", "took_back", "yes_or_no"
ASIDE = frozenset({"small_talk", "flattery", "extra", "reason:sentiment", "reason:condition"})
LONGEST = 24
"""In a sentence of more words than these some words always stand together by chance."""


@lazily
def _sure() -> dict[str, Statement]:
    return read_table(SURE, dict[str, Statement])


@lazily
def _book() -> Together[str]:
    return Together({name: kind.says for name, kind in _sure().items()}, answers().words)


@kept(4096)
def sure_of(text: str) -> tuple[str, ...]:
    """Name what a line surely tells or asks, what goes before first.

    >>> sure_of("don't you ever get tired?"), sure_of("i'm tired, 5500")
    (('tired',), ())
    """
    told = [
        f"{' ?' * asks} ^{sentence}> "
        for sentence, asks in sentences(cut(text))
        if len(sentence.split()) <= LONGEST
    ]
    found = {name for name, _ in _book().of(told)}
    return tuple(name for name in _sure() if name in found)


def sure_for(seen: Seen, plan: Plan, language: Register, seed: int) -> Iterator[Exchange]:
    """Return what she says to it; of who mourns in the very line, only to what is a need."""
    words, known = rivals_words(seen), kind_of(rivals_words(seen))
    # Who asks something that is known waits for the answer.
    is_short = plan.move == "talk" and len(words.split()) <= FEW_WORDS
    is_form = plan.move == "talk" and form_of(words) not in ("", "other")
    waits = "?" in words and (is_form if not known else is_question(answers().kinds[known].act))
    is_doubted = look("corrects").search(words) and _has_doubted(seen)
    for found in (TAKEN_BACK,) if is_doubted else sure_of(words):
        kind = _sure()[_by_step(seen) if found == STEPS else found]
        is_fit = not is_grave(known) or (known != LOSS and kind.act == NEEDS)
        is_fit &= not (waits and kind.act in ASIDE) and (found, plan.move) != (STEPS, "hold")
        if is_fit and not (
            found == YES_OR_NO and not is_short and plan.move not in ("concede", "hold")
        ):
            yield from about(kind, kind.act, "", seen, plan, language, seed)


def _by_step(seen: Seen) -> str:
    """Name the answer to who calls her steps small, by whose last step was the longer."""
    mine = _last_step(seen)
    if not mine:
        return STEPS
    return "longer_step" if rivals_step(seen) > mine else "shorter_step"


def _last_step(seen: Seen) -> int:
    """Return by how many paise her last bid went up; 0 for a first one, or where she sells."""
    bids = seen.bids if isinstance(seen, BuyerObservation) else ()
    return next((after - before for before, after in pairwise(bids[-2:])), 0)


def _has_doubted(seen: Seen) -> bool:
    """Whether her last line held the listing against what the other side had said."""
    hers = own_words(seen)[-1:]
    says = (one for kind in statements().claims.values() for one in kind.in_all_languages())
    return bool(hers) and any(is_said(one, hers) for one in says)
