"""What every dialect can do, and the plain one: the prompt that large models get."""

import json
from collections.abc import Callable
from typing import Protocol

from agents.dialects.parsing import Parsed, parse
from agents.prompts.buyer import PROMPT_VERSION, render
from agents.prompts.chats import Message, OnText
from bazaarbatna.bargain.moves import Accept, Move, Offer
from bazaarbatna.bargain.observe import BuyerObservation
from bazaarbatna.bargain.quantities import Paise, to_rupees

Said = Callable[[Paise], Paise]


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
    """A way to put a position before a model and to read what it answers, by version."""

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
        """Read the model's own text; prices and words come out as they are said at the table."""
        ...

    def speaker(self, seen: BuyerObservation, on_text: OnText, said: Said = as_it_is) -> Speaker:
        """Translate an answer while it is made."""
        ...


class _Verbatim:
    def __init__(self, on_text: OnText) -> None:
        self._on_text = on_text
        self.text = ""

    def hear(self, piece: str) -> None:
        self.text = self.text + piece if piece else ""
        self._on_text(piece)


class Chat:
    """What ``agents.prompts.buyer`` writes, and JSON in rupees."""

    name = "chat"
    version = PROMPT_VERSION

    def messages(self, seen: BuyerObservation, *, speak_only: bool = False) -> tuple[Message, ...]:
        """Write the prompt."""
        return render(seen, speak_only=speak_only)

    def answer(self, seen: BuyerObservation, move: Move) -> str:
        """Write a move."""
        action = "accept" if isinstance(move, Accept) else "walk"
        if not isinstance(move, Offer):
            return written(action, None, move.text)
        rupees = to_rupees(move.price)
        return written("offer", int(rupees) if rupees == int(rupees) else rupees, move.text)

    def reply(self, seen: BuyerObservation, text: str) -> str:
        """Write words."""
        return written("say", None, text)

    def read(self, seen: BuyerObservation, text: str) -> Parsed | None:
        """Read an answer."""
        return parse(text)

    def speaker(self, seen: BuyerObservation, on_text: OnText, said: Said = as_it_is) -> _Verbatim:
        """Pass an answer on; such a model writes rupees, and means those it writes."""
        return _Verbatim(on_text)


def written(action: str, price: float | None, message: str) -> str:
    """Write the one JSON object that every model answers with.

    >>> written("offer", 165, "165 final")
    '{"action": "offer", "price": 165, "message": "165 final"}'
    """
    fields = {"action": action, "price": price, "message": message}
    return json.dumps(fields, ensure_ascii=False)
