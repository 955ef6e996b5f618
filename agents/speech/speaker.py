"""Sauda's tongue: from a turn's plan to words of the bank, drawn from seed and round alone."""

import re
from bisect import bisect
from collections.abc import Iterable, Iterator, Sequence, Set
from functools import cache, lru_cache
from itertools import chain, pairwise
from pathlib import Path
from random import Random
from typing import TypeVar

from agents.output_guard.coherence import tidy
from agents.speech.answers import found_for, grief_of, unknown_for
from agents.speech.bank import (
    ANY_GOODS,
    ASK,
    BID,
    ITEM,
    LAST,
    OR,
    SCORE,
    Exchange,
    is_said,
    is_spoken,
    likeness,
    look,
    pool,
    shelves,
    spelt,
    warnings,
)
from agents.speech.checks import faults
from agents.speech.doubts import is_doubtful, surely
from agents.speech.kind_tables import SURE, Says, statements
from agents.speech.nouns import goods_in, thing_of
from agents.speech.plan import plan_of
from agents.speech.promises import can_promise
from agents.speech.sides import FIRST, Seen, language_of, own_words, rivals_lines, rivals_words
from agents.speech.statements import (
    beside_for,
    listening_for,
    matter_for,
    price_for,
    told_for,
)
from agents.speech.truths import WHAT_SHE_IS, answers, asked, misplaced, told, true_lines
from agents.speech.voice import Voice
from agents.text.acts.acts import ACTS, is_question
from agents.text.acts.hear import hear
from agents.text.languages import Register
from bazaarbatna.bargain.moves import Accept, Move, Offer, Walk
from bazaarbatna.bargain.observe import BuyerObservation
from bazaarbatna.bargain.quantities import Paise, to_rupees
from bazaarbatna.bargain.scenario import SALE
from bazaarbatna.lazily import lazily
from bazaarbatna.money import rupees_text
from bazaarbatna.word_tables import read_table
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
KNOWN = 0.7
"""From here on a question is one that the bank has an answer to: words in common are not enough."""
SPOKEN_TO = (4.0, 2.0)
"""How much it counts that the first and the second act are answered; a question counts twice."""
ASKED = 2 * SPOKEN_TO[0]
"""How fit an answer is whose own question was put, by its words: as if heard first."""
NO_JOKE = frozenset({"small_talk", "promise", "refusal", "reason:hardship", "price"})
"""What is answered with feeling, and with nothing else, once somebody has told of hardship."""
PLAIN_P, MAY_PROMISE, STANDS_P = 0.8, 0.65, 0.95
"""How often she answers a bare price by speaking of it, not in a turn of phrase; where a step for a
step may be offered, so many times less; and where she stands, and says why."""
IMAGE_IN = 3
"""At most one of so many lines of a game speaks in a picture; who bargains wants plain words."""
PICTURE = 3.0
"""How much less fit a picture is than plain words that say as much."""
IMAGES = Path(__file__).with_name("images.toml")
GOODBYES = Path(__file__).with_name("goodbyes.toml")
TURNS = 5
"""A line is for one round in so many: what left the memory of a position does not come again."""
THINGS: dict[Register, str] = {"english": "piece", "hinglish": "cheez", "hindi": "चीज़"}
_SENTENCE = re.compile(r"[^.?!।\n]+\??")
_WORDS = re.compile(r"[\w\u0900-\u097f]+")


def tongue_of(seen: BuyerObservation, seed: int) -> "Speaker | Voice":
    """Return what finds the words: a person is answered, a seller of the suites spoken to."""
    return Speaker(seed) if seen.suite == SALE else Voice(seed)


NOTHING: frozenset[str] = frozenset()
AGAIN, TWICE = frozenset({"repeated opening"}), frozenset({"repeated"})
"""Faults that are excused, the first before the second, where the truth would be left out else."""


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

    def goodbye(self, seen: BuyerObservation) -> str:
        """Take leave after the end, as it ended; "" where nothing fitting may be said."""
        move = Accept() if seen.outcome == "deal" else Walk()
        plan, language, said = plan_of(seen, move), language_of(seen) or FIRST, own_words(seen)
        slots, dice = slots_of(seen, None, language), Random(f"{self.seed}:goodbye")
        told, words = answers(language), rivals_words(seen)
        pools = {"self": told.self, "budget": told.budget}
        fitting = (
            [one for one in pools[truth] if not misplaced(one, words, said)]
            for truth in asked(words)
        )
        head = [dice.choice(pool) for pool in fitting]
        there = _goodbyes()[seen.outcome or "expired"].of(language)
        lines = (
            tidy(" ".join((*head, filled(one, slots)))) for one in dice.sample(there, len(there))
        )
        fits = (one for one in lines if not any(faults(one, plan, seen, move, said=said)))
        return next(fits, "")

    def of_the_bank(
        self, seen: BuyerObservation, move: Move | None
    ) -> Iterator[tuple[str, Exchange]]:
        """Return what may be said from the bank, the best fitting first, with where it is from."""
        plan, language = plan_of(seen, move), language_of(seen) or FIRST
        if not is_spoken(language):
            return
        may_promise = can_promise(seen, move)
        truths = set(asked(rivals_words(seen)))
        there = [
            one
            for one in pool(language, plan.move)
            if (may_promise or not one.promise)
            and (seen.rounds_left == 0 or not one.final)
            # What has one true answer is answered by that alone.
            and truths <= set(asked(one.said))
        ]
        sure = surely(plan, seen, move)
        by_form = not self._is_known(language, seen, there)
        plain = list(told_for(seen, sure, language, self.seed))
        share = STANDS_P if plan.move == "hold" else PLAIN_P * (MAY_PROMISE if may_promise else 1)
        beside = list[Exchange]()
        if not (plain or truths):
            plain = list(matter_for(seen, sure, language, self.seed))
            beside = list(beside_for(seen, sure, language, self.seed))
        if not (plain or beside) and self._is_plain(seen, share):
            plain = list(price_for(seen, sure, language, self.seed))
        plain += found_for(seen, sure, language, self.seed, by_form=by_form)
        by_needs = not is_doubtful(seen, move)
        if not plain and not truths:
            if not self._is_answered(sure, language, seen, there, by_needs=by_needs):
                plain = list(unknown_for(seen, sure, language, self.seed))
            plain += listening_for(seen, sure, language, self.seed)
        fitting = chain(plain, beside, self._fitting(sure, language, seen, there))
        yield from self._sayable(fitting, plan, language, seen, move)

    def _is_plain(self, seen: BuyerObservation, share: float) -> bool:
        """Whether she speaks of the price, not in a turn of phrase; always after grief."""
        dice = Random(f"{self.seed}:{len(seen.bids)}:plain")
        return dice.random() < share or _has_told_of_hardship(seen)

    def _is_answered(
        self,
        plan: Plan,
        language: Register,
        seen: BuyerObservation,
        there: list[Exchange],
        *,
        by_needs: bool,
    ) -> bool:
        """Whether the bank knows the very question, by its words; true where none was put.

        ``by_needs``: a single word that an answer needs tells it.
        """
        if not plan.speaks_to or not is_question(plan.speaks_to[0]):
            return True
        if not by_needs:
            return self._is_known(language, seen, there)
        alike = likeness(spelt(rivals_words(seen)), language)
        return any(
            _is_answer(one) or alike.get(one.said, 0.0) >= LIKE[1]
            for one in answering(there, acts_heard(plan), language, seen)
            if plan.speaks_to[0] in one.speaks_to
        )

    def _is_known(self, language: Register, seen: BuyerObservation, there: list[Exchange]) -> bool:
        """Whether the bank has an answer to a question that is put in much the same words."""
        alike = likeness(spelt(rivals_words(seen)), language)
        near = [one for one in there if alike.get(one.said, 0.0) >= KNOWN and _is_answer(one)]
        return any(answering(near, ALL, language, seen))

    def _sayable(
        self,
        exchanges: Iterable[Exchange],
        plan: Plan,
        language: Register,
        seen: BuyerObservation,
        move: Move | None,
    ) -> Iterator[tuple[str, Exchange]]:
        said, slots = own_words(seen), slots_of(seen, move, language)
        said += seen.before if plan.move == "open" else ()
        has_image = any(map(is_image, said[-IMAGE_IN + 1 :]))
        is_known = WHAT_SHE_IS not in asked(rivals_words(seen)) and any(
            told(line, WHAT_SHE_IS) for line in said
        )
        nameless = slots[ITEM] in THINGS.values()
        bends = bool(look(f"bends_{language}").search(slots[ITEM]))
        # What she cannot do excuses her once, and after grief nothing is a game.
        barred = [look("beyond")] if any(map(look("beyond").search, said)) else []
        mourns, words = bool(grief_of(seen)), rivals_words(seen)
        barred += [look("unfeeling")] if mourns else []
        is_known |= mourns and not asked(words) and "?" not in words
        for one in exchanges:
            if any(words.search(one.line) for words in barred):
                continue
            if (has_image and is_image(one.line)) or (ITEM in one.line and (bends or nameless)):
                continue
            # Once a game it is an excuse; who asks hears it each time.
            if is_known and told(one.line, WHAT_SHE_IS):
                continue
            if plan.move == "open" and is_said(one.line, seen.before):
                continue
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
        return found[0] if found else self._true_line(seen, move) or self._own_line(seen, move)

    def _true_line(self, seen: BuyerObservation, move: Move | None) -> str:
        """Answer what has one true answer, each time anew; "" where it was not asked."""
        truths = asked(rivals_words(seen))
        if not truths:
            return ""
        plan, language, said = plan_of(seen, move), language_of(seen) or FIRST, own_words(seen)
        slots = slots_of(seen, move, language)
        dice = Random(f"{self.seed}:{len(seen.turns)}:truths")
        lines = [tidy(filled(one, slots)) for one in true_lines(truths, language, plan.move, dice)]
        for excused in (NOTHING, AGAIN, AGAIN | TWICE):
            for text in lines:
                if excused.issuperset(faults(text, plan, seen, move, said=said)):
                    return text
        return ""

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
            fits += ahead + near + LAST_WORD * one.final - PICTURE * is_image(one.line)
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
        again = " ".join(filter(look("again").search, _SENTENCE.findall(text)))
        near_by = (
            one
            for one in filter(_is_answer, there)
            if put.get(one.said, 0.0) >= LIKE[1] or (again and _has_words_of(one, again, language))
        )
        asked = {one.line: one for one in answering(near_by, ALL, language, seen)}
        fitting = {one.line: one for one in answering(there, heard, language, seen)}
        yield from sorted({**fitting, **asked}.values(), key=rank)
        if "price" not in heard:
            # Nothing answers it, or all of that was said before: she asks for the price.
            yield from sorted(answering(there, {"price"}, language, seen), key=rank)


@lazily
def _goodbyes() -> dict[str, Says]:
    return read_table(GOODBYES, dict[str, Says])


def _has_told_of_hardship(seen: BuyerObservation) -> bool:
    return bool(grief_of(seen)) or any(
        one.act == "reason:hardship" and one.score >= SURE
        for text in rivals_lines(seen)
        for one in hear(text)
    )


def _is_answer(one: Exchange) -> bool:
    return bool(one.needs and one.speaks_to) and all(is_question(act) for act in one.speaks_to)


def _likeness_of_questions(text: str, language: Register) -> dict[str, float]:
    put: dict[str, float] = {}
    for question in _SENTENCE.findall(text):
        if not question.endswith("?"):
            continue
        for said, value in likeness(question, language).items():
            put[said] = max(value, put.get(said, 0.0))
    return put


@lru_cache(maxsize=8192)
def is_image(line: str) -> bool:
    """Whether a line speaks in a picture: of songs and stairs, where a price is meant.

    >>> is_image("Let me try the next stair: <bid>."), is_image("My offer is <bid>.")
    (True, False)
    """
    return not _images().isdisjoint(_WORDS.findall(spelt(line)))


@lazily
def _images() -> frozenset[str]:
    words = read_table(IMAGES, dict[str, str]).values()
    return frozenset(spelt(word) for line in words for word in line.split())


@lru_cache(maxsize=8192)
def _luck_of(seed: int, line: str) -> tuple[int, float, float]:
    # Some hundred lines are ranked at each turn of a game, mostly the same ones.
    dice = Random(f"{seed}:{line}")
    return dice.randrange(TURNS), dice.random(), dice.random()


Kind = TypeVar("Kind", bound=Exchange)
ALL: frozenset[str] = frozenset(ACTS)


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


def slots_of(seen: BuyerObservation, move: Move | None, language: Register) -> dict[str, str]:
    """Say what stands in each slot of a line here; a price that is not there has none."""
    currency = seen.item.currency

    def money(price: Paise) -> str:
        return rupees_text(to_rupees(price), currency)

    thing = goods_in(language, thing_of(seen.item.title)) or THINGS[language]
    slots = {ASK: money(seen.standing_ask), ITEM: thing}
    if isinstance(move, Offer):
        slots[BID] = money(move.price)
    if seen.own_last_bid is not None:
        slots[LAST] = money(seen.own_last_bid)
    mine, yours = _steps_of(seen.bids), _steps_of(seen.asks)
    if mine or yours:
        slots[SCORE] = statements().score.of(language)[1 + (mine > yours) - (mine < yours)]
    return slots


def _steps_of(prices: Sequence[Paise]) -> int:
    """Count how often a price was followed by another one."""
    return sum(one != other for one, other in pairwise(prices))


def filled(line: str, slots: dict[str, str]) -> str:
    """Fill the slots of a line."""
    for slot, value in slots.items():
        line = line.replace(slot, value)
    return line
