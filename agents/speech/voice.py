"""Sauda's voice: finds the words of a guarded move, and answers talk that named no price.

A line is chosen by a permutation of its pool, seeded by the game and indexed by the move.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

import msgspec

from agents.output_guard.coherence import MAX_ITEM, first_coherent, sayable
from agents.output_guard.secrets import names_secret
from agents.text.languages import ENGLISH, HINDI, LOANED, MIX, Register, choose_register
from agents.text.topics import TOPICS, last_words, topic_of
from bazaarbatna.bargain.episode import Turn
from bazaarbatna.bargain.moves import Accept, Move, Offer, Walk
from bazaarbatna.bargain.observe import BuyerObservation
from bazaarbatna.bargain.quantities import Paise, to_rupees
from bazaarbatna.bargain.tells import Tells
from bazaarbatna.money import rupees_text
from bazaarbatna.word_tables import read_table

HARD_PRESSED = 0.45

BLUFFING = 0.40

STALLED = 0.006
"""A seller who came down by less than this share of the ask has not moved."""

NEARLY = 0.06
"""A gap below this share of the ask is worth closing."""

COMPARES_P = 0.30


def _strategy_of(observation: BuyerObservation, move: Move, dice: Random) -> str:
    if isinstance(move, Accept):
        return "accepting"
    if isinstance(move, Walk):
        return "walking"
    if not observation.bids:
        return "opening"
    if observation.rounds_left < 2 or _nearly_there(observation, move.price):
        return "closing"
    if move.price == observation.own_last_bid:
        return "holding"
    return _concession(observation, dice)


def _concession(observation: BuyerObservation, dice: Random) -> str:
    tells = observation.tells or Tells()
    if (tells.verbal_urgency or 0.0) >= HARD_PRESSED:
        return "empathy"
    if (tells.verbal_deception_cue or 0.0) >= BLUFFING:
        return "comparison"
    if observation.last_concession < STALLED * observation.standing_ask:
        return "pressure" if dice.random() > COMPARES_P else "comparison"
    return "concession" if dice.random() > COMPARES_P else "comparison"


def _nearly_there(observation: BuyerObservation, price: Paise) -> bool:
    return observation.standing_ask - price < NEARLY * observation.standing_ask


class Tongue(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All templates of one register, with slots price, ask and item.

    ``lines`` stand alone, ``replies`` answer a topic without a price and are followed by one of
    ``answers`` or ``questions``; ``leads`` come before lines used a second time.
    """

    item: str
    leads: tuple[str, ...]
    lines: dict[str, tuple[str, ...]]
    replies: dict[str, tuple[str, ...]]
    answers: tuple[str, ...]
    questions: tuple[str, ...]


LINES = Path(__file__).with_name("lines")

TONGUES = {
    name: read_table(LINES / f"{name}.toml", Tongue) for name in ("english", "hinglish", "hindi")
}

ANSWERS_P = 0.7

SPEAKS_TO = frozenset(
    {"rivals", "hurry", "firm", "hardship", "praise", "rude", "rules", "budget", "bot"}
)

REPLIES_PER_ROUND = 3

DIFFERENT_REPLIES = 30

PARAMETERS = {
    "lines": {name: msgspec.to_builtins(tongue) for name, tongue in TONGUES.items()},
    "topics": TOPICS,
    "register": (MIX, sorted(HINDI), sorted(ENGLISH), sorted(LOANED)),
    "choice": (ANSWERS_P, sorted(SPEAKS_TO), MAX_ITEM, HARD_PRESSED, BLUFFING, STALLED, NEARLY),
}


class Voice:
    """The words of one game.

    Args:
        seed: draws the order of its lines.
        language: what it speaks; else the seller's latest words decide.
        attempt: how many others have found nothing that may be said: another order, other lead-ins.
    """

    def __init__(self, seed: int, language: Register | None = None, attempt: int = 0) -> None:
        self.seed = seed + attempt
        self._language = language
        self._attempt = attempt

    def line(self, observation: BuyerObservation, move: Move) -> str:
        """Find the words for a guarded move: coherent, or none at all."""
        return first_coherent(self._wordings(observation, move), observation, move)

    def reply(self, observation: BuyerObservation) -> str:
        """Answer the seller's last words in one line without a price."""
        tongue = self._tongue(observation)
        topic = topic_of(last_words(observation.turns))
        own = [t for t in observation.turns if t.actor == "buyer"]
        said = sum(t.kind == "message" and t.round == observation.round for t in own)
        number = REPLIES_PER_ROUND * (observation.round - 1) + said
        spoken = {turn.text for turn in own}
        for ahead in range(DIFFERENT_REPLIES):
            text = self._reply(tongue, topic, number + ahead)
            if text not in spoken and not names_secret(text, observation.budget):
                return text
        return ""

    def _tongue(self, observation: BuyerObservation) -> Tongue:
        return TONGUES[self._language or choose_register(observation.turns, self.seed)]

    def _reply(self, tongue: Tongue, topic: str, number: int) -> str:
        cycle, place = divmod(number, DIFFERENT_REPLIES)
        turn, within = divmod(place, REPLIES_PER_ROUND)
        answers, questions = tongue.replies[topic], tongue.questions
        first = answers[self._order(topic, len(answers))[(turn + 2 * within) % len(answers)]]
        second = questions[self._order("questions", len(questions))[place % len(questions)]]
        return self._led(f"{first} {second}", tongue.leads, cycle)

    def _wordings(self, observation: BuyerObservation, move: Move) -> Iterator[str]:
        number = len(observation.bids)
        dice = Random(f"{self.seed}:{number}:words")
        tongue = self._tongue(observation)
        strategy = _strategy_of(observation, move, dice)
        slots = _slots(observation, move)
        titles = [title for title in (sayable(observation.item.title), tongue.item) if title]
        topic = topic_of(last_words(observation.turns))
        if isinstance(move, Offer) and number and topic in SPEAKS_TO and dice.random() < ANSWERS_P:
            answer = self._answer(tongue.replies[topic], topic, observation.turns, number)
            yield f"{answer} {self._pick(tongue.answers, 'answers', tongue.leads, number)}".format(
                **slots, item=""
            )
        # The last words of a game come once: no lead-in, however late they are.
        place = number if isinstance(move, Offer) else 0
        template = self._pick(tongue.lines[strategy], strategy, tongue.leads, place)
        for title in titles:
            yield template.format(**slots, item=title)
        if isinstance(move, Offer):
            yield self._pick(tongue.answers, "answers", tongue.leads, number).format(**slots)
        silent = "accepting_unpriced" if isinstance(move, Accept) else "unpriced"
        yield self._pick(tongue.lines[silent], silent, tongue.leads, place)

    def _pick(self, pool: Sequence[str], name: str, leads: Sequence[str], number: int) -> str:
        cycle, place = divmod(number, len(pool))
        line = pool[self._order(name, len(pool))[place]]
        return self._led(line, leads, cycle)

    def _led(self, line: str, leads: Sequence[str], cycle: int) -> str:
        """Lead a line in that has come before."""
        if not cycle:
            return line
        lead = leads[(cycle - 1 + self._attempt) % len(leads)]
        if lead.endswith(",") and not line.startswith("I "):
            line = line[:1].lower() + line[1:]
        return f"{lead} {line}"

    def _answer(self, pool: Sequence[str], topic: str, turns: Sequence[Turn], number: int) -> str:
        order = self._order(topic, len(pool))
        heard = " ".join(turn.text for turn in turns)
        ranked = [pool[order[(number + ahead) % len(pool)]] for ahead in range(len(pool))]
        return next((line for line in ranked if line not in heard), ranked[0])

    def _order(self, name: str, size: int) -> list[int]:
        order = list(range(size))
        Random(f"{self.seed}:{name}").shuffle(order)
        return order


def _slots(observation: BuyerObservation, move: Move) -> dict[str, str]:
    ask = observation.standing_ask
    price = move.price if isinstance(move, Offer) else ask
    currency = observation.item.currency
    return {
        "price": rupees_text(to_rupees(price), currency),
        "ask": rupees_text(to_rupees(ask), currency),
    }
