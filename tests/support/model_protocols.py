"""The answers of four protocols as bytes: OpenAI-style chat, Ollama, native text, Messages."""

import json
from typing import Any

from tests.support.model_answers import Asked, Say

CHAT, OLLAMA, NATIVE = "/v1/chat/completions", "/api/chat", "/"
MESSAGES = "/v1/messages"
MODEL = "scripted-1"

GETS: dict[str, Any] = {
    "/v1/models": {"object": "list", "data": [{"id": MODEL, "object": "model"}]},
    "/api/tags": {"models": [{"name": f"{MODEL}:latest"}]},
    "/health": {"status": "ok"},
}
"""What the routes without a model behind them answer."""


def content_type(asked: Asked, *, streams: bool) -> str:
    """The type of a good answer."""
    if asked.path == OLLAMA:
        return "application/x-ndjson"
    wants = asked.path == CHAT and asked.streamed and streams
    return "text/event-stream; charset=utf-8" if wants else "application/json"


def pieces(asked: Asked, say: Say, *, streams: bool) -> list[bytes]:
    """The body of a good answer, as it is sent piece by piece."""
    if asked.path == OLLAMA:
        return _ollama(asked, say, streams=streams)
    if asked.path == CHAT:
        return _chat_stream(say) if asked.streamed and streams else [_chat_whole(say)]
    if asked.path == MESSAGES:
        return [_messages(say)]
    return [json.dumps([{"generated_text": say.text}]).encode()]


def _chat_whole(say: Say) -> bytes:
    choice = {
        "index": 0,
        "message": {"role": "assistant", "content": say.text},
        "finish_reason": say.finish_reason,
    }
    body = {"id": "c1", "object": "chat.completion", "model": MODEL, "choices": [choice]}
    return json.dumps({**body, "usage": say.usage}).encode()


def _messages(say: Say) -> bytes:
    blocks = [{"type": "thinking", "thinking": "Hm."}, {"type": "text", "text": say.text}]
    return json.dumps({"type": "message", "role": "assistant", "content": blocks}).encode()


def _chat_stream(say: Say) -> list[bytes]:
    def event(choices: list[Any], **more: Any) -> bytes:
        body = {"id": "c1", "object": "chat.completion.chunk", "model": MODEL, "choices": choices}
        return b"data: " + json.dumps({**body, **more}).encode() + b"\n\n"

    def choice(delta: dict[str, Any], reason: Any = None) -> list[Any]:
        return [{"index": 0, "delta": delta, "finish_reason": reason}]

    sent = [event(choice({"role": "assistant", "content": None}))]
    sent += [event(choice({"content": piece})) for piece in say.cut()]
    if say.marked:
        sent += [
            event(choice({}, say.finish_reason)),
            event([], usage=say.usage),
            b"data: [DONE]\n\n",
        ]
    return sent


def _ollama(asked: Asked, say: Say, *, streams: bool) -> list[bytes]:
    def line(text: str, **more: Any) -> bytes:
        message = {"role": "assistant", "content": text}
        return json.dumps({"model": MODEL, "message": message, **more}).encode() + b"\n"

    usage = say.usage if isinstance(say.usage, dict) else {}
    last = {
        "done": True,
        "done_reason": say.finish_reason,
        "prompt_eval_count": usage.get("prompt_tokens", say.usage),
        "eval_count": usage.get("completion_tokens", say.usage),
    }
    if not (asked.streamed and streams):
        return [line(say.text, **last)]
    sent = [line(piece, done=False) for piece in say.cut()]
    return [*sent, line("", **last)] if say.marked else sent
