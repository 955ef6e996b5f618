"""What sellers tell beside their questions, and plain words to it that name the thing told of."""

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise, product
from random import Random

from agents.speech.answers import AT_HER, INSULT, about, exchanges, grief_of
from agents.speech.bank import ASK, Exchange
from agents.speech.kind_tables import (
    NO_FLAW,
    PUT,
    READ_AT_MOST,
    THIRD,
    answers,
    cut,
    form_of,
    statements,
    told_by_words,
    without_denied,
)
from agents.speech.kinds import (
    OTHER_LANGUAGE,
    SHORT,
    is_grave,
    is_surely,
    kind_of,
    puts_a_question,
    told_in,
)
from agents.speech.nouns import VAGUE, named, nouns_of
from agents.speech.sides import Seen, last_own, own_words, rivals_step, rivals_words, rounds_left
from agents.speech.together import either, same, sentences
from agents.speech.truths import asked
from agents.text.acts.acts import is_question
from agents.text.languages import Register, nearest_to_other
from agents.text.reading.pieces import to_text
from bazaarbatna.bargain.scenario import Item
from bazaarbatna.lazily import lazily
from negotiation.plans import Plan

FIRST_LINES = 2
"""So many lines of hers belong to the beginning of a game."""
OVER = frozenset({"presence", "leaving", "back", "about_this"})
"""Kinds that go before what else is heard in the line: first somebody is there, or goes."""
FIRM = frozenset({"adds", "defect"})
"""Kinds that go before a question that nobody has marked as one."""
PRESENCE = "presence"
BORED = "bored"
"""Whoever has heard numbers alone; beside a price it is told by words, not weighed."""
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
    if not is_asked and not is_grave(other):
        for found, thing in claims_against(words, seen.item):
            says = statements().claims[found]
            yield from about(says, "reason:condition", thing, seen, plan, language, seed)
    is_rival = other == "rival" or "rival" in plan.speaks_to
    is_bored = plan.move != "talk" and any(name == BORED for name, _ in told_by_words(words)[0])
    before = (*((("rival", ""),) if is_rival else ()), *(((BORED, ""),) if is_bored else ()))
    for found, thing in (*before, *told_in(words)):
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
    is_sure = name == BORED or is_surely(words, name)
    return is_sure and not (name in OF_MONEY and len(sums_in(words)) < 2)


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
    if how == "same" and plan.move == "concede":
        how = "rise"
    if plan.move == "hold" and rounds_left(seen):
        yield from _standing(seen, plan, language, seed)
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


LATE, FEW_LEFT = "late", 3
"""A kind of reason to stand that is one where so few rounds are left."""


def _standing(seen: Seen, plan: Plan, language: Register, seed: int) -> Iterator[Exchange]:
    """Return whole lines that say why she stands, of another kind each time that she does."""
    table, mine = statements(), seen.bids
    kinds = [kind for kind in table.stand if kind != LATE or rounds_left(seen) <= FEW_LEFT]
    Random(f"{seed}:stand").shuffle(kinds)
    first = sum(one == other for one, other in pairwise(mine)) % len(kinds)
    thanks = table.prices["lower"].of(language) if rivals_step(seen) > 0 else ("",)
    thing = next(iter(_flawed(_told(f"{seen.item.title}. {seen.item.condition}"))), "")
    for kind in kinds[first:] + kinds[:first]:
        says = table.stand[kind].of(language)
        there = [*named(says, thing, language), *(one for one in says if "<noun>" not in one)]
        whole = [
            f"{thank} {one}".strip()
            for thank, one in product(thanks, there)
            # Of who came down nobody says that they stand.
            if not (thank and ASK in one)
        ]
        yield from exchanges(whole, "price", seen, plan, language, seed, tails=[""])


OF_THINGS = ("absent", "offered", "sound", "new", "used", "flaw", "elsewhere_new")
_FIGURE = re.compile(r"(\d{1,3}) ?(?:%|percent|per cent|टका|प्रतिशत)")
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_HARDLY = 0.7
"""So much of the age that is listed is younger, not rounded."""


@lazily
def _has() -> dict[str, re.Pattern[str]]:
    table = statements().words
    return {name: either(f"@{name}", table) for name in OF_THINGS} | {
        "flaw": either("@flaw|@listed_flaw", table)
    }


@lazily
def _age() -> re.Pattern[str]:
    numbers = [word for word, value in statements().ages.items() if value >= 0]
    spans = [word for word, value in statements().ages.items() if value < 0]
    return re.compile(
        rf"(?<![\w.])(\d+(?:\.\d)?|{'|'.join(numbers)})[ -]?({'|'.join(spans)})(?:\b|(?= ))"
    )


def _told(text: str) -> list[str]:
    """Return the clauses of a text that tell, in the spelling of `same`."""
    told = [
        without_denied(one)
        for one, asks in sentences(cut(text))
        if not (asks and ("?" in text or PUT.search(one)))
    ]
    return [f" {clause.strip()} " for one in told for clause in one.split(" , ")]


def _days(text: str) -> list[float]:
    """Return the ages that a text tells of, in days."""
    ages = statements().ages
    return [
        -ages[span] * (ages[number] if number in ages else float(number))
        for number, span in _age().findall(text.lower())
    ]


def _flawed(clauses: list[str]) -> dict[str, None]:
    """Name the things of which clauses tell a fault, in order."""
    told = (one for one in clauses if _has()["flaw"].search(one))
    return dict.fromkeys(thing for one in told for thing in nouns_of(one) if thing not in MARKS)


MARKS = frozenset({"crack", "scratch", "dent", "rust", "stain", "hole", "smell", "dust", "edge"})
"""Faults that are called by their name."""


@lru_cache(maxsize=1024)
def claims_against(words: str, item: Item) -> tuple[tuple[str, str], ...]:
    """Name what a line claims against the public listing, each with the thing of which it does.

    >>> machine = Item("Washing machine", condition="Used two years, the lid is cracked. No bill.")
    >>> claims_against("only 2 months old, bill included, lid perfect", machine)
    (('younger', ''), ('absent', 'bill'), ('flaw', 'lid'))
    """
    listed = f"{item.title}. {item.condition}"[:READ_AT_MOST]
    found, lists, tells = dict[tuple[str, str], None](), _told(listed), _told(words)
    has, own = _has(), set(nouns_of(" ".join(_told(item.title))))
    flawed = _flawed(lists)
    absent = {t for one in lists if has["absent"].search(one) for t in nouns_of(one)}
    is_used = any(has["used"].search(one) or has["flaw"].search(one) for one in lists)
    for part in re.split(r"[,.;!?।\n]", words):
        told, parts = _told(part), set(nouns_of(" ".join(_told(part)))) - own
        if not parts and _is_younger(part, listed, item.title.lower()):
            found["younger", ""] = None
        numbers = [[int(one) for one in _FIGURE.findall(text)] for text in (part, listed)]
        if all(numbers) and max(numbers[0]) > max(numbers[1]):
            found["figure", ""] = None
        is_new = any(has["new"].search(one) for one in told)
        is_new = is_new and not any(has["elsewhere_new"].search(one) for one in told)
        if is_new and is_used and not parts - MARKS:
            found["new", ""] = None
    for clause in tells:
        things, flawless = list(nouns_of(clause)), same(NO_FLAW) in clause
        if has["offered"].search(clause) and not has["absent"].search(clause):
            found |= {("absent", thing): None for thing in things if thing in absent}
        if (flawless or has["sound"].search(clause)) and not has["flaw"].search(clause):
            last = {thing.split()[-1] for thing in things}
            found |= {("flaw", one): None for one in flawed if one.split()[-1] in last}
            if flawless and not things and any(has["flaw"].search(one) for one in lists):
                found["spotless", ""] = None
    makes = [set(re.findall(r"\w+", text.lower())) & _brands() for text in (words, item.title)]
    if all(makes) and not makes[0] & makes[1] and _IT_IS.search(words):
        found["brand", ""] = None
    return tuple(found)


_IT_IS = re.compile(r"\b(?:it'?s|it is|this is|actually|asal mein|asli mein|yeh?)\b", re.IGNORECASE)


@lazily
def _brands() -> frozenset[str]:
    return frozenset(statements().brands.split())


def _is_younger(part: str, listed: str, title: str) -> bool:
    """Whether words give a thing a later year, or fewer days, than its listing does."""
    claimed, told = _days(part), _days(listed)
    years = [[int(one) for one in _YEAR.findall(text)] for text in (part, listed)]
    if all(years) and max(years[0]) > max(years[1]):
        return True
    other = _OF_ANOTHER.search(part)
    is_age = _OLD.search(part) and (not other or (other["who"] or "?").lower() in title)
    return bool(claimed and told and is_age) and min(claimed) < _HARDLY * max(told)


_OF_ANOTHER = re.compile(
    r"\b(?:my|our|his|her|mera|meri|mere|hamara|hamari)\b"
    r"|\b(?!(?:it|this|that|age)\b)(?P<who>\w+) (?:is|are|was) (?:only |just )?"
    r"\w+ (?:day|week|month|year)"
    r"|मेर[ाीे]|हमार[ाीे]",
    re.IGNORECASE,
)
_OLD = re.compile(
    r"\b(?:old|used?|puran[aei]|hue|hua|hui|huye|bought|kharid\w*|li thi|liya tha)\b"
    r"|पुरान[ाीे]|हुए|हुआ|हुई|ख़?रीद",
    re.IGNORECASE,
)
