"""The older task of text generation: one text in, its continuation out.

**Source**: the text-generation task of the Hugging Face inference API.
"""

from typing import Any

import msgspec

from agents.backends.base import Chat, Completion, OnText
from agents.backends.errors import BadAnswer
from agents.backends.shapes import AnswerText, read_json, wire_messages

_SPEAKERS = {"system": "System", "user": "User", "assistant": "Assistant"}

STOPS = ("\nUser:", "\nSystem:", "\nAssistant:")
"""Where the model begins to speak for somebody else."""


class Generated(msgspec.Struct):
    """One continuation."""

    generated_text: str


def prompt_of(chat: Chat) -> str:
    r"""Write a chat as one text; such a route knows no template.

    >>> from agents.backends.base import Message
    >>> prompt_of(Chat((Message("user", "hi"),)))
    'User: hi\n\nAssistant:'
    """
    turns = [f"{_SPEAKERS[turn['role']]}: {turn['content']}" for turn in wire_messages(chat)]
    return "\n\n".join([*turns, "Assistant:"])


def native_payload(chat: Chat) -> dict[str, Any]:
    """Write the request."""
    parameters: dict[str, Any] = {
        "max_new_tokens": chat.max_new_tokens,
        "return_full_text": False,
        "stop": list(STOPS),
        "do_sample": chat.temperature > 0,
        **sampling(chat),
    }
    if parameters["do_sample"]:
        parameters["temperature"] = chat.temperature
    return {"inputs": prompt_of(chat), "parameters": parameters}


def sampling(chat: Chat) -> dict[str, Any]:
    """Give ``top_p`` and ``seed`` where they say something; servers refuse a ``top_p`` of 1."""
    said: dict[str, Any] = {}
    if chat.temperature > 0 and 0 < chat.top_p < 1:
        said["top_p"] = chat.top_p
    if chat.seed is not None:
        said["seed"] = chat.seed
    return said


def native_completion(data: bytes, chat: Chat, model: str, on_text: OnText) -> Completion:
    """Read the answer, a list of one continuation or that one alone.

    Raises:
        BadAnswer: it is no such answer.
    """
    is_list = data.lstrip().startswith(b"[")
    found = read_json(data, list[Generated]) if is_list else [read_json(data, Generated)]
    if not found:
        raise BadAnswer("not-the-protocol")
    continuation = found[0].generated_text.removeprefix(prompt_of(chat))
    text = AnswerText(on_text)
    text.add(_own_words(continuation))
    return Completion(text=text.joined(), model=model)


def _own_words(continuation: str) -> str:
    for stop in STOPS:
        continuation = continuation.partition(stop)[0]
    return continuation.strip()
