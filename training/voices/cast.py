"""The voices that are compared. Another one is another row."""

from collections.abc import Callable
from typing import Protocol

import msgspec

from agents.lines.voice import Voice
from agents.speaking.speaker import Speaker
from negotiation.engine.moves import Move
from negotiation.engine.observe import BuyerObservation


class Speaks(Protocol):
    """What finds words for a position."""

    def line(self, seen: BuyerObservation, move: Move, /) -> str:
        """Find the words for a move."""
        ...

    def reply(self, seen: BuyerObservation, /) -> str:
        """Answer words that named no price."""
        ...


class Role(msgspec.Struct, frozen=True):
    """A voice: its name in files, what a page calls it, and what makes it for a game's seed."""

    name: str
    title: str
    about: str
    make: Callable[[int], Speaks]


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

ROLES: dict[str, Role] = {one.name: one for one in CAST}


def title_of(name: str) -> str:
    """Return what a page calls a voice; a voice that is gone keeps its name."""
    return ROLES[name].title if name in ROLES else name
