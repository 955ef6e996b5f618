"""A seller's tongue opposite a person; a view holds all it has said, so no line comes twice."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from itertools import product
from pathlib import Path
from random import Random
from typing import Literal, get_args

from agents.output_guard.coherence import is_coherent, tidy
from agents.sellers.persona import earned, is_reciprocal
from agents.sellers.replies import FACT, LOOKS, Replies, kinds, parted
from agents.speech import kind_tables
from agents.speech.answers import grief_of
from agents.speech.bank import ASK, BID, CORPUS, ITEM, LAST, SLOTS, Exchange, read_exchanges
from agents.speech.checks import is_in, opening_of, wording_faults
from agents.speech.facts import reasons as worth
from agents.speech.kinds import OTHER_LANGUAGE, is_foreign
from agents.speech.nouns import thing_of
from agents.speech.plan import plan_of
from agents.speech.promises import is_promise
from agents.speech.sides import (
    FIRST,
    language_of,
    own_step,
    own_words,
    rivals_step,
    rivals_words,
    rounds_left,
)
from agents.speech.speaker import THINGS, acts_heard, answering, fit
from agents.speech.statements import standing
from agents.speech.truths import WHAT_SHE_IS, answers, asked, misplaced, told
from agents.text.acts.acts import Act
from agents.text.languages import Register, nearest_to_other
from bazaarbatna.bargain.moves import Move, Offer
from bazaarbatna.bargain.observe import SellerObservation
from bazaarbatna.bargain.quantities import Paise, to_rupees
from bazaarbatna.lazily import lazily
from bazaarbatna.money import rupees_text
from bazaarbatna.players.guard import is_patient
from bazaarbatna.word_tables import read_table
from negotiation.catalogue.stock import sentences_on
from negotiation.plans import MoveName, Plan

STOOD = 0.005
"""A step of the buyer below this share of the opening ask is none, nor one to thank for."""

SMALL = 0.05
"""A step below this share of the bid before is called small."""

DOUBTED = "others_real"
_QUOTED = re.compile("“[^”]*”")
_ENDS = re.compile(r"[.!?।:]+\s*")
_PRICES = re.compile(r"₹?\d[\d,]*")
TELLING_WORDS = 3
"""Shorter sentences ("Achha ji.") may come again."""


def faults(
    text: str,
    plan: Plan,
    seen: SellerObservation,
    move: Move | None,
    *,
    said: Sequence[str] = (),
    language: Register | None = None,
) -> Iterator[str]:
    """Name what is wrong with a line; nothing where it may be said after what was ``said``."""
    if WHAT_SHE_IS in asked(rivals_words(seen)) and not told(text, WHAT_SHE_IS):
        yield "a truth left out"
    if misplaced(text, rivals_words(seen), own_words(seen)):
        yield "a truth misplaced"
    if not is_coherent(text, seen, move):
        yield "incoherent"
    if is_promise(text) or (rounds_left(seen) and LOOKS["of_later"].search(text)):
        yield "promise"
    if isinstance(move, Offer) and LOOKS["as_if_done"].search(text):
        yield "as if agreed"
    if "nahi karta" in text:
        yield "masculine"
    yield from _false_claims(text, seen, move)
    yield from wording_faults(text, plan, rounds_left(seen), said=said)
    if language and not is_in(_QUOTED.sub("", text), language):
        yield "language"


def _is_new(text: str, said: Sequence[str]) -> bool:
    return all(text != one and opening_of(text) != opening_of(one) for one in said)


def sentences(text: str) -> frozenset[str]:
    """Return the sentences of three words and more, whatever price they name."""
    parts = _ENDS.split(_PRICES.sub("", text.casefold()))
    return frozenset(one for one in parts if len(one.split()) >= TELLING_WORDS)


def without(text: str, facts: Iterable[str]) -> str:
    """Leave out of a line what the listing tells."""
    for fact in facts:
        text = text.replace(fact, "")
    return text


def _false_claims(text: str, seen: SellerObservation, move: Move | None) -> Iterator[str]:
    steps_down = isinstance(move, Offer) and own_step(seen, move.price) > 0
    if LOOKS["moved"].search(text) and not steps_down:
        yield "false step"
    has_moved = rivals_step(seen) >= STOOD * seen.asks[0]
    if LOOKS["you_moved"].search(text) and not has_moved:
        yield "false step of the buyer"
    if LOOKS["others"].search(text) and _was_doubted(own_words(seen)):
        yield "other buyers, who were doubted"
    has_stood = len(seen.bids) > 1 and not has_moved
    if LOOKS["you_stood"].search(text) and not has_stood:
        yield "false step of the buyer"


def _was_doubted(said: Sequence[str]) -> bool:
    kind = kinds()[DOUBTED]
    answers = (*kind.english, *kind.hinglish, *kind.hindi)
    return any(answer in line for answer in answers for line in said)


FOLDER = CORPUS / "sellers"
STAND = Path(__file__).with_name("standing.toml")
ANSWERED: frozenset[Act] = frozenset(
    {
        "greeting",
        "flattery",
        "urgency",
        "language",
        "instruction",
        "nonsense",
        "question:her",
        "question:price",
        "question:payment",
    }
)
"""Acts whose answers fit the words in which they are heard; other words are answered by kind."""
PICKUP: Act = "question:pickup"
PAYMENT: Act = "question:payment"


class SellerExchange(Exchange, frozen=True, forbid_unknown_fields=True):
    """One exchange with a buyer, whose line is ``said``.

    ``facts``: it says what the listing does not tell; ``step``: it answers a step of the buyer's
    that was too small to be answered in money, or none.
    """

    facts: Literal["", "silent"] = ""
    step: Literal["", "small", "none"] = ""


@cache
def corpus() -> tuple[SellerExchange, ...]:
    """Read all exchanges, once for each process."""
    paths = sorted(FOLDER.glob("*.jsonl"))
    return tuple(one for path in paths for one in read_exchanges(path, SellerExchange))


@cache
def pool(language: Register, move: MoveName) -> tuple[SellerExchange, ...]:
    """Return the exchanges of a language that go with a move."""
    return tuple(one for one in corpus() if one.language == language and one.move == move)


MOVES = tuple(move for move in get_args(MoveName) if move != "open")

__all__ = ["FACT", "ITEM", "LAST", "MOVES", "SLOTS", "SellerExchange", "corpus", "pool"]


TRIED = 8
"""Answers, and lines of the own manner, that are put together before the search goes on alone."""
REASONS_P, SHORT_LINE = 0.6, 9
"""How often a price is given with a reason of the thing's, and beside how short a line."""

Manner = Callable[[SellerObservation, Move, Register], Iterable[str]]


def listens(seen: SellerObservation) -> bool:
    """Whether a person buys here; older games keep the words they had."""
    return is_patient(seen)


class SellerSpeaker:
    """The words of one seller in one game."""

    def __init__(self, seed: int, manner: Manner) -> None:
        self.seed = seed
        self._manner = manner

    def line(self, seen: SellerObservation, move: Move) -> str:
        """Find the words for a guarded move; none at all where nothing may be said."""
        plan, language = plan_of(seen, move), language_of(seen) or FIRST
        answers = self._answers(plan, language, seen)[:TRIED]
        # A price has one clause with it: an answer, or what speaks for the thing.
        own = self._own(plan, language, seen, move, is_alone=not answers)
        together = (f"{answer} {line}" for answer, line in product(answers, own[:TRIED]))
        return self._first((*together, *own, *answers), plan, seen, move)

    def reply(self, seen: SellerObservation) -> str:
        """Answer words that named no price; "" where nothing new may be said."""
        plan, language = plan_of(seen, None), language_of(seen) or FIRST
        answers = self._answers(plan, language, seen)
        return self._first((*answers, *self._nudges(plan, language, seen)), plan, seen, None)

    def may_say(self, text: str, seen: SellerObservation, move: Move | None) -> bool:
        """Whether somebody else's words may be said in this seller's name."""
        plan, said = plan_of(seen, move), own_words(seen)
        wrong = faults(text, plan, seen, move, said=said, language=language_of(seen))
        return not any(wrong) and _is_new(text, said)

    def _first(
        self, texts: Iterable[str], plan: Plan, seen: SellerObservation, move: Move | None
    ) -> str:
        said, truth = own_words(seen), ""
        is_asked = WHAT_SHE_IS in asked(rivals_words(seen))
        spoken = frozenset[str]().union(*map(sentences, said))
        fallback, facts = "", sentences_on(seen.item.condition)
        for text in map(tidy, texts):
            if is_asked and not truth and not any(faults(text, plan, seen, move)):
                truth = text
            # What the listing tells may be told again to who asks again.
            is_fresh = spoken.isdisjoint(sentences(without(text, facts)))
            if (fallback and not is_fresh) or not _is_new(text, said):
                continue
            if any(faults(text, plan, seen, move, said=said)):
                continue
            if is_fresh:
                return text
            fallback = text
        # Better the same true words than none.
        return fallback or truth

    def _answers(self, plan: Plan, language: Register, seen: SellerObservation) -> list[str]:
        if WHAT_SHE_IS in asked(rivals_words(seen)):
            truths = sorted(answers(language).self, key=self._luck)
            beside = Replies(seen, rivals_words(seen), language, plan.move, self._luck).beside()
            return [*(f"{truth} {one}" for one, truth in product(beside[:TRIED], truths)), *truths]
        words = rivals_words(seen)
        if is_foreign(words):
            says = kind_tables.answers().kinds[OTHER_LANGUAGE]
            return sorted(says.of(nearest_to_other(words) or language), key=self._luck)
        slots = _slots(seen, None, language)
        replies = Replies(seen, words, language, plan.move, self._luck)
        plain = replies.to_the_line()
        if plain:
            return [_filled(line, slots) for line in plain]
        heard = acts_heard(plan) & _surely_heard(words, plan.move)
        there = [
            one
            for one in answering(pool(language, "talk"), heard, language, seen)
            if one.speaks_to
            and fit(one, plan)
            # How a bid would be paid is no question.
            and (plan.move == "talk" or "?" in words or PAYMENT not in one.speaks_to)
        ]
        ranked = sorted(there, key=lambda one: (*_rank(one, plan), self._luck(one.line)))
        return [_filled(line, slots) for line in (*(one.line for one in ranked), *replies.echo())]

    def _nudges(self, plan: Plan, language: Register, seen: SellerObservation) -> list[str]:
        slots = _slots(seen, None, language)
        lines = [
            one.line
            for one in answering(pool(language, "talk"), acts_heard(plan), language, seen)
            if not one.speaks_to
        ]
        return [_filled(line, slots) for line in sorted(lines, key=self._luck)]

    def _own(
        self,
        plan: Plan,
        language: Register,
        seen: SellerObservation,
        move: Move,
        *,
        is_alone: bool,
    ) -> list[str]:
        slots = _slots(seen, move, language)
        there = [
            one
            for one in answering(pool(language, plan.move), acts_heard(plan), language, seen)
            if one.step in ("", _small_step(seen))
        ]
        there.sort(key=lambda one: (not one.step, self._luck(_filled(one.line, slots))))
        bank = [_filled(one.line, slots) for one in there]
        table = reasons_for(seen)
        why = standing(seen, plan, language, self.seed, table) if plan.move == "hold" else ()
        whole = [_filled(one.line, slots) for one in why]
        own = list(self._manner(seen, move, language))
        if is_alone:
            whole = [*self._reasoned(whole, seen, move, language), *whole]
            own = [*self._reasoned(own, seen, move, language), *own]
        if any(slots[LAST] in line for line in own):
            # Who has one price and no other has reasons of her own, with that price in them.
            return [*own, *whole, *bank]
        # Every second time a step is spoken of as what it is.
        is_of_step = any(one.step for one in there) and not len(seen.bids) % 2
        return [*bank, *own, *whole] if is_of_step else [*whole, *own, *bank]

    def _reasoned(
        self, own: Sequence[str], seen: SellerObservation, move: Move, language: Register
    ) -> Iterator[str]:
        """Put what speaks for the thing before a short line with a price, in every other turn."""
        is_turn = self._luck(f"reasons:{len(seen.turns)}") < REASONS_P
        # To who told of a grief nothing is said in jest.
        if not isinstance(move, Offer) or not is_turn or grief_of(seen):
            return
        said = " ".join(own_words(seen))
        new = (one for one in worth(seen.item, "seller", language) if one not in said)
        for reason in sorted(new, key=self._luck):
            yield from (f"{reason} {one}" for one in own if len(one.split()) <= SHORT_LINE)

    def _luck(self, line: str) -> float:
        return Random(f"{self.seed}:{line}").random()


@lazily
def reasons() -> dict[str, kind_tables.Says]:
    """Read why she stays at a price, a kind for each round in which she does."""
    return read_table(STAND, dict[str, kind_tables.Says])


def reasons_for(seen: SellerObservation) -> dict[str, kind_tables.Says]:
    """Return why she stays, as it is true: of whose steps were real no larger one is asked."""
    before = seen.bids[-2] if len(seen.bids) > 1 else 0
    is_real = not before or rivals_step(seen) >= SMALL * before
    return {name: says for name, says in reasons().items() if not (is_real and name == "steps")}


def _surely_heard(words: str, move: MoveName) -> frozenset[Act]:
    """Return the acts of which words have a sure sign beside their sound."""
    fetches = any(LOOKS["fetches"].search(one) for one in parted(words)[0])
    is_last = move == "accept" and LOOKS["is_last"].search(words) is not None
    more: tuple[tuple[bool, Act], ...] = ((fetches, PICKUP), (is_last, "ultimatum"))
    return ANSWERED.union(act for is_heard, act in more if is_heard)


def _rank(one: SellerExchange, plan: Plan) -> tuple[float, int]:
    return -fit(one, plan) - bool(one.needs), -bool(one.facts)


def _small_step(seen: SellerObservation) -> str:
    """Name what was wrong with the buyer's step; "" where nothing was, or steps have no size."""
    if not is_reciprocal(seen) or len(seen.bids) < 2:
        return ""
    step = rivals_step(seen)
    if step <= 0:
        return "none"
    # A step from a low bid may earn nothing and be no small one.
    return "small" if not earned(seen) and step < SMALL * seen.bids[-2] else ""


def _slots(seen: SellerObservation, move: Move | None, language: Register) -> dict[str, str]:
    currency = seen.item.currency

    def money(price: Paise) -> str:
        return rupees_text(to_rupees(price), currency)

    slots = {LAST: money(seen.standing_ask), ITEM: thing_of(seen.item.title) or THINGS[language]}
    if isinstance(move, Offer):
        slots[ASK] = money(move.price)
    if seen.standing_bid is not None:
        slots[BID] = money(seen.standing_bid)
    return slots


def _filled(line: str, slots: dict[str, str]) -> str:
    for slot, value in slots.items():
        line = line.replace(slot, value)
    return line
