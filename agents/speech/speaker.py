"""Sauda's tongue: from a turn's plan to words of the bank, drawn from seed and round alone."""

import re
from bisect import bisect
from collections.abc import Iterable, Iterator, Sequence, Set
from functools import cache, lru_cache
from pathlib import Path
from random import Random
from typing import TypeVar

from agents.output_guard.coherence import tidy
from agents.speech.bank import (
    ANY_GOODS,
    ASK,
    BID,
    ITEM,
    LAST,
    OR,
    Exchange,
    is_spoken,
    likeness,
    pool,
    shelves,
    spelt,
    warnings,
)
from agents.speech.checks import faults
from agents.speech.plan import plan_of
from agents.speech.promises import can_promise
from agents.speech.sides import FIRST, Seen, language_of, own_words, rivals_lines, rivals_words
from agents.speech.voice import Voice
from agents.text.acts.acts import ACTS, is_question
from agents.text.acts.hear import hear
from agents.text.languages import Register
from agents.text.word_tables import read_table
from negotiation.engine.moves import Move, Offer
from negotiation.engine.observe import BuyerObservation
from negotiation.engine.quantities import Paise, to_rupees
from negotiation.engine.scenario import SALE
from negotiation.money import rupees_text
from negotiation.plans import Plan

OTHER_WORDS = 12
LAST_WORD = 9.0
"""How much fitter a last word is in the last round than another line: only what answers the very
question, or one very like it, goes before it."""
SPECIAL_P, SPECIAL_ANSWER = 0.6, 2
"""How often a line about the very words that were said goes before a general one, and how many
places an answer to the very question goes forward, always: a person waits for it."""
LIKE = (0.25, 0.5)
"""How like its own the seller's words have to be for an answer to come a place further forward,
and another one: the lines of a place take turns, so the nearest is not always said."""
SPOKEN_TO = (4.0, 2.0)
"""How much it counts that the first and the second act are answered; a question counts twice."""
ASKED = 2 * SPOKEN_TO[0]
"""How fit an answer is whose own question was put, by its words: as if heard first."""
NO_JOKE = frozenset({"small_talk", "promise", "refusal", "reason:hardship", "price"})
"""What is answered with feeling, and with nothing else, once somebody has told of hardship."""
TURNS = 5
"""A line is for one round in so many: what left the memory of a position does not come again."""
THINGS: dict[Register, str] = {"english": "piece", "hinglish": "cheez", "hindi": "चीज़"}
HINDI_THINGS = Path(__file__).with_name("hindi_things.toml")
_COLOURS = (
    "black white red blue green grey gray silver gold golden brown pink purple yellow orange cream"
    " beige maroon"
)
_COLOUR = re.compile(
    rf" (?:(?:matte|dark|light|jet|off) )?(?:{'|'.join(_COLOURS.split())})\s*$", re.IGNORECASE
)
_MEASURE = re.compile(r"\s\d[\d.,]*\s?(?:W|V|GB|TB|L|l|litres?|kg|g|ml|inch|cm|mm|cc|ton|Ah)$")
_QUESTION = re.compile(r"[^.?!।\n]+\?")
_AGAIN = re.compile(
    r"[^.?!।\n]*(?:\byou (?:(?:did ?n[o']?t|never) (?:say|tell)|skipped|dodged|ignored)\b|\bgol kar"
    r"|\b(?:bataya (?:hi )?nahi|nahi bataya)\b|बताया (?:ही )?नहीं|नहीं बताया)[^.?!।\n]*",
    re.IGNORECASE,
)
"""What somebody asks again: a question, whether it has its mark or not."""
_TAIL = re.compile(r"\s*[,(|:;\u2013\u2014].*|\s-\s.*|\s(?:with|for|in|by|of|from|and|on)\s.*")


def tongue_of(seen: BuyerObservation, seed: int) -> "Speaker | Voice":
    """Return what finds the words: a person is answered, a seller of the suites spoken to."""
    return Speaker(seed) if seen.suite == SALE else Voice(seed)


class Speaker:
    """The words of one game."""

    def __init__(self, seed: int) -> None:
        self.seed = seed

    def line(self, seen: BuyerObservation, move: Move) -> str:
        """Find the words for a guarded move; none at all where nothing may be said."""
        return self._say(seen, move)

    def warning(self, seen: BuyerObservation, move: Move) -> str:
        """Find the words for a bid after which she leaves, unless it brings the seller down."""
        plan, language = plan_of(seen, move), language_of(seen) or FIRST
        there = self._fitting(plan, language, seen, warnings(language, plan.move))
        return next(self._sayable(there, plan, language, seen, move), (self.line(seen, move),))[0]

    def reply(self, seen: BuyerObservation) -> str:
        """Answer words that named no price."""
        return self._say(seen, None)

    def of_the_bank(
        self, seen: BuyerObservation, move: Move | None
    ) -> Iterator[tuple[str, Exchange]]:
        """Return what may be said from the bank, the best fitting first, with where it is from."""
        plan, language = plan_of(seen, move), language_of(seen) or FIRST
        if not is_spoken(language):
            return
        may_promise = can_promise(seen, move)
        there = [
            one
            for one in pool(language, plan.move)
            if (may_promise or not one.promise) and (seen.rounds_left == 0 or not one.final)
        ]
        fitting = self._fitting(plan, language, seen, there)
        yield from self._sayable(fitting, plan, language, seen, move)

    def _sayable(
        self,
        exchanges: Iterable[Exchange],
        plan: Plan,
        language: Register,
        seen: BuyerObservation,
        move: Move | None,
    ) -> Iterator[tuple[str, Exchange]]:
        said, slots = own_words(seen), slots_of(seen, move, language)
        for one in exchanges:
            text = tidy(filled(one.line, slots))
            if not any(faults(text, plan, seen, move, said=said)):
                yield text, one

    def _own_line(self, seen: BuyerObservation, move: Move | None) -> str:
        plan, language, said = plan_of(seen, move), language_of(seen), own_words(seen)
        for number in range(OTHER_WORDS):
            voice = Voice(self.seed, language, number)
            text = voice.reply(seen) if move is None else voice.line(seen, move)
            if text and not any(faults(text, plan, seen, move, said=said, language=language)):
                return text
        return ""

    def _say(self, seen: BuyerObservation, move: Move | None) -> str:
        found = next(self.of_the_bank(seen, move), None)
        return found[0] if found else self._own_line(seen, move)

    def _fitting(
        self, plan: Plan, language: Register, seen: BuyerObservation, there: Sequence[Exchange]
    ) -> Iterator[Exchange]:
        number = len(seen.bids) + sum(turn.kind == "message" for turn in seen.turns)

        def rank(one: Exchange) -> tuple[bool, float, int, float]:
            turn, luck, special = _luck_of(self.seed, one.line)
            # What answers the very words comes first in most games, not in all of them.
            ahead = int(bool(one.needs) and special < SPECIAL_P)
            if one.needs and any(map(is_question, one.speaks_to)):
                ahead = SPECIAL_ANSWER
            near = bisect(LIKE, max(alike.get(one.said, 0.0), put.get(one.said, 0.0)))
            is_late = one.asks and len(seen.asks) > 1
            fits = max(fit(one, plan), ASKED * (one.line in asked))
            if is_grave and "reason:hardship" in one.speaks_to:
                fits = ASKED
            fits += ahead + near + LAST_WORD * one.final
            return (is_late, -fits, (turn - number) % TURNS, luck)

        heard, text = acts_heard(plan), spelt(rivals_words(seen))
        is_grave = (
            seen.rounds_left > 0
            and bool(heard - {"price"})
            and heard <= NO_JOKE
            and _has_told_of_hardship(seen)
        )
        if is_grave:
            heard = {*heard, "reason:hardship"}
        alike = likeness(text, language)
        put = _likeness_of_questions(text, language)
        if not put and any(map(is_question, plan.speaks_to)):
            put = alike
        # Of what kind a question is may be misheard: its own words say what it is about.
        again = " ".join(_AGAIN.findall(text))
        near_by = (
            one
            for one in filter(_is_answer, there)
            if put.get(one.said, 0.0) >= LIKE[1] or (again and _has_words_of(one, again, language))
        )
        asked = {one.line: one for one in answering(near_by, set(ACTS), language, seen)}
        fitting = {one.line: one for one in answering(there, heard, language, seen)}
        yield from sorted({**fitting, **asked}.values(), key=rank)
        if "price" not in heard:
            # Nothing answers it, or all of that was said before: she asks for the price.
            yield from sorted(answering(there, {"price"}, language, seen), key=rank)


def _has_told_of_hardship(seen: BuyerObservation) -> bool:
    told = (one.act for text in rivals_lines(seen) for one in hear(text))
    return "reason:hardship" in told


def _is_answer(one: Exchange) -> bool:
    return bool(one.needs and one.speaks_to) and all(is_question(act) for act in one.speaks_to)


def _likeness_of_questions(text: str, language: Register) -> dict[str, float]:
    put: dict[str, float] = {}
    for question in _QUESTION.findall(text):
        for said, value in likeness(question, language).items():
            put[said] = max(value, put.get(said, 0.0))
    return put


@lru_cache(maxsize=8192)
def _luck_of(seed: int, line: str) -> tuple[int, float, float]:
    # Some hundred lines are ranked at each turn of a game, mostly the same ones.
    dice = Random(f"{seed}:{line}")
    return dice.randrange(TURNS), dice.random(), dice.random()


Kind = TypeVar("Kind", bound=Exchange)


def acts_heard(plan: Plan) -> set[str]:
    """Return what may be spoken to: beside a move, also the price that stands on the table."""
    acts = {found.act for found in plan.heard}
    return acts if plan.move == "talk" else {*acts, "price"}


def answering(
    exchanges: Iterable[Kind], heard: Set[str], language: Register, seen: Seen
) -> Iterator[Kind]:
    """Return the exchanges that speak of nothing but what was heard, and of such goods."""
    shelf = shelves().get(seen.item.category, ANY_GOODS)
    text = spelt(rivals_words(seen))
    for one in exchanges:
        is_of_here = one.goods in (ANY_GOODS, shelf) and heard >= set(one.speaks_to)
        if is_of_here and _has_words_of(one, text, language):
            yield one


def _has_words_of(one: Exchange, text: str, language: Register) -> bool:
    return all(_either(words, language).search(text) for words in one.needs)


@cache
def _either(words: str, language: Register) -> re.Pattern[str]:
    end = r"(?!\w)" if language == "english" else ""
    either = "|".join(re.escape(spelt(word)) for word in words.split(OR))
    return re.compile(rf"(?<!\w)(?:{either}){end}")


def fit(one: Exchange, plan: Plan) -> float:
    """Return how well an exchange answers: a question counts most, then what is spoken to first."""
    return sum(
        2 * weight if is_question(act) else weight
        for act, weight in zip(plan.speaks_to, SPOKEN_TO, strict=False)
        if act in one.speaks_to
    )


def thing_of(title: str) -> str:
    """Name a thing as people do in talk, from its listing's title; "" if that cannot be done.

    >>> thing_of("Brass hanging lamp with chain"), thing_of("Canon EOS 1500D with lens")
    ('lamp', 'Canon EOS 1500D')
    >>> thing_of("Maruti Alto 800 LXI"), thing_of("iPhone 11 64GB black")
    ('Maruti Alto 800 LXI', 'iPhone 11')
    """
    short = _TAIL.sub("", re.sub(r"^(?:Pair|Set|Box) of (?:\w+ )?(?=[A-Za-z])", "", tidy(title)))
    words = _MEASURE.sub("", _COLOUR.sub("", short)).split()
    if not words:
        return ""
    last = words[-1].strip("'\"")
    # A name of its own ("Alto LXI") is no kind of thing.
    is_kind = last.isalpha() and len(last) > 2 and last.islower()
    short = last if is_kind else " ".join(words)
    return short if len(short) <= 24 else ""


def slots_of(seen: BuyerObservation, move: Move | None, language: Register) -> dict[str, str]:
    """Say what stands in each slot of a line here; a price that is not there has none."""
    currency = seen.item.currency

    def money(price: Paise) -> str:
        return rupees_text(to_rupees(price), currency)

    thing = thing_of(seen.item.title) or THINGS[language]
    if language == "hindi":
        thing = _hindi_things().get(thing, thing)
    slots = {ASK: money(seen.standing_ask), ITEM: thing}
    if isinstance(move, Offer):
        slots[BID] = money(move.price)
    if seen.own_last_bid is not None:
        slots[LAST] = money(seen.own_last_bid)
    return slots


@cache
def _hindi_things() -> dict[str, str]:
    return read_table(HINDI_THINGS, dict[str, str])


def filled(line: str, slots: dict[str, str]) -> str:
    """Fill the slots of a line."""
    for slot, value in slots.items():
        line = line.replace(slot, value)
    return line
