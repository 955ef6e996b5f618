"""Teacher games, turn by turn, in a dialect."""

from collections.abc import Iterator
from random import Random
from typing import Protocol

import msgspec

from agents.backends.base import Message
from agents.buyers.network import Network
from agents.buyers.network_buyer import NetworkBuyer
from agents.buyers.trained import blind
from agents.dialects.base import Dialect
from agents.dialects.compact import Compact, to_share
from negotiation.engine.moves import Move, Offer
from negotiation.engine.observe import BuyerObservation
from negotiation.engine.people.suites import MIXTURE
from negotiation.engine.people.suites import NUMBER as PEOPLE_NUMBER
from negotiation.engine.quantities import clamp_price
from negotiation.engine.suites import SUITES
from negotiation.engine.tasks import suite
from negotiation.environment.suite_game import SuiteGame
from training.data.chatter import Chatter
from training.data.teachers import Teachers

BLIND_P = 0.15
"""Games without tells: a person at a keyboard shows few."""

WANDER_P = 0.2
"""Turns with people in which something else is done than the teacher says.

What is taught there is the teacher's word all the same: a pupil that is not yet as good as its
teacher comes into positions in which the teacher would never be.
"""

SUITE_IDS = tuple(f"{row.name}@sampled-1" for row in SUITES)
PEOPLE = f"{MIXTURE}@{PEOPLE_NUMBER}"
"""Sellers who answer: those families of the population that training may meet."""
WAITER = "rules:waiter"


class Source(msgspec.Struct, frozen=True):
    """Whose games are learned from.

    Attributes:
        people: part of the bargains that are with people, played by the network, 0..1.
        waiting: part of the games of pinned sellers that the waiter plays, 0..1.
        network: who plays with people; the shipped network when missing.
    """

    people: float = 0.0
    waiting: float = 0.0
    network: Network | None = None


class Teacher(Protocol):
    """Whoever plays a game to be learned from."""

    def act(self, observation: BuyerObservation) -> Move:
        """Choose a legal move and the words for it."""
        ...

    def reply(self, observation: BuyerObservation) -> str:
        """Answer words that named no price."""
        ...


class Lesson(msgspec.Struct, frozen=True):
    """One turn of a teacher: what a model sees, and what it should answer.

    ``last`` marks the last round, after which there is no deal any more.
    """

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
    """Let the teachers play.

    Args:
        dialect: in which the lessons are written.
        first_seed: of the first game in every pinned suite.
        bargains: times the number of pinned suites there are so many, at least.
        source: whose games; those of the teachers alone when missing.
        first_of_people: seed of the first game with people.
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
        lines.append(_line(seen, Compact().answer(seen, move)))
        if dice.random() < wander:
            move = _elsewhere(seen, move, dice)
        if game.step(move).log is not None:
            prose.append("\n".join(lines))
            lines = []
    return Taught(suite_id, seed, temper, tuple(lessons), tuple(prose))


def _elsewhere(seen: BuyerObservation, move: Move, dice: Random) -> Move:
    """Bid something between the own last bid and what could be paid, in the same words."""
    own, high = seen.own_last_bid, min(seen.standing_ask, seen.budget)
    low = own or 0
    if high <= low:
        return move
    price = clamp_price(low + dice.random() * (high - low), high=seen.budget)
    return Offer(price if own is None else max(price, own), text=move.text)


def _line(seen: BuyerObservation, answer: str) -> str:
    """Describe a turn as a bystander would."""
    did = msgspec.json.decode(answer)
    price = "" if did["price"] is None else f" {did['price']}"
    asked = f"the seller asks {to_share(seen, seen.standing_ask)}"
    return f"{asked}, the buyer says {did['action']}{price}: {did['message']}"
