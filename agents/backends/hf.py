"""A Hugging Face Inference Endpoint, or any other OpenAI-style server."""

from collections.abc import Iterable
from typing import Any, Self

import msgspec
from django.conf import settings

from agents.backends.base import BackendError, BadAnswer, Chat, Completion, OnText, Refused, unheard
from agents.backends.http_client import Address, Exchange, HttpClient
from agents.backends.openai_answer import CHAT_ROUTE, ChatAnswer, chat_payload, sampling
from agents.backends.shapes import (
    NOTHING,
    AnswerText,
    loosely,
    model_name,
    read_json,
    wire_messages,
)

STOPS = ("\nUser:", "\nSystem:", "\nAssistant:")


class _Generated(msgspec.Struct):
    generated_text: str


def _prompt_of(chat: Chat) -> str:
    return plain((turn["role"], turn["content"]) for turn in wire_messages(chat))


def _native_payload(chat: Chat) -> dict[str, Any]:
    parameters: dict[str, Any] = {
        "max_new_tokens": chat.max_new_tokens,
        "return_full_text": False,
        "stop": list(STOPS),
        "do_sample": chat.temperature > 0,
        **sampling(chat),
    }
    if parameters["do_sample"]:
        parameters["temperature"] = chat.temperature
    return {"inputs": _prompt_of(chat), "parameters": parameters}


def _native_completion(data: bytes, chat: Chat, model: str, on_text: OnText) -> Completion:
    is_list = data.lstrip().startswith(b"[")
    found = read_json(data, list[_Generated]) if is_list else [read_json(data, _Generated)]
    if not found:
        raise BadAnswer("not-the-protocol")
    continuation = found[0].generated_text.removeprefix(_prompt_of(chat))
    text = AnswerText(on_text)
    text.add(_own_words(continuation))
    return Completion(text=text.joined(), model=model)


def _own_words(continuation: str) -> str:
    for stop in STOPS:
        continuation = continuation.partition(stop)[0]
    return continuation.strip()


PROBE_TIMEOUT_S = 3.0
NO_CHAT_ROUTE = (404, 405, 422)


class _Named(msgspec.Struct):
    id: msgspec.Raw = NOTHING


class _Offered(msgspec.Struct):
    data: list[_Named]


class HfBackend:
    """Asks the chat route; on servers without one, the native text generation.

    ``url`` may end in ``/v1`` or ``/v1/chat/completions``; ``model`` "" where the server has one.
    """

    name = "hf"
    metered = True

    def __init__(self, url: str, token: str = "", model: str = "", timeout_s: float = 8.0) -> None:
        self.timeout_s = timeout_s
        self._configured = bool(url.strip())
        self._model = model
        self._native = False
        self._http = HttpClient(Address(url, token, (CHAT_ROUTE, "/v1")))

    @classmethod
    def from_settings(cls) -> Self:
        """Make the backend that the settings name."""
        named: dict[str, Any] = settings.SAUDA_HF
        return cls(**named)

    def __repr__(self) -> str:
        return f"HfBackend({self._http.address!r}, model={self._model!r})"

    def configured(self) -> bool:
        """Whether the settings name an address."""
        return self._configured

    async def complete(self, chat: Chat, on_text: OnText = unheard) -> Completion:
        """Ask the model; cancelling the task closes the connection."""
        async with self._http.exchange(self.timeout_s) as exchange:
            if self._native:
                return await self._generate(exchange, chat, on_text)
            try:
                return await self._chat(exchange, chat, on_text)
            except Refused as refusal:
                if refusal.status not in NO_CHAT_ROUTE:
                    raise
                return await self._generate_instead(exchange, chat, on_text, refusal)

    async def probe(self) -> str:
        """Ask which models there are, else for the server's health; return the model's name."""
        async with self._http.exchange(min(PROBE_TIMEOUT_S, self.timeout_s)) as exchange:
            async with exchange.reply("GET", "/v1/models") as reply:
                if reply.status == 200:
                    offered = read_json(await reply.whole(), _Offered).data
                    first = offered[0].id if offered else NOTHING
                    return self._model or model_name(loosely(first), "")
                if reply.status in (401, 403, 429):
                    raise reply.refusal()
            async with exchange.reply("GET", "/health") as reply:
                if reply.status != 200:
                    raise reply.refusal()
                return self._model

    async def close(self) -> None:
        """Close all connections."""
        await self._http.close()

    async def _chat(self, exchange: Exchange, chat: Chat, on_text: OnText) -> Completion:
        async with exchange.reply("POST", CHAT_ROUTE, chat_payload(chat, self._model)) as reply:
            if reply.status != 200:
                raise reply.refusal()
            answer = ChatAnswer(on_text, self._model, streamed=reply.is_stream)
            await reply.read(answer.feed)
            return answer.completion()

    async def _generate(self, exchange: Exchange, chat: Chat, on_text: OnText) -> Completion:
        async with exchange.reply("POST", "", _native_payload(chat)) as reply:
            if reply.status != 200:
                raise reply.refusal()
            return _native_completion(await reply.whole(), chat, self._model, on_text)

    async def _generate_instead(
        self, exchange: Exchange, chat: Chat, on_text: OnText, refusal: Refused
    ) -> Completion:
        """A chat route also answers 404 to a model's wrong name: then tell the first refusal."""
        try:
            completion = await self._generate(exchange, chat, on_text)
        except BackendError:
            raise refusal from None
        self._native = True
        return completion


def plain(turns: Iterable[tuple[str, str]]) -> str:
    r"""Write a chat for a model that has no template of its own.

    >>> plain([("system", "Be brief."), ("user", "Kitna?")])
    'System: Be brief.\n\nUser: Kitna?\n\nAssistant:'
    """
    written = [f"{role.capitalize()}: {content}" for role, content in turns]
    return "\n\n".join([*written, "Assistant:"])
