"""Words of sellers in teacher games: pinned sellers say nothing, people say a lot."""

import functools
from random import Random

import msgspec

from agents.scoring.labelled import only, tells_lines
from agents.text.languages import register_of
from agents.text.topics import topic_of
from negotiation.engine.episode import Turn
from negotiation.engine.observe import BuyerObservation

TALKATIVE_P = 0.7
"""Games in which the seller talks at all."""

SPEAKS_P = 0.45
"""How often a talkative seller's turn has words."""

LISTENS_P = 0.08
"""How often a turn is also taught as talk without a move."""

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
    """Sort the lines that may be looked at by language; each topic counts alike."""
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
