"""What is told or asked in words that leave no doubt, which is answered before anything else."""

from collections.abc import Iterator

from agents.speech.answers import LOSS, NEEDS, about
from agents.speech.bank import Exchange, is_said, look
from agents.speech.kind_tables import answers, form_of, statements
from agents.speech.kinds import is_grave, kind_of, sure_kinds, sure_of
from agents.speech.sides import Seen, own_words, rivals_words
from agents.text.acts.acts import is_question
from agents.text.languages import FEW_WORDS, Register
from negotiation.plans import Plan

STEPS, TAKEN_BACK, YES_OR_NO = "small_steps", "took_back", "yes_or_no"
ASIDE = frozenset({"small_talk", "flattery", "extra", "reason:sentiment", "reason:condition"})


def sure_for(seen: Seen, plan: Plan, language: Register, seed: int) -> Iterator[Exchange]:
    """Return what she says to it; of who mourns in the very line, only to what is a need."""
    words, known = rivals_words(seen), kind_of(rivals_words(seen))
    # Who asks something that is known waits for the answer.
    is_short = plan.move == "talk" and len(words.split()) <= FEW_WORDS
    is_form = plan.move == "talk" and form_of(words) not in ("", "other")
    waits = "?" in words and (is_form if not known else is_question(answers().kinds[known].act))
    is_doubted = look("corrects").search(words) and _has_doubted(seen)
    for found in (TAKEN_BACK,) if is_doubted else sure_of(words):
        kind = sure_kinds()[found]
        is_fit = not is_grave(known) or (known != LOSS and kind.act == NEEDS)
        is_fit &= not (waits and kind.act in ASIDE) and (found, plan.move) != (STEPS, "hold")
        if is_fit and not (
            found == YES_OR_NO and not is_short and plan.move not in ("concede", "hold")
        ):
            yield from about(kind, kind.act, "", seen, plan, language, seed)


def _has_doubted(seen: Seen) -> bool:
    """Whether her last line held the listing against what the other side had said."""
    hers = own_words(seen)[-1:]
    says = (one for kind in statements().claims.values() for one in kind.in_all_languages())
    return bool(hers) and any(is_said(one, hers) for one in says)
