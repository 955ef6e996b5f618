"""A model that lives in this process: how it is spoken to, and the worker that runs it."""

import functools

import msgspec

from agents.backends.errors import BackendError
from agents.backends.local.source import Source
from agents.backends.local.worker import Worker
from agents.chats import PLAIN, Chat, Manner, OnText
from agents.dialects.base import Dialect
from agents.dialects.table import dialect
from agents.rounding import as_people_say


class Resident:
    """A model in this process.

    Args:
        source: which model, with the card that it may have.
        batch: answers made at once.
        stop_at_object: an answer is complete once its first JSON object is closed.
    """

    def __init__(self, source: Source, batch: int, *, stop_at_object: bool) -> None:
        self.source = source
        self.worker = Worker(source, batch, stop_at_object=stop_at_object)
        self.manner = _manner(source)
        self._dialect = dialect(source.card.dialect) if source.card is not None else None

    def understands(self, *, bargains: bool) -> bool:
        """Tell whether it can be asked: the small models read positions and nothing else."""
        return bargains or self._dialect is None or self._dialect.name == "chat"

    def phrase(self, chat: Chat) -> Chat:
        """Put a chat into the words, and with the sampling, that this model was trained with.

        Raises:
            BackendError: ``only-bargains``: there is no position behind this chat.
        """
        card = self.source.card
        if not self.understands(bargains=chat.seen is not None):
            raise BackendError("only-bargains", retryable=False, asked=False)
        if self._dialect is None or card is None or chat.seen is None:
            return chat
        seen = chat.seen if card.tells else msgspec.structs.replace(chat.seen, tells=None)
        return msgspec.structs.replace(
            chat,
            messages=self._dialect.messages(seen, speak_only=chat.speak_only),
            seen=seen,
            temperature=card.temperature,
            top_p=card.top_p,
            max_new_tokens=card.max_new_tokens,
        )

    def interpreter(self, chat: Chat, on_text: OnText) -> "Interpreter | None":
        """Stand between model and listener; None where the model speaks the protocol itself."""
        if self._dialect is None or chat.seen is None:
            return None
        return Interpreter(self._dialect, chat, on_text)


class Interpreter:
    """Turns what a model says in its dialect into the JSON of the protocol while it is made."""

    def __init__(self, spoken: Dialect, chat: Chat, on_text: OnText) -> None:
        assert chat.seen is not None
        self._on_text = on_text
        self._passed_on = False
        said = functools.partial(as_people_say, chat.seen)
        self._speaker = spoken.speaker(chat.seen, self._pass_on, said)
        self.hear = self._speaker.hear

    def whole(self) -> str:
        """Give the whole answer; what could not be told while it was made is told now."""
        text = self._speaker.text
        if text and not self._passed_on:
            self._pass_on(text)
        return text

    def _pass_on(self, piece: str) -> None:
        self._passed_on = self._passed_on or bool(piece)
        self._on_text(piece)


def _manner(source: Source) -> Manner:
    card = source.card
    if card is None:
        return PLAIN
    return Manner(steer=card.steer, tells=card.tells, prompt=card.prompt_version)
