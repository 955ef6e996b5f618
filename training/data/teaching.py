"""Teacher games, turn by turn, in a dialect: who is imitated, and what sellers say meanwhile."""

import functools
from collections.abc import Iterator
from random import Random
from typing import ClassVar, Protocol

import msgspec

from agents.backends.base import Message
from agents.buyers.network import Network
from agents.buyers.network_buyer import NetworkBuyer
from agents.buyers.trained import blind
from agents.dialects.base import Dialect
from agents.dialects.compact import Compact, to_share
from agents.scoring.labelled import only, tells_lines
from agents.speech.voice import Voice
from agents.text.languages import register_of
from agents.text.topics import topic_of
from bazaarbatna.bargain.episode import Turn
from bazaarbatna.bargain.moves import Move, Offer
from bazaarbatna.bargain.observe import BuyerObservation
from bazaarbatna.bargain.people.suites import MIXTURE
from bazaarbatna.bargain.people.suites import NUMBER as PEOPLE_NUMBER
from bazaarbatna.bargain.quantities import clamp_price
from bazaarbatna.bargain.suites import SUITES
from bazaarbatna.bargain.tasks import suite
from bazaarbatna.envs.bargain.suite_game import SuiteGame
from bazaarbatna.players.base import RuleBuyer
from bazaarbatna.players.guard import guard
from negotiation.policies import Entry, install, policy
from negotiation.sentences import sentences

say = sentences(__file__)


TEMPERS: dict[str, int] = {
    "sauda": 30,
    "rules:smart": 14,
    "rules:linear": 14,
    "rules:tit-for-tat": 10,
    "rules:boulware": 8,
    "rules:micro": 8,
    "rules:conceder": 8,
    "rules:split": 8,
}
"""Teacher and how many of a hundred games it plays."""


class Teachers(RuleBuyer):
    """Another teacher for each game's seed, with Sauda's words: what SFT imitates."""

    name = "rules:teachers"
    title = say.text("the_teachers")
    parameters: ClassVar = {"tempers": TEMPERS}

    def __init__(self, seed: int, temper: str | None = None) -> None:
        super().__init__(seed)
        names, weights = list(TEMPERS), list(TEMPERS.values())
        self.temper = temper or Random(f"{seed}:teacher").choices(names, weights)[0]
        self._player = policy(self.temper).make(seed)
        self._voice = Voice(seed)

    def act(self, observation: BuyerObservation) -> Move:
        """Choose a move and the words for it."""
        move = self.decide(observation)
        return msgspec.structs.replace(move, text=self._voice.line(observation, move))

    def decide(self, observation: BuyerObservation) -> Move:
        """Choose a move as the temper does."""
        decide = getattr(self._player, "decide", None)
        move: Move = decide(observation) if decide else self._player.act(observation)
        return guard(observation, move)

    def reply(self, observation: BuyerObservation) -> str:
        """Answer words that named no price."""
        return self._voice.reply(observation)


class TeacherPolicy:
    """Known by its name and listed nowhere: nobody sells to a mixture of tempers."""

    def entries(self) -> tuple[Entry, ...]:
        """List nothing."""
        return ()

    def find(self, name: str) -> Entry | None:
        """Know the teachers."""
        if name != Teachers.name:
            return None
        return Entry(name, Teachers.version(), "rules", Teachers.title, "rules", Teachers)


_TEACHERS = TeacherPolicy()


def plug_in() -> None:
    """Install them; safe to call twice."""
    install(_TEACHERS)


TALKATIVE_P = 0.7  # Games in which the seller talks at all
SPEAKS_P = 0.45  # How often a talkative seller's turn has words
LISTENS_P = 0.08  # How often a turn is also taught as talk without a move
OF_EACH_TOPIC = 24


class Chatter:
    """What one seller says, in one language through the game."""

    def __init__(self, seed: int) -> None:
        self._dice = Random(f"{seed}:chatter")
        talks = self._dice.random() < TALKATIVE_P
        self._pool = _pools()[self._dice.choice(sorted(_pools()))] if talks else ()

    def over(self, seen: BuyerObservation) -> BuyerObservation:
        """Put words into the seller's last turn, now and then."""
        words = self.words()
        return with_words(seen, words) if words else seen

    def words(self) -> str:
        """Return words, now and then; else nothing."""
        if not self._pool or self._dice.random() > SPEAKS_P:
            return ""
        return self._dice.choice(self._pool)

    def wants_talk(self) -> bool:
        """Whether this turn is also one of mere talk."""
        return bool(self._pool) and self._dice.random() < LISTENS_P


def with_words(seen: BuyerObservation, text: str) -> BuyerObservation:
    """Return an observation with other words in the seller's last turn."""
    turns = seen.turns or (Turn("seller", seen.round, "offer", seen.standing_ask, ""),)
    if turns[-1].actor != "seller":
        return seen
    last = msgspec.structs.replace(turns[-1], text=text)
    return msgspec.structs.replace(seen, turns=(*turns[:-1], last))


@functools.cache
def _pools() -> dict[str, tuple[str, ...]]:
    found: dict[str, dict[str, list[str]]] = {}
    for line in only(tells_lines(), "open"):
        language = register_of(line.text) or "english"
        found.setdefault(language, {}).setdefault(topic_of(line.text), []).append(line.text)
    return {
        language: tuple(
            texts[place % len(texts)] for texts in topics.values() for place in range(OF_EACH_TOPIC)
        )
        for language, topics in found.items()
    }


BLIND_P = 0.15  # Games without tells: a person at a keyboard shows few

WANDER_P = 0.2
"""Turns with people in which something else is done than the teacher says.

What is taught stays the teacher's word, in positions where the teacher itself would never be.
"""

SUITE_IDS = tuple(f"{row.name}@sampled-1" for row in SUITES)
PEOPLE = f"{MIXTURE}@{PEOPLE_NUMBER}"
"""Sellers who answer: those families of the population that training may meet."""
WAITER = "rules:waiter"


class Source(msgspec.Struct, frozen=True):
    """Whose games are learned from: shares 0..1 as in a ``Recipe``.

    ``network`` plays with people; the shipped one when missing.
    """

    people: float = 0.0
    waiting: float = 0.0
    network: Network | None = None


class Teacher(Protocol):
    """Whoever plays a game to be learned from."""

    def act(self, observation: BuyerObservation) -> Move:
        """Choose a legal move and the words for it."""

    def reply(self, observation: BuyerObservation) -> str:
        """Answer words that named no price."""


class Lesson(msgspec.Struct, frozen=True):
    """One turn of a teacher and what a model should answer; ``last`` marks the last round."""

    prompt: tuple[Message, ...]
    answer: str
    last: bool = False


class Taught(msgspec.Struct, frozen=True):
    """One game of a suite: its lessons, and the bargains as prose."""

    suite: str
    seed: int
    temper: str
    lessons: tuple[Lesson, ...]
    prose: tuple[str, ...]


def people_games(bargains: int, people: float) -> int:
    """Count the games with people."""
    return round(people * bargains * len(SUITE_IDS))


def teach(
    dialect: Dialect,
    first_seed: int,
    bargains: int,
    source: Source | None = None,
    first_of_people: int = 0,
) -> Iterator[Taught]:
    """Let the teachers play at least ``bargains`` times the number of pinned suites.

    ``first_seed`` begins every pinned suite, ``first_of_people`` the games with people. Without a
    ``source`` the teachers play alone.
    """
    source = source or Source()
    pinned = round((1 - source.people) * bargains)
    for suite_id in SUITE_IDS if pinned else ():
        games = -(-pinned // suite(suite_id).episodes)
        for seed in range(first_seed, first_seed + games):
            waits = Random(f"{suite_id}:{seed}:waiter").random() < source.waiting
            teacher = Teachers(seed, WAITER if waits else None)
            yield _game(dialect, suite_id, seed, teacher, teacher.temper)
    people = people_games(bargains, source.people)
    for seed in range(first_of_people, first_of_people + people):
        buyer = NetworkBuyer(seed, source.network)
        yield _game(dialect, PEOPLE, seed, buyer, buyer.name, WANDER_P)


def _game(
    dialect: Dialect, suite_id: str, seed: int, teacher: Teacher, temper: str, wander: float = 0.0
) -> Taught:
    game, chatter = SuiteGame(suite_id, seed), Chatter(seed)
    is_blind = Random(f"{seed}:blind").random() < BLIND_P
    dice = Random(f"{suite_id}:{seed}:wander")
    lessons: list[Lesson] = []
    prose: list[str] = []
    lines: list[str] = []
    while (seen := game.observation) is not None:
        seen = chatter.over(blind(seen) if is_blind else seen)
        if chatter.wants_talk():
            words = teacher.reply(seen)
            talk = dialect.messages(seen, speak_only=True)
            lessons.append(Lesson(talk, dialect.reply(seen, words)))
        move = teacher.act(seen)
        is_last = seen.round == seen.max_rounds
        lessons.append(Lesson(dialect.messages(seen), dialect.answer(seen, move), is_last))
        lines.append(as_prose(seen, move))
        if dice.random() < wander:
            move = _elsewhere(seen, move, dice)
        if game.step(move).log is not None:
            prose.append("\n".join(lines))
            lines = []
    return Taught(suite_id, seed, temper, tuple(lessons), tuple(prose))


def _elsewhere(seen: BuyerObservation, move: Move, dice: Random) -> Move:
    own, high = seen.own_last_bid, min(seen.standing_ask, seen.budget)
    low = own or 0
    if high <= low:
        return move
    price = clamp_price(low + dice.random() * (high - low), high=seen.budget)
    return Offer(price if own is None else max(price, own), text=move.text)


def as_prose(seen: BuyerObservation, move: Move) -> str:
    """Write a turn as what an untaught model reads: the ask, the move and its words."""
    did = msgspec.json.decode(Compact().answer(seen, move))
    price = "" if did["price"] is None else f" {did['price']}"
    asked = f"the seller asks {to_share(seen, seen.standing_ask)}"
    return f"{asked}, the buyer says {did['action']}{price}: {did['message']}"
