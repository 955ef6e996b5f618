"""What sellers tell beside their questions, and plain words to it that name the thing told of."""

import re
from collections.abc import Iterator
from pathlib import Path

import msgspec

from agents.speech.answers import (
    AT_HER,
    INSULT,
    OTHER_LANGUAGE,
    PUT,
    READ_AT_MOST,
    Says,
    about,
    answers,
    form_of,
    is_grave,
    kind_of,
    puts_a_question,
)
from agents.speech.bank import Exchange
from agents.speech.nouns import VAGUE, noun_of
from agents.speech.sides import Seen, last_own, own_words, rivals_step, rivals_words
from agents.speech.together import Together, either, same, sentences
from agents.speech.truths import asked
from agents.text.acts.acts import Act, is_question
from agents.text.languages import Register, nearest_to_other
from agents.text.reading.pieces import to_text
from bazaarbatna.lazily import kept, lazily
from bazaarbatna.word_tables import read_table
from negotiation.plans import Plan

STATEMENTS = Path(__file__).with_name("statements.toml")
NO_FLAW = "noflaw"
FIRST_LINES = 2
"""So many lines of hers belong to the beginning of a game."""
OVER = frozenset({"presence", "leaving", "back", "about_this"})
"""Kinds that go before what else is heard in the line: first somebody is there, or goes."""
FIRM = frozenset({"adds", "defect"})
"""Kinds that go before a question that nobody has marked as one."""
THIRD, PRESENCE = "third_person", "presence"
WEAK = frozenset({"go_on", "ask_told", "laugh", "available", "floated", THIRD})
"""Kinds that tell little of what a line is about: any other goes before."""
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
CAME_DOWN = "concession"
"""What a price that came down says by itself."""


class Statement(Says, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One kind: how it is told, and her sentences, those with a noun among them.

    ``talk_only``: only where no price is played; ``first_only``: only as a game begins;
    ``asked``: also in a question that is put to her; ``gentle``: goes before, however it is told.
    """

    act: Act
    says: str
    talk_only: bool = False
    first_only: bool = False
    asked: bool = False
    gentle: bool = False


class Statements(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All kinds, and what is said to a bare price and to talk of no kind."""

    denies: str
    denied: str
    words: dict[str, str]
    kinds: dict[str, Statement]
    prices: dict[str, Says]
    listening: dict[str, Says]


@lazily
def statements() -> Statements:
    """Read the table, once for each process."""
    return read_table(STATEMENTS, Statements)


@lazily
def _book() -> Together[str]:
    table = statements()
    return Together({name: kind.says for name, kind in table.kinds.items()}, table.words)


@lazily
def _denied() -> re.Pattern[str]:
    table = statements()

    def words(group: str) -> str:
        return either("|".join(group.split()), table.words).pattern

    flaw = either("@flaw", table.words).pattern
    before = rf"{words(table.denies)} (?:\w+ ){{0,2}}{flaw}"
    return re.compile(rf"{before}|{flaw} (?:\w+ )?{words(table.denied)}")


@kept(4096)
def told_in(text: str) -> tuple[tuple[str, str], ...]:
    """Name the kinds of statement that a line makes, and the thing that each names, if any.

    Where it makes none, the kind is "".

    >>> told_in("the rear tyre is worn"), told_in("the screen has no scratch, sir")
    ((('defect', 'rear tyre'),), (('praised', 'screen'),))
    """
    found, thing = dict[str, tuple[str, bool]](), ""
    kinds = statements().kinds
    for sentence, asks in sentences(to_text(text[:READ_AT_MOST])):
        words = _denied().sub(same(NO_FLAW), f"{' ?' * asks} ^{sentence}> ")
        here = noun_of(words)
        thing = thing or here
        is_put = asks and PUT.search(sentence) is not None
        for clause in (*words.split(" , "), words):
            near = noun_of(f" {clause} ") or here
            for name, _ in _book().of([f"{' ?' * asks} {clause} "]):
                # What is only told of in a question was not told.
                if not is_put or kinds[name].asked:
                    found.setdefault(name, (near, clause == words and " , " in words))
    order = list(kinds)
    if not found:
        return (("", thing),)
    # What one clause holds goes before what is put together from several.
    names = sorted(
        found,
        key=lambda name: (
            name in WEAK or (found[name][1] and not kinds[name].gentle), order.index(name)
        ),
    )  # fmt: skip
    return tuple((name, found[name][0]) for name in names)


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
        if name == THIRD and plan.speaks_to:
            continue
        kind = statements().kinds[name]
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


def by_its_price(name: str, seen: Seen) -> str:
    """Name a rival's kind by what he offers: less than she says, as much, or not known."""
    bid = last_own(seen)
    if name not in RIVALS or bid is None:
        return name
    words = rivals_words(seen)
    said = {one.amount.paise for one in to_text(words[:READ_AT_MOST]).said}
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
    thing = told_in(rivals_words(seen))[0][1]
    thing = "" if thing in VAGUE else thing
    is_first = len(own_words(seen)) <= 1 and not thing
    for place in ("first", "later") if is_first else ("later",):
        says = statements().listening[place]
        yield from about(says, "small_talk", thing, seen, plan, language, seed)
