"""Two ways to put a question to a judging model: Anthropic's Messages, and OpenAI-style chat."""

from collections.abc import Generator
from typing import Any, Protocol

import httpx
import msgspec

from agents.backends.address import Address
from agents.backends.base import Chat, Message, unheard
from agents.backends.http_client import HttpClient
from agents.backends.openai_answer import ChatAnswer
from agents.backends.shapes import AnswerText, read_json, wire_messages

ANTHROPIC_URL = "https://api.anthropic.com"
ANTHROPIC_VERSION = "2023-06-01"
CLAUDE = "claude-sonnet-4-5"  # Judges where no other model is named
MESSAGES_ROUTE = "/v1/messages"
CHAT_ROUTE = "/v1/chat/completions"
MOST_TOKENS = 300  # Of an answer: a verdict and a line
TIMEOUT_S = 60.0  # Seconds that one question may take in all


class Wire(Protocol):
    """A model that answers a question; ``model`` is its name as records say it."""

    model: str

    async def ask(self, messages: tuple[Message, ...]) -> str:
        """Put a question; a BackendError never shows a key."""
        ...


class OpenAiWire:
    """Any server with an OpenAI-style chat route."""

    def __init__(
        self, url: str, key: str = "", model: str = "", timeout_s: float = TIMEOUT_S
    ) -> None:
        self.model = model or "model"
        self._named = {"model": model} if model else {}
        self._timeout_s = timeout_s
        self._http = HttpClient(Address(url, key, (CHAT_ROUTE, "/v1")))

    def __repr__(self) -> str:
        return f"OpenAiWire({self._http.address!r}, model={self.model!r})"

    async def ask(self, messages: tuple[Message, ...]) -> str:
        """Put a question to the chat route."""
        payload: dict[str, Any] = {
            "messages": wire_messages(Chat(messages)),
            "max_tokens": MOST_TOKENS,
            "temperature": 0,
            **self._named,
        }
        async with (
            self._http.exchange(self._timeout_s) as exchange,
            exchange.reply("POST", CHAT_ROUTE, payload) as reply,
        ):
            if reply.status != 200:
                raise reply.refusal()
            answer = ChatAnswer(unheard, self.model, streamed=reply.is_stream)
            await reply.read(answer.feed)
            return answer.completion().text


class Block(msgspec.Struct):
    """One piece of a Claude's answer; others than text say nothing here."""

    type: str
    text: str = ""


class Blocks(msgspec.Struct):
    """A Claude's answer."""

    content: list[Block]


class AnthropicWire:
    """Claude, or any server that speaks Anthropic's Messages."""

    def __init__(
        self, key: str, model: str = "", url: str = ANTHROPIC_URL, timeout_s: float = TIMEOUT_S
    ) -> None:
        self.model = model or CLAUDE
        self._timeout_s = timeout_s
        address = Address(url, key, (MESSAGES_ROUTE, "/v1"))
        # The address has looked whether a header can carry the key; here it is another header.
        address.auth = _ApiKey(key.strip())
        self._http = HttpClient(address)

    def __repr__(self) -> str:
        return f"AnthropicWire({self._http.address!r}, model={self.model!r})"

    async def ask(self, messages: tuple[Message, ...]) -> str:
        """Put a question to the Messages route."""
        told = wire_messages(Chat(messages))
        payload = {
            "model": self.model,
            "max_tokens": MOST_TOKENS,
            "system": "\n".join(one["content"] for one in told if one["role"] == "system"),
            "messages": [one for one in told if one["role"] != "system"],
        }
        async with (
            self._http.exchange(self._timeout_s) as exchange,
            exchange.reply("POST", MESSAGES_ROUTE, payload) as reply,
        ):
            if reply.status != 200:
                raise reply.refusal()
            return _text(await reply.whole())


class _ApiKey(httpx.Auth):
    def __init__(self, key: str) -> None:
        self._key = key

    def auth_flow(self, request: httpx.Request) -> Generator[httpx.Request, httpx.Response]:
        request.headers["x-api-key"] = self._key
        request.headers["anthropic-version"] = ANTHROPIC_VERSION
        yield request


def _text(body: bytes) -> str:
    text = AnswerText(unheard)
    for block in read_json(body, Blocks).content:
        if block.type == "text":
            text.add(block.text)
    return text.joined()
