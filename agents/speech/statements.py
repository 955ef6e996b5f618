"""What sellers tell beside their questions, and plain words to it that name the thing told of."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain, product
from random import Random

from agents.speech.answers import AT_HER, INSULT, NEEDS, about, ends_asking, exchanges, grief_of
from agents.speech.bank import ASK, Exchange, is_said, look
from agents.speech.facts import reasons
from agents.speech.kind_tables import (
    NO_FLAW,
    READ_AT_MOST,
    THIRD,
    WEAK,
    Says,
    answers,
    by_phrases,
    cut,
    echo_of,
    form_of,
    statements,
    told_by_words,
    without_denied,
)
from agents.speech.kinds import (
    HOW_ARE_YOU,
    OTHER_LANGUAGE,
    TEASED,
    is_grave,
    is_surely,
    kind_of,
    puts_a_question,
    told_in,
)
from agents.speech.meant import rarity_of
from agents.speech.nouns import NOUN, VAGUE, named, noun_of, nouns_of, scene_of
from agents.speech.promises import is_warning
from agents.speech.sides import Seen, last_own, own_words, rivals_step, rivals_words, rounds_left
from agents.speech.sure import sure_for
from agents.speech.together import PUT, either, same, sentences
from agents.speech.truths import asked
from agents.text.acts.acts import Act, is_question
from agents.text.languages import Register, nearest_to_other
from agents.text.reading.pieces import to_text
from bazaarbatna.bargain.observe import BuyerObservation
from bazaarbatna.bargain.scenario import Item
from bazaarbatna.lazily import lazily
from negotiation.plans import Plan

HAGGLER = "poor_haggler"
FIRST_LINES = 2
"""So many lines of hers belong to the beginning of a game."""
OVER = frozenset({"presence", "leaving", "back", "about_this"})
"""Kinds that go before what else is heard in the line: first somebody is there, or goes."""
FIRM = frozenset({"adds", "defect"})
"""Kinds that go before a question that nobody has marked as one."""
PRESENCE, HELLO = "presence", "hello"
BY_WORDS = frozenset({"bored", "beside_money", "treat", "farewell", "settle_now"})
"""Kinds that are told by their words, not weighed."""
RIVALS = frozenset({"others_waiting", "turned_away", "rival"})
ANY_FORM = "other"
OF_MONEY = frozenset({"cost_told", "elsewhere", "one_was_sold", "instalments"})
"""Kinds that tell of a sum: where the seller's own price was the sum, none of them was told."""
LIGHT = frozenset({TEASED, "laugh", "compliment"})
"""Kinds that are answered with a smile, and not after grief."""
BY_THE_WAY = LIGHT | WEAK | {HELLO, "too_little", "advised"}
"""Kinds of which the matter that a line names says more than the kind."""
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
    is_abuse = other == HAGGLER or (
        other == INSULT and not is_teased and AT_HER.search(words) is not None
    )
    is_put = plan.move == "talk" and "?" in words and form_of(words) not in ("", ANY_FORM)
    if asked(words) or not words or is_abuse:
        return
    yield from answered_for(seen, plan, language, seed)
    yield from sure_for(seen, plan, language, seed)
    if not is_grave(other):
        yield from _heard_first(seen, plan, language, seed, is_asked=is_asked)
        if not is_asked:
            yield from back_for(seen, plan, language, seed)
    is_rival = other == "rival" or "rival" in plan.speaks_to
    for found, thing in (*((("rival", ""),) if is_rival else ()), *told_in(words)):
        name = by_its_price(found, seen)
        # "Hello! Who is it for?" waits for no "I'm here".
        is_over = name in (OVER - {PRESENCE} if is_asked else OVER) or (
            name in FIRM and "?" not in words
        )
        if name not in statements().kinds or is_grave(other) or other == OTHER_LANGUAGE:
            continue
        kind = statements().kinds[name]
        if (name == THIRD and plan.speaks_to) or not _fits_the_talk(found, seen):
            continue
        # Who asks something else beside waits for the answer.
        if (is_asked and not is_over) or (is_put and not (name in OVER or kind.asked)):
            continue
        is_late = kind.first_only and len(own_words(seen)) > FIRST_LINES
        if is_late or (kind.talk_only and (plan.move != "talk" or last_own(seen) is None)):
            continue
        says = kinds[HOW_ARE_YOU] if name == HELLO and by_phrases(words) == HOW_ARE_YOU else kind
        ahead = matter_for(seen, plan, language, seed, LIGHTLY) if name in BY_THE_WAY else ()
        yield from chain(ahead, about(says, kind.act, thing, seen, plan, language, seed))


def _heard_first(
    seen: Seen, plan: Plan, language: Register, seed: int, *, is_asked: bool
) -> Iterator[Exchange]:
    """Answer what goes first: a claim against the listing, and who is tired of numbers."""
    words, table = rivals_words(seen), statements()
    if plan.move == "talk" and _wants_it_back(words, seen):
        yield from about(table.prices["higher"], "question:price", "", seen, plan, language, seed)
    for found, thing in () if is_asked and "?" in words else claims_against(words, seen.item):
        yield from about(table.claims[found], "reason:condition", thing, seen, plan, language, seed)
    for found, _ in () if is_asked else told_by_words(words)[0]:
        kind = table.kinds[found]
        if found in BY_WORDS and (plan.move == "talk" or not kind.talk_only):
            yield from about(kind, kind.act, "", seen, plan, language, seed)


NEAR = 2
"""So many times the standing ask a seller may mean as an ask; what is more is another sum."""


def _wants_it_back(words: str, seen: Seen) -> bool:
    """Whether a seller names an ask above the standing one, as what was meant."""
    is_above = any(seen.standing_ask < one < NEAR * seen.standing_ask for one in sums_in(words))
    is_own = look("wait").search(words) and not look("of_shops").search(words)
    return bool(is_above and isinstance(seen, BuyerObservation) and is_own)


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
    if look("alike").search(words) or named == {bid}:
        return "rival_same"
    is_less = max(named) < bid if named else look("less").search(words) is not None
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
    step, why = rivals_step(seen), () if grief_of(seen) else reasons(seen.item, "buyer", language)
    how = "lower" if NO_STEP * step > seen.standing_ask else "tiny" if step > 0 else "same"
    is_told = step > 0 and is_worded(words)
    if how == "same" and plan.move == "concede":
        how = "rise"
    if plan.move == "hold" and rounds_left(seen):
        thanks = statements().prices["lower"].of(language) if how == "lower" else ("",)
        yield from standing(seen, plan, language, seed, statements().stand, thanks)
    if is_told or how != "same":
        yield from exchanges(why, "price", seen, plan, language, seed)
    if not is_told:
        yield from about(statements().prices[how], "price", "", seen, plan, language, seed)


NO_STEP = 100
"""The standing ask comes down by more than one part in so many, else nobody is thanked for it."""
LIGHTLY: Act = "small_talk"


def matter_for(
    seen: Seen, plan: Plan, language: Register, seed: int, act: str = ""
) -> Iterator[Exchange]:
    """Return words about a matter that a line names by the way; after grief about grave ones."""
    words = rivals_words(seen)
    known, is_asked, mourns = kind_of(words), puts_a_question(words), bool(grief_of(seen))
    rest = words.rpartition("?")[2]
    # Who laughs behind a question has not waited for its answer.
    is_asked &= bool(known) or not (look("laughs").search(rest) and is_worded(rest))
    echo = statements().echo.get(echo_of(words))
    if echo and (echo.act == (LIGHTLY if mourns else NEEDS if "?" in words else "")):
        echo = None
    is_known = bool(known) and plan.move != "accept" and not act
    # A need goes before what else a line says, and grief before a need.
    if not words or is_grave(known) or (is_known and not (echo and echo.act == NEEDS)):
        return
    is_fit = echo and echo.act.startswith(act)
    matter = list(about(echo, LIGHTLY, "", seen, plan, language, seed)) if echo and is_fit else []
    if echo and echo.maybe >= 1:
        yield from matter
    # Who mourns or asks is not answered by what stands beside.
    if not (known or is_asked or mourns) and echo_of(words) in ("", "past"):
        how = "scene_light" if look("laughs").search(words) else "scene"
        said = named(statements().beside[how].of(language), _named_in(words, scene_of), language)
        yield from exchanges(said, LIGHTLY, seen, plan, language, seed)
    yield from () if is_asked else matter


def _named_in(words: str, of: Callable[[str], str]) -> str:
    return next(filter(None, map(of, _told(words))), "")


def beside_for(seen: Seen, plan: Plan, language: Register, seed: int) -> Iterator[Exchange]:
    """Return words about the thing that a line names beside a price, or about its other words."""
    words, table = rivals_words(seen), statements()
    is_known = kind_of(words) or grief_of(seen) or plan.move not in ("concede", "hold", "accept")
    if is_worded(words) and not is_known:
        thing = next((one for one in map(noun_of, _told(words)) if one not in VAGUE), "")
        how = "light" if look("laughs").search(words) else "plain"
        if plan.move == "hold" and not thing and how == "plain":
            return
        # What speaks for a lower price is no yes.
        if not thing and how == "plain" and plan.move != "accept":
            said = reasons(seen.item, "buyer", language)
            yield from exchanges(said, LIGHTLY, seen, plan, language, seed)
        yield from about(table.beside[how], "small_talk", thing, seen, plan, language, seed)


def is_worded(words: str) -> bool:
    """Whether a line says more than a price and what goes with one."""
    return len(look("bare").sub(" ", words).split()) >= WORDED


RARE, RARE_AS_MISREAD, WORDED, LONGEST_BACK = 7.2, 6.0, 3, 14
"""A word of hers that sellers say more often comes back by chance; less so where they wonder. A
line of more words than the last number says something else."""


def thrown_back(words: str, hers: str, item: Item) -> tuple[str, str]:
    """Return how the other side takes a rare word of hers up, and the word; empty where none is."""
    if len(words.split()) > LONGEST_BACK or not look("back").search(words):
        return "", ""
    how, least = ("misread", RARE_AS_MISREAD) if look("misread").search(words) else ("tease", RARE)
    goods = look("word").findall(f"{item.title} {item.condition}".lower())
    theirs = set(map(same, look("word").findall(words.lower()))).difference(map(same, goods))
    shared = {
        word: rarity_of(word)
        for word in look("word").findall(hers.lower())
        if same(word) in theirs and not noun_of(f" {same(word)} ")
    }
    rarest = max(shared, key=shared.__getitem__, default="")
    # A word that is only used again is neither wondered at nor laughed at.
    is_taken_up = how == "misread" or look("laughs").search(words)
    is_taken_up = is_taken_up or re.search(rf"{rarest}\W{{0,3}}\?", words, re.IGNORECASE)
    return (how, rarest) if is_taken_up and shared.get(rarest, 0.0) >= least else ("", "")


def back_for(seen: Seen, plan: Plan, language: Register, seed: int) -> Iterator[Exchange]:
    """Return what she says where a word, a question or a warning of hers is taken up."""
    words, table = rivals_words(seen), statements()
    hers = next(reversed(own_words(seen)), "")
    if plan.move in ("concede", "hold") and rivals_step(seen) <= 0 and is_warning(hers):
        yield from exchanges(table.stays.of(language), "price", seen, plan, language, seed)
    how, word = thrown_back(words, re.sub("“[^”]*”", "", hers), seen.item)
    was_taken = any("“" in one for one in own_words(seen))
    if word and not was_taken and not (how == "tease" and grief_of(seen)):
        says = [one.replace(NOUN, word) for one in table.back[how].of(language)]
        yield from exchanges(says, "small_talk", seen, plan, language, seed)


def answered_for(seen: Seen, plan: Plan, language: Register, seed: int) -> Iterator[Exchange]:
    """Return what she says where somebody answers what she has just asked, if only at the end."""
    hers = next(reversed(own_words(seen)), "")
    rest = rivals_words(seen).rpartition("?")[2]
    if not look("asks_her_own").search(hers) or not is_worded(rest) or puts_a_question(rest):
        return
    known, thing = kind_of(rest), _named_in(rest, noun_of)
    # A price with a joke is no answer yet, nor is a complaint, and grief is heard first.
    if not (known in (INSULT, HAGGLER) or is_grave(known)) and (thing or plan.move == "talk"):
        name = thing or _named_in(rest, scene_of)
        yield from about(statements().answered, LIGHTLY, name, seen, plan, language, seed)


def listening_for(seen: Seen, plan: Plan, language: Register, seed: int) -> Iterator[Exchange]:
    """Return what she says to talk of which nothing is heard for sure."""
    words = rivals_words(seen)
    waits = ends_asking(words) and any(map(is_question, {*plan.speaks_to} - {"question:price"}))
    if plan.move != "talk" or waits or last_own(seen) is None:
        return
    thing, things = told_in(words)[0][1], set(chain(*map(nouns_of, _told(words))))
    # Who names several things names them by the way.
    thing = "" if thing in VAGUE or len(things) > 1 else thing
    yield from about(statements().listening["later"], LIGHTLY, thing, seen, plan, language, seed)


PLAINLY, REASONS_GIVEN = "plainly", 2
"""What is said after so many reasons to stand: take it, walk, or come nearer."""
LATE, FEW_LEFT = "late", 3
"""A kind of reason to stand that is one where so few rounds are left."""
PLAYFUL = frozenset({"mirror", "used", "easy"})
"""Kinds that are not said after grief."""


def standing(
    seen: Seen,
    plan: Plan,
    language: Register,
    seed: int,
    why: Mapping[str, Says],
    thanks: Sequence[str] = ("",),
) -> Iterator[Exchange]:
    """Return whole lines that say why one stands, of another kind each time that one does."""
    said = own_words(seen)

    def was_said(kind: str) -> bool:
        return any(is_said(one, said) for one in why[kind].of(language))

    kinds = [kind for kind in why if kind != LATE or rounds_left(seen) <= FEW_LEFT]
    kinds = [kind for kind in kinds if not (kind in PLAYFUL and grief_of(seen))]
    Random(f"{seed}:stand").shuffle(kinds)
    is_plain = PLAINLY in why and sum(map(was_said, kinds)) >= REASONS_GIVEN
    is_plain = is_plain and not was_said(PLAINLY)
    thing = next(iter(_flawed(_told(f"{seen.item.title}. {seen.item.condition}"))), "")
    for kind in sorted(kinds, key=lambda kind: ((kind == PLAINLY) is not is_plain, was_said(kind))):
        says = [one for one in why[kind].of(language) if not is_said(one, said)]
        there = [*named(says, thing, language), *(one for one in says if NOUN not in one)]
        whole = [
            f"{thank} {one}".strip()
            for thank, one in product(thanks, there)
            # Of who came down nobody says that they stand.
            if not (thank and ASK in one)
        ]
        yield from exchanges(whole, "price", seen, plan, language, seed, tails=[""])


_HARDLY = 0.7
"""So much of the age that is listed is younger, not rounded."""


@lazily
def _has() -> dict[str, re.Pattern[str]]:
    table = statements()
    numbers, spans = (
        "|".join(word for word, days in table.ages.items() if (days < 0) is is_span)
        for is_span in (False, True)
    )
    found = {
        name: line.replace("#", numbers).replace("~", spans) for name, line in table.looks.items()
    }
    return {
        **{name: re.compile(line, re.IGNORECASE) for name, line in found.items()},
        **{name: either(words, table.words) for name, words in table.signs.items()},
    }


def _told(text: str) -> list[str]:
    """Return the clauses of a text that tell, in the spelling of `same`."""
    told = [
        without_denied(one)
        for one, asks in sentences(cut(text))
        if not (asks and ("?" in text or PUT.search(one)))
    ]
    return [f" {clause.strip()} " for one in told for clause in one.split(" , ")]


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
    return tuple(dict.fromkeys((*_of_whole(words, listed, item.title), *_of_parts(words, listed))))


def _of_whole(words: str, listed: str, title: str) -> Iterator[tuple[str, str]]:
    has, lists, own = _has(), _told(listed), set(nouns_of(" ".join(_told(title))))
    is_used = any(has["used"].search(one) or has["flaw"].search(one) for one in lists)
    for part in re.split(r"[,.;!?।\n]", words):
        told = _told(part)
        parts = {thing for one in told for thing in nouns_of(one)} - own
        is_of_work = has["of_work"].search(part)
        if not (parts or is_of_work) and _is_younger(part, listed, title.lower()):
            yield "younger", ""
        if _most("figure", part) > _most("figure", listed) > 0:
            yield "figure", ""
        is_new = any(has["new"].search(one) and not has["of_another"].search(one) for one in told)
        if is_new and is_used and not parts - MARKS:
            yield "new", ""
    makes = [{make.lower() for make in has["brand"].findall(text)} for text in (words, title)]
    if all(makes) and not makes[0] & makes[1] and has["it_is"].search(words):
        yield "brand", ""


def _of_parts(words: str, listed: str) -> Iterator[tuple[str, str]]:
    has, lists = _has(), _told(listed)
    flawed, is_flawed = _flawed(lists), any(map(has["flaw"].search, lists))
    absent = {thing for one in lists if has["absent"].search(one) for thing in nouns_of(one)}
    for clause in _told(words):
        things, flawless = list(nouns_of(clause)), same(NO_FLAW) in clause
        denies = has["absent"].search(clause)
        if has["offered"].search(clause) and not denies:
            yield from (("absent", thing) for thing in things if thing in absent)
        is_praised = flawless or (has["sound"].search(clause) and not denies)
        if is_praised and not has["flaw"].search(clause):
            # "tyre" is any of them, "rear tyre" is no front tyre.
            yield from (
                ("flaw", one)
                for one, thing in product(flawed, things)
                if thing in (one, one.split()[-1]) or one == thing.split()[-1]
            )
            if flawless and not things and is_flawed:
                yield "spotless", ""


def _most(look: str, text: str) -> int:
    return max(map(int, _has()[look].findall(text)), default=0)


def _is_younger(part: str, listed: str, title: str) -> bool:
    """Whether words give a thing fewer days than its listing does; a year is mostly a story's."""
    has, ages = _has(), statements().ages
    claimed, told = (
        [-ages[span] * (ages.get(number) or float(number)) for number, span in found]
        for found in (has["age"].findall(text.lower()) for text in (part, listed))
    )
    other = has["other"].search(part)
    is_own = not other or (other["who"] or "?").lower() in title
    is_told = bool(claimed and told and is_own and has["old"].search(part))
    return is_told and min(claimed) < _HARDLY * max(told)
