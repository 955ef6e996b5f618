"""What every dialect can do."""

from collections.abc import Callable
from typing import Protocol

from agents.chats import Message, OnText
from agents.parsing import Parsed
from negotiation.engine.moves import Move
from negotiation.engine.observe import BuyerObservation
from negotiation.engine.quantities import Paise

Said = Callable[[Paise], Paise]
"""The price that is said in place of the one a model means."""


def as_it_is(price: Paise) -> Paise:
    """Say what was meant."""
    return price


class Speaker(Protocol):
    """Hears a model's own text piece by piece and passes it on in the words of the protocol."""

    @property
    def text(self) -> str:
        """All of it so far: JSON with prices in rupees, as a large model would write it."""
        ...

    def hear(self, piece: str) -> None:
        """Take the next piece of the model's own text; an empty one starts anew."""
        ...


class Dialect(Protocol):
    """A way to put a position before a model and to read what it answers.

    ``version`` changes with every character of the prompt and is kept with a checkpoint.
    """

    name: str
    version: str

    def messages(self, seen: BuyerObservation, *, speak_only: bool = False) -> tuple[Message, ...]:
        """Write the prompt; ``speak_only`` asks for words without a move."""
        ...

    def answer(self, seen: BuyerObservation, move: Move) -> str:
        """Write a move as the model would: what a teacher's deed teaches."""
        ...

    def reply(self, seen: BuyerObservation, text: str) -> str:
        """Write words without a move as the model would."""
        ...

    def read(self, seen: BuyerObservation, text: str) -> Parsed | None:
        """Read the model's own text; prices and words come out as they are said at the table.

        ``strict`` of what comes out tells whether the text was exactly the JSON of the protocol.
        """
        ...

    def speaker(self, seen: BuyerObservation, on_text: OnText, said: Said = as_it_is) -> Speaker:
        """Translate an answer while it is made.

        Args:
            seen: the position.
            on_text: hears the pieces.
            said: for a dialect of relative prices, how they are said in rupees.
        """
        ...
