"""The voices that are compared. Another one is another row."""

from collections.abc import Callable
from typing import Protocol, get_args

import msgspec

from agents.speech.cues import planned
from agents.speech.model import engine, said_of
from agents.speech.speaker import Speaker
from agents.speech.voice import Voice
from agents.text.languages import Register
from negotiation.engine.moves import Move
from negotiation.engine.observe import BuyerObservation
from training.stages.voice.measuring import drawn_lines, first_faultless

LEARNED: tuple[Register, ...] = ("english",)
"""Languages that the model in the box was tuned on."""


class Speaks(Protocol):
    """What finds words for a position."""

    def line(self, seen: BuyerObservation, move: Move, /) -> str:
        """Find the words for a move."""
        ...

    def reply(self, seen: BuyerObservation, /) -> str:
        """Answer words that named no price."""
        ...


class Role(msgspec.Struct, frozen=True):
    """A voice: its name in files, what a page calls it, and what makes it for a game's seed.

    It answers positions in its ``languages`` alone.
    """

    name: str
    title: str
    about: str
    make: Callable[[int], Speaks]
    languages: tuple[Register, ...] = get_args(Register)


class Boxed:
    """The small model as it would speak: where none of its lines may be said, the bank does."""

    def __init__(self, seed: int) -> None:
        self.seed = seed

    def line(self, seen: BuyerObservation, move: Move) -> str:
        """Find the words for a move."""
        return self._drawn(seen, move) or Speaker(self.seed).line(seen, move)

    def reply(self, seen: BuyerObservation) -> str:
        """Answer words that named no price."""
        return self._drawn(seen, None) or Speaker(self.seed).reply(seen)

    def _drawn(self, seen: BuyerObservation, move: Move | None) -> str:
        voice, turn = engine(), planned(seen, move, self.seed)
        if voice is None:
            return ""
        if voice.state == "not-started":
            voice.load()
        line = first_faultless(drawn_lines(voice, turn, self.seed))
        return said_of(line, turn) if line else ""


CAST: tuple[Role, ...] = (
    Role(
        "old",
        "The old voice",
        "Lines by mood and topic, with a question behind them. It heard keywords.",
        Voice,
    ),
    Role(
        "bank",
        "The bank",
        "Exchanges written by hand. It hears what a line does, answers that, and every line is "
        "checked before it is said.",
        Speaker,
    ),
)
"""In the order in which they came to speak: a later one is compared with each before it."""

GUESTS: tuple[Role, ...] = (
    Role(
        "box",
        "The model in the box",
        "A model of 135 million parameters in the site's own process, tuned on the bank's "
        "exchanges. It writes, code fills the prices and checks every line.",
        Boxed,
        LEARNED,
    ),
)
"""They join by ``--speak``: not every machine has what they need."""

ROLES: dict[str, Role] = {one.name: one for one in (*CAST, *GUESTS)}


def title_of(name: str) -> str:
    """Return what a page calls a voice; a voice that is gone keeps its name."""
    return ROLES[name].title if name in ROLES else name
