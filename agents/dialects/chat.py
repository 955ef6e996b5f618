"""The dialect of large models: the long prompt, prices in rupees."""

import json

from agents.chats import Message, OnText
from agents.dialects.base import Said, as_it_is
from agents.parsing import Parsed, parse
from agents.prompts.buyer import PROMPT_VERSION, render
from negotiation.engine.moves import Accept, Move, Offer
from negotiation.engine.observe import BuyerObservation
from negotiation.engine.quantities import to_rupees


class Verbatim:
    """Passes a model's text on as it is."""

    def __init__(self, on_text: OnText) -> None:
        self._on_text = on_text
        self.text = ""

    def hear(self, piece: str) -> None:
        """Take the next piece; an empty one starts anew."""
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

    def speaker(self, seen: BuyerObservation, on_text: OnText, said: Said = as_it_is) -> Verbatim:
        """Pass an answer on; such a model writes rupees, and means those it writes."""
        return Verbatim(on_text)


def written(action: str, price: float | None, message: str) -> str:
    """Write the one JSON object that every model answers with.

    >>> written("offer", 165, "165 final")
    '{"action": "offer", "price": 165, "message": "165 final"}'
    """
    fields = {"action": action, "price": price, "message": message}
    return json.dumps(fields, ensure_ascii=False)
