"""A model that Ollama serves, usually on the same machine."""

from typing import Any, Self

import msgspec
from django.conf import settings

from agents.backends.base import BackendError, BadAnswer, Chat, Completion, OnText, unheard
from agents.backends.http_client import Address, HttpClient
from agents.backends.shapes import (
    NOTHING,
    AnswerText,
    Lines,
    loosely,
    model_name,
    read_json,
    token_count,
    wire_messages,
)


class Words(msgspec.Struct):
    """The next piece of the answer."""

    content: str


class _Line(msgspec.Struct):
    message: Words | None = None
    done: bool = False
    model: msgspec.Raw = NOTHING
    prompt_eval_count: msgspec.Raw = NOTHING
    eval_count: msgspec.Raw = NOTHING
    error: msgspec.Raw = NOTHING


class OllamaAnswer:
    """Takes the bytes of an answer and makes a completion of them."""

    def __init__(self, on_text: OnText, model: str) -> None:
        self._text = AnswerText(on_text)
        self._model = model
        self._lines = Lines()
        self._last: _Line | None = None

    def feed(self, data: bytes) -> bool:
        """Take the next bytes; return whether nothing more is to come. Raises BadAnswer."""
        for line in self._lines.feed(data):
            self._take(line)
        return self._last is not None

    def completion(self) -> Completion:
        """Return the complete answer; raises BadAnswer where it is not complete, or empty."""
        if self._last is None:
            self._take(self._lines.rest())
        if self._last is None:
            raise BadAnswer("cut-off")
        return Completion(
            text=self._text.joined(),
            model=self._model,
            prompt_tokens=token_count(loosely(self._last.prompt_eval_count)),
            completion_tokens=token_count(loosely(self._last.eval_count)),
        )

    def _take(self, data: bytes) -> None:
        if not data.strip() or self._last is not None:
            return
        line = read_json(data, _Line)
        if line.error != NOTHING:
            raise BadAnswer("error-in-answer")
        if line.message is None and not line.done:
            raise BadAnswer("not-the-protocol")
        if line.message is not None:
            self._text.add(line.message.content)
        self._model = model_name(loosely(line.model), self._model)
        self._last = line if line.done else None


KEEP_ALIVE = "30m"
"""How long Ollama keeps the model in memory after a call."""

PROBE_TIMEOUT_S = 3.0


class _Pulled(msgspec.Struct):
    name: str


class _Shelf(msgspec.Struct):
    models: list[_Pulled]


class OllamaBackend:
    """Asks ``/api/chat`` for JSON."""

    name = "ollama"
    metered = False

    def __init__(self, url: str, model: str, timeout_s: float = 20.0) -> None:
        self.timeout_s = timeout_s
        self._configured = bool(url.strip())
        self._model = model
        self._http = HttpClient(Address(url, endings=("/api/chat", "/api")))

    @classmethod
    def from_settings(cls) -> Self:
        """Make the backend that the settings name."""
        named: dict[str, Any] = settings.SAUDA_OLLAMA
        return cls(**named)

    def __repr__(self) -> str:
        return f"OllamaBackend({self._http.address!r}, model={self._model!r})"

    def configured(self) -> bool:
        """Whether the settings name an address."""
        return self._configured

    async def complete(self, chat: Chat, on_text: OnText = unheard) -> Completion:
        """Ask the model; cancelling the task closes the connection."""
        async with (
            self._http.exchange(self.timeout_s) as exchange,
            exchange.reply("POST", "/api/chat", self._payload(chat)) as reply,
        ):
            if reply.status != 200:
                raise reply.refusal()
            answer = OllamaAnswer(on_text, self._model)
            await reply.read(answer.feed)
            return answer.completion()

    async def probe(self) -> str:
        """Return our model's name, where it is there; else the code is "model-missing"."""
        async with (
            self._http.exchange(min(PROBE_TIMEOUT_S, self.timeout_s)) as exchange,
            exchange.reply("GET", "/api/tags") as reply,
        ):
            if reply.status != 200:
                raise reply.refusal()
            names = [pulled.name for pulled in read_json(await reply.whole(), _Shelf).models]
        if not {self._model, f"{self._model}:latest"} & set(names):
            raise BackendError("model-missing", retryable=False, asked=False)
        return self._model

    async def close(self) -> None:
        """Close all connections."""
        await self._http.close()

    def _payload(self, chat: Chat) -> dict[str, Any]:
        options: dict[str, Any] = {
            "num_predict": chat.max_new_tokens,
            "temperature": chat.temperature,
            "top_p": chat.top_p,
        }
        if chat.seed is not None:
            options["seed"] = chat.seed
        return {
            "model": self._model,
            "messages": wire_messages(chat),
            "stream": True,
            "format": "json",
            "think": False,  # thoughts would use up the tokens of the answer
            "keep_alive": KEEP_ALIVE,
            "options": options,
        }
