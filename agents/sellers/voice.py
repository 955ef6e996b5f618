"""The sellers' voice: finds the words of a guarded move, and answers talk that named no price.

A line is chosen by a permutation of its pool, seeded by the game and indexed by the move.
"""

from collections.abc import Iterator, Sequence
from itertools import product
from pathlib import Path
from random import Random

import msgspec

from agents.output_guard.coherence import first_coherent, is_mere_talk
from agents.output_guard.secrets import is_secret
from agents.sellers.persona import Language, Persona, is_reciprocal
from agents.speech.listing import TOPICS, details, last_words, name_of, topic_of
from agents.text.languages import MIX, Register, last_telling
from bazaarbatna.bargain.episode import Turn
from bazaarbatna.bargain.moves import Accept, Move, Offer
from bazaarbatna.bargain.observe import SellerObservation
from bazaarbatna.bargain.quantities import to_rupees
from bazaarbatna.money import rupees_text
from bazaarbatna.players.guard import is_lowball
from bazaarbatna.word_tables import read_table


class Speech(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What all sellers say alike in one language.

    A counter is an opener (``remarks``, ``praises``, ``answers``) and a line with the price: a
    persona's own, or one of ``holds``. The other lines stand alone; a reply is an answer and one of
    ``questions``. Slots: price, item, detail (words of the listing).
    """

    item: str
    remarks: tuple[str, ...]
    praises: tuple[str, ...]
    holds: tuple[str, ...]
    lowball: tuple[str, ...]
    accept: tuple[str, ...]
    accept_unpriced: tuple[str, ...]
    walk: tuple[str, ...]
    unpriced: tuple[str, ...]
    answers: dict[str, tuple[str, ...]]
    questions: tuple[str, ...]


LINES = Path(__file__).with_name("lines")
LANGUAGES: tuple[Language, ...] = ("english", "hinglish")
SPEECHES = {name: read_table(LINES / f"{name}.toml", Speech) for name in LANGUAGES}

QUOTES_P = 0.6

ANSWERS_P = 0.7

REPLIES_PER_ROUND = 3

PARAMETERS = {
    "speeches": {name: msgspec.to_builtins(speech) for name, speech in SPEECHES.items()},
    "topics": TOPICS,
    "choice": (QUOTES_P, ANSWERS_P, REPLIES_PER_ROUND),
}


class SellerVoice:
    """The words of one seller in one game."""

    def __init__(self, seed: int, persona: Persona) -> None:
        self.seed = seed
        self.persona = persona

    def line(self, observation: SellerObservation, move: Move) -> str:
        """Find the words for a guarded move: coherent, or none at all."""
        return first_coherent(self._wordings(observation, move), observation, move)

    def reply(self, observation: SellerObservation) -> str:
        """Answer the buyer's last words in one line without a price; "" if nothing may be said."""
        language = self.language(observation.turns)
        speech = SPEECHES[language]
        own = [t for t in observation.turns if t.actor == "seller"]
        said = sum(t.kind == "message" and t.round == observation.round for t in own)
        number = REPLIES_PER_ROUND * (observation.round - 1) + said
        topic = topic_of(last_words(observation.turns))
        answers = self._ordered(topic, speech.answers[topic], number)
        questions = self._ordered("questions", speech.questions, number)
        aside = self._ordered("asides of replies", self.persona.asides[language], number)[0]
        spoken = {turn.text for turn in own}
        names = (name_of(observation.item, speech.item), speech.item)
        for name, question, answer in product(names, questions, answers):
            text = f"{answer.format(item=name)} {aside} {question}"
            if text not in spoken and is_mere_talk(text, observation):
                return text
        return ""

    def manner(
        self, observation: SellerObservation, move: Move, language: Register
    ) -> Iterator[str]:
        """Return this seller's own lines for a counter; what else is said is everybody's."""
        if not isinstance(move, Offer):
            return
        money = rupees_text(to_rupees(move.price), observation.item.currency)
        number = len(observation.asks) - 1
        holds = self.persona.holds.get(language)
        if holds and is_reciprocal(observation) and move.price == observation.standing_ask:
            yield from self._formatted("holds of her own", holds, number, {"price": money})
        spoken = next((known for known in SPEECHES if known == language), None)
        if spoken is None:
            return
        if is_secret(move.price, observation.reservation):
            yield from (line for line in SPEECHES[spoken].unpriced if "{" not in line)
        elif move.price < observation.standing_ask:
            yield from self._formatted(
                "own", self.persona.counters[spoken], number, {"price": money}
            )

    def language(self, turns: Sequence[Turn]) -> Language:
        """Follow the buyer's latest telling words, else the own last line, else the seed."""
        found, _ = last_telling(turns, "buyer", "seller")
        if found is not None:
            return "english" if found == "english" else "hinglish"
        return (
            "english" if Random(f"{self.seed}:register").random() < MIX["english"] else "hinglish"
        )

    def _wordings(self, observation: SellerObservation, move: Move) -> Iterator[str]:
        language = self.language(observation.turns)
        speech, number = SPEECHES[language], len(observation.asks) - 1
        price = move.price if isinstance(move, Offer) else observation.standing_bid or 0
        sayable = not is_secret(price, observation.reservation)
        money = rupees_text(to_rupees(price), observation.item.currency)
        for name in dict.fromkeys((name_of(observation.item, speech.item), speech.item)):
            slots = {"item": name, "price": money}
            silent = speech.walk
            if isinstance(move, Offer):
                silent = speech.unpriced
                if sayable:
                    yield from self._counters(observation, move, language, slots)
            elif isinstance(move, Accept):
                silent = speech.accept_unpriced
                if sayable:
                    yield from self._formatted("accept", speech.accept, number, slots)
            yield from self._formatted("silent", silent, number, slots)

    def _counters(
        self, observation: SellerObservation, move: Offer, language: Language, slots: dict[str, str]
    ) -> Iterator[str]:
        speech, number = SPEECHES[language], len(observation.asks) - 1
        aside = self._ordered("asides", self.persona.asides[language], number)[0]
        if is_lowball(observation):
            for line in self._formatted("lowball", speech.lowball, number, slots):
                yield f"{line} {aside}"
        opener = self._opener(observation, speech, number, slots)
        if move.price == observation.standing_ask:
            for line in self._formatted("holds", speech.holds, number, slots):
                yield f"{opener} {line} {aside}"
        for line in self._formatted("own", self.persona.counters[language], number, slots):
            yield f"{opener} {line}"

    def _opener(
        self, observation: SellerObservation, speech: Speech, number: int, slots: dict[str, str]
    ) -> str:
        dice = Random(f"{self.seed}:{number}:opener")
        topic = topic_of(last_words(observation.turns))
        if topic not in ("talk", "greeting") and dice.random() < ANSWERS_P:
            return self._ordered(topic, speech.answers[topic], number)[0].format(**slots)
        quotes = details(observation.item)
        if quotes and dice.random() < QUOTES_P:
            quote = self._ordered("quotes", quotes, number)[0]
            return self._ordered("remarks", speech.remarks, number)[0].format(detail=quote)
        return self._ordered("praises", speech.praises, number)[0].format(**slots)

    def _formatted(
        self, name: str, pool: Sequence[str], number: int, slots: dict[str, str]
    ) -> Iterator[str]:
        return (line.format(**slots) for line in self._ordered(name, pool, number))

    def _ordered(self, name: str, pool: Sequence[str], number: int) -> list[str]:
        order = list(pool)
        Random(f"{self.seed}:{self.persona.name}:{name}").shuffle(order)
        place = number % len(order)
        return order[place:] + order[:place]
