"""Who is imitated: buyers of different temper, one drawn for each game."""

from random import Random
from typing import ClassVar

import msgspec

from agents.buyers.base import RuleBuyer
from agents.output_guard.moves import guard
from agents.speech.voice import Voice
from negotiation.engine.moves import Move
from negotiation.engine.observe import BuyerObservation
from negotiation.policies import Entry, install, policy

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
    """One of the teachers in each game, by the game's seed, with Sauda's words.

    It is what SFT imitates, so it is also what SFT is measured against.
    """

    name = "rules:teachers"
    title = "The teachers"
    parameters: ClassVar = {"tempers": TEMPERS}

    def __init__(self, seed: int, temper: str | None = None) -> None:
        """Draw a temper, or take the one that is named."""
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
