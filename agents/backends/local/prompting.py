"""A chat to the tokens a model was trained to read."""

import re
from collections.abc import Iterable, Sequence
from typing import Any

from agents.backends.base import BackendError, Chat

END_MARKS = (
    "<|end_of_text|>",
    "<|eot_id|>",
    "<end_of_turn>",
    "<|im_end|>",
    "</s>",
    "<|endoftext|>",
)
"""What ends a turn in the templates of the families."""

CHARACTERS_PER_TOKEN = 16
"""Longer text per token of context than this is not even read: no tokenizer packs so much."""


class PromptTooLong(BackendError):
    """Prompt and answer together do not fit the model's context."""

    def __init__(self) -> None:
        super().__init__("prompt-too-long", retryable=False, asked=False)


class Prompter:
    """Writes prompts for one model, whose template alone may open and close turns."""

    def __init__(self, tokenizer: Any, context: int) -> None:  # transformers' own type is unusable
        self._tokenizer = tokenizer
        self._context = context
        self._marks = _any_of(_marks_of(tokenizer))

    def tokens(self, chat: Chat) -> list[int]:
        """Write the prompt; raises PromptTooLong where its answer would not fit."""
        if chat.characters > self._context * CHARACTERS_PER_TOKEN:
            raise PromptTooLong
        ids = self._encode([(m.role, self._harmless(m.content)) for m in chat.messages])
        if len(ids) + chat.max_new_tokens > self._context:
            raise PromptTooLong
        return ids

    def _harmless(self, text: str) -> str:
        writable = text.encode("utf-8", "replace").decode("utf-8")  # no lone surrogates
        return self._marks.sub(lambda mark: f"{mark[0][0]} {mark[0][1:]}", writable)

    def _encode(self, turns: Sequence[tuple[str, str]]) -> list[int]:
        if not self._tokenizer.chat_template:
            return list(self._tokenizer(plain(turns)).input_ids)
        try:
            text = self._render(turns)
        except Exception as refused:  # templates raise jinja's errors, and those of their own
            without_system = fold_system(turns)
            if without_system == turns:
                raise BackendError("bad-template", retryable=False, asked=False) from refused
            text = self._render(without_system)
        return list(self._tokenizer(text, add_special_tokens=False).input_ids)

    def _render(self, turns: Sequence[tuple[str, str]]) -> str:
        messages = [{"role": role, "content": content} for role, content in turns]
        return str(
            self._tokenizer.apply_chat_template(
                messages, tokenize=False, add_generation_prompt=True
            )
        )


def plain(turns: Iterable[tuple[str, str]]) -> str:
    r"""Write a chat for a model that has no template of its own.

    >>> plain([("system", "Be brief."), ("user", "Kitna?")])
    'System: Be brief.\n\nUser: Kitna?\n\nAssistant:'
    """
    written = [f"{role.capitalize()}: {content}" for role, content in turns]
    return "\n\n".join([*written, "Assistant:"])


def fold_system(turns: Sequence[tuple[str, str]]) -> Sequence[tuple[str, str]]:
    r"""Move a leading system message into the first user message, for models that know none.

    >>> fold_system([("system", "Be brief."), ("user", "Kitna?")])
    [('user', 'Be brief.\n\nKitna?')]
    """
    match turns:
        case [("system", rules), ("user", first), *rest]:
            return [("user", f"{rules}\n\n{first}"), *rest]
        case _:
            return turns


def _marks_of(tokenizer: Any) -> set[str]:
    added = tokenizer.added_tokens_decoder.values()
    return {*tokenizer.all_special_tokens, *(token.content for token in added if token.special)}


def _any_of(marks: Iterable[str]) -> re.Pattern[str]:
    longest_first = sorted((mark for mark in marks if len(mark) > 1), key=len, reverse=True)
    return re.compile("|".join(map(re.escape, longest_first)) or r"(?!)")
