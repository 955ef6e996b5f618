"""Teacher games, turn by turn, in a dialect."""

from collections.abc import Iterator
from random import Random

import msgspec

from agents.backends.base import Message
from agents.buyers.trained import blind
from agents.dialects.base import Dialect
from agents.dialects.compact import Compact
from agents.dialects.scale import to_share
from negotiation.engine.observe import BuyerObservation
from negotiation.engine.suites import SUITES
from negotiation.engine.tasks import suite
from negotiation.environment.suite_game import SuiteGame
from training.data.chatter import Chatter
from training.data.teachers import Teachers

BLIND_P = 0.15
"""Games without tells: a person at a keyboard shows few."""

SUITE_IDS = tuple(f"{row.name}@sampled-1" for row in SUITES)


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


def teach(dialect: Dialect, first_seed: int, bargains: int) -> Iterator[Taught]:
    """Let the teachers play.

    Args:
        dialect: in which the lessons are written.
        first_seed: of the first game in every suite.
        bargains: in every suite, at least.
    """
    for suite_id in SUITE_IDS:
        games = -(-bargains // suite(suite_id).episodes)
        for seed in range(first_seed, first_seed + games):
            yield _game(dialect, suite_id, seed)


def _game(dialect: Dialect, suite_id: str, seed: int) -> Taught:
    game, teacher, chatter = SuiteGame(suite_id, seed), Teachers(seed), Chatter(seed)
    is_blind = Random(f"{seed}:blind").random() < BLIND_P
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
        if game.step(move).log is not None:
            prose.append("\n".join(lines))
            lines = []
    return Taught(suite_id, seed, teacher.temper, tuple(lessons), tuple(prose))


def _line(seen: BuyerObservation, answer: str) -> str:
    """Tell a turn as a bystander would."""
    did = msgspec.json.decode(answer)
    price = "" if did["price"] is None else f" {did['price']}"
    asked = f"the seller asks {to_share(seen, seen.standing_ask)}"
    return f"{asked}, the buyer says {did['action']}{price}: {did['message']}"
