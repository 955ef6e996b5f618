"""What sellers tell beside their questions, and plain words to it that name the thing told of."""

import re
from collections.abc import Iterator

from agents.speech.answers import AT_HER, INSULT, about, grief_of
from agents.speech.bank import Exchange
from agents.speech.kind_tables import READ_AT_MOST, THIRD, answers, form_of, statements
from agents.speech.kinds import (
    OTHER_LANGUAGE,
    SHORT,
    is_grave,
    is_surely,
    kind_of,
    puts_a_question,
    told_in,
)
from agents.speech.nouns import VAGUE
from agents.speech.sides import Seen, last_own, own_words, rivals_step, rivals_words
from agents.speech.truths import asked
from agents.text.acts.acts import is_question
from agents.text.languages import Register, nearest_to_other
from agents.text.reading.pieces import to_text
from negotiation.plans import Plan

FIRST_LINES = 2
"""So many lines of hers belong to the beginning of a game."""
OVER = frozenset({"presence", "leaving", "back", "about_this"})
"""Kinds that go before what else is heard in the line: first somebody is there, or goes."""
FIRM = frozenset({"adds", "defect"})
"""Kinds that go before a question that nobody has marked as one."""
PRESENCE = "presence"
RIVALS = frozenset({"others_waiting", "turned_away", "rival"})
_ALIKE = re.compile(
    r"\bsame (?:as|price|amount|offer|number)\b|\butn[ae] hi\b|\bbarabar\b|उतना ही|बराबर",
    re.IGNORECASE,
)
_LESS = re.compile(
    r"\b(?:less|lower) than (?:you|yours|u)\b|\b(?:aap|tum)\s?se (?:bhi )?kam\b|आपसे (?:भी )?कम",
    re.IGNORECASE,
)
TEASED, ANY_FORM = "teased", "other"
OF_MONEY = frozenset({"cost_told", "elsewhere", "one_was_sold", "instalments"})
"""Kinds that tell of a sum: where the seller's own price was the sum, none of them was told."""
LIGHT = frozenset({TEASED, "laugh", "compliment"})
"""Kinds that are answered with a smile, and not after grief."""
CAME_DOWN = "concession"
"""What a price that came down says by itself."""


def told_for(seen: Seen, plan: Plan, language: Register, seed: int) -> Iterator[Exchange]:
    """Return what she says to a statement of a known kind; nothing where a question is known."""
    words = rivals_words(seen)
    language = nearest_to_other(words) or language
    other, kinds = kind_of(words), answers().kinds
    is_question_known = bool(other) and is_question(kinds[other].act)
    is_asked = is_question_known and puts_a_question(words)
    is_teased = told_in(words)[0][0] == TEASED
    is_abuse = other == INSULT and not is_teased and AT_HER.search(words) is not None
    is_put = plan.move == "talk" and "?" in words and form_of(words) not in ("", ANY_FORM)
    if asked(words) or not words or is_abuse:
        return
    is_rival = other == "rival" or "rival" in plan.speaks_to
    for found, thing in (*((("rival", ""),) if is_rival else ()), *told_in(words)):
        name = by_its_price(found, seen)
        # "Hello! Who is it for?" waits for no "I'm here".
        is_over = name in OVER and not (is_asked and name == PRESENCE)
        is_over = is_over or (name in FIRM and "?" not in words)
        if name not in statements().kinds or is_grave(other) or other == OTHER_LANGUAGE:
            continue
        kind = statements().kinds[name]
        if (name == THIRD and plan.speaks_to) or not _fits_the_talk(found, seen):
            continue
        # Who asks something else beside waits for the answer.
        if (is_asked and (not is_over or name == PRESENCE)) or (
            is_put and not (name in OVER or kind.asked)
        ):
            continue
        if kind.talk_only and (plan.move != "talk" or last_own(seen) is None):
            continue
        if kind.first_only and len(own_words(seen)) > FIRST_LINES:
            continue
        yield from about(kind, kind.act, thing, seen, plan, language, seed)


def _fits_the_talk(name: str, seen: Seen) -> bool:
    """Whether no grief was told before a smile, and no price speaks for itself."""
    words = rivals_words(seen)
    if name in LIGHT and grief_of(seen):
        return False
    if not seen.turns or seen.turns[-1].kind != "offer":
        return True
    return is_surely(words, name) and not (name in OF_MONEY and len(sums_in(words)) < 2)


def sums_in(words: str) -> set[int]:
    """Return the amounts that a line names, in paise."""
    return {one.amount.paise for one in to_text(words[:READ_AT_MOST]).said}


def by_its_price(name: str, seen: Seen) -> str:
    """Name a rival's kind by what he offers: less than she says, as much, or not known."""
    bid = last_own(seen)
    if name not in RIVALS or bid is None:
        return name
    words = rivals_words(seen)
    said = sums_in(words)
    # What is far below every price counts people or hours, and the ask is no rival's.
    named = {paise for paise in said if bid < 5 * paise and paise != seen.standing_ask}
    if _ALIKE.search(words) or named == {bid}:
        return "rival_same"
    is_less = max(named) < bid if named else _LESS.search(words) is not None
    return "rival_less" if is_less else name


def price_for(seen: Seen, plan: Plan, language: Register, seed: int) -> Iterator[Exchange]:
    """Return words to a price with which nothing else was said."""
    words, kinds = rivals_words(seen), answers().kinds
    says_more = any(
        is_question(act) or (act in kinds and act != CAME_DOWN) for act in plan.speaks_to
    )
    was_played = bool(seen.turns) and seen.turns[-1].kind == "offer"
    if plan.move not in ("concede", "hold") or says_more or not was_played or kind_of(words):
        return
    how = "lower" if rivals_step(seen) > 0 else "same"
    yield from about(statements().prices[how], "price", "", seen, plan, language, seed)


def listening_for(seen: Seen, plan: Plan, language: Register, seed: int) -> Iterator[Exchange]:
    """Return what she says to talk of which nothing is heard for sure."""
    if plan.move != "talk" or any(map(is_question, plan.speaks_to)) or last_own(seen) is None:
        return
    words = rivals_words(seen)
    thing = told_in(words)[0][1]
    # A long line names things by the way.
    thing = "" if thing in VAGUE or len(words.split()) > SHORT else thing
    is_first = len(own_words(seen)) <= 1 and not thing
    for place in ("first", "later") if is_first else ("later",):
        says = statements().listening[place]
        yield from about(says, "small_talk", thing, seen, plan, language, seed)
