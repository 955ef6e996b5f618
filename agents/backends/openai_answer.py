"""The answer of an OpenAI-style chat route, streamed or whole."""

from typing import Any

import msgspec

from agents.backends.base import BadAnswer, Chat, Completion, OnText
from agents.backends.shapes import (
    NOTHING,
    AnswerText,
    Events,
    loosely,
    model_name,
    read_json,
    token_count,
    wire_messages,
)

CHAT_ROUTE = "/v1/chat/completions"


def chat_payload(chat: Chat, model: str) -> dict[str, Any]:
    """Write a question for the chat route; "" for a server that has one model."""
    payload: dict[str, Any] = {
        "messages": wire_messages(chat),
        "max_tokens": chat.max_new_tokens,
        "temperature": chat.temperature,
        "stream": True,
        "stream_options": {"include_usage": True},
        **sampling(chat),
    }
    if model:
        payload["model"] = model
    return payload


def sampling(chat: Chat) -> dict[str, Any]:
    """Say how tokens are drawn, as far as a chat says it."""
    said: dict[str, Any] = {}
    if chat.temperature > 0 and 0 < chat.top_p < 1:
        said["top_p"] = chat.top_p
    if chat.seed is not None:
        said["seed"] = chat.seed
    return said


END_MARK = b"[DONE]"


class _Words(msgspec.Struct):
    content: str | None = None


class _Choice(msgspec.Struct):
    delta: _Words | None = None
    message: _Words | None = None
    finish_reason: msgspec.Raw = NOTHING


class _Body(msgspec.Struct):
    choices: list[_Choice] | None = None
    model: msgspec.Raw = NOTHING
    usage: msgspec.Raw = NOTHING
    error: msgspec.Raw = NOTHING


class ErrorInAnswer(BadAnswer):
    """The server broke off and said so; ``told`` is what it said."""

    def __init__(self, told: object) -> None:
        super().__init__("error-in-answer")
        self.told = told


class ChatAnswer:
    """Makes a completion of an answer, which may be a stream whatever its header says."""

    def __init__(self, on_text: OnText, model: str, *, streamed: bool) -> None:
        self._text = AnswerText(on_text)
        self._model = model
        self._streamed = streamed
        self._whole = bytearray()
        self._events = Events()
        self._usage: msgspec.Raw = NOTHING
        self._finished = False

    def feed(self, data: bytes) -> bool:
        """Take the next bytes; return whether nothing more is to come. Raises BadAnswer."""
        if not self._streamed:
            self._whole += data
            self._streamed = self._whole[:64].lstrip().startswith(b"data:")
            if not self._streamed:
                return False
            data = bytes(self._whole)
        return any(self._event(event) for event in self._events.feed(data))

    def completion(self) -> Completion:
        """Return the complete answer; raises BadAnswer where it is not complete, or empty."""
        if not self._streamed:
            self._take_whole()
        if not self._finished:
            raise BadAnswer("cut-off")
        usage = loosely(self._usage)
        counts = usage if isinstance(usage, dict) else {}
        return Completion(
            text=self._text.joined(),
            model=self._model,
            prompt_tokens=token_count(counts.get("prompt_tokens")),
            completion_tokens=token_count(counts.get("completion_tokens")),
        )

    def _event(self, event: bytes) -> bool:
        if event.strip() == END_MARK:
            self._finished = True
            return True
        for choice in self._choices(event)[:1]:
            if choice.delta is not None and choice.delta.content is not None:
                self._text.add(choice.delta.content)
            self._finished = self._finished or choice.finish_reason != NOTHING
        return False

    def _take_whole(self) -> None:
        choices = self._choices(bytes(self._whole))
        message = choices[0].message if choices else None
        if message is None or message.content is None:
            raise BadAnswer("not-the-protocol")
        self._text.add(message.content)
        self._finished = True

    def _choices(self, data: bytes) -> list[_Choice]:
        body = read_json(data, _Body)
        if body.error != NOTHING:
            raise ErrorInAnswer(loosely(body.error))
        if body.choices is None:
            raise BadAnswer("not-the-protocol")
        self._model = model_name(loosely(body.model), self._model)
        self._usage = body.usage if body.usage != NOTHING else self._usage
        return body.choices
