"""A chat template of transformers (Jinja) as one of Ollama (Go), where it is made of blocks.

A program in one language is not translated into the other. The template is asked with marked
words what it puts around each role; then the answer has to fit conversations of every kind.
"""

import itertools
import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec

ROLES = ("system", "user", "assistant")
_WORDS = ("\u2402one\u2403", "\u2402two\u2403", "\u2402three\u2403")
_TALKS: tuple[tuple[str, ...], ...] = (
    ("user",),
    ("system", "user"),
    ("user", "assistant", "user"),
    ("system", "user", "assistant"),
    ("system", "user", "assistant", "user", "assistant", "user"),
)


class Blocks(msgspec.Struct, frozen=True):
    """What stands at the beginning, around each role's words, and before the model's answer.

    ``around`` lacks the roles that the template refuses.
    """

    begin: str
    around: Mapping[str, tuple[str, str]]
    answer: str

    def render(self, messages: Sequence[Mapping[str, str]]) -> str:
        """Write a conversation, up to where the model answers."""
        said = (
            before + message["content"] + after
            for message in messages
            for before, after in [self.around[message["role"]]]
        )
        return "".join([self.begin, *said, self.answer])

    def to_go(self, already: str = "") -> str:
        """Write a template for Ollama.

        Args:
            already: what the runner puts before every text by itself; left out.
        """
        begin = self.begin.removeprefix(already)
        roles = "".join(
            f'{{{{ {"else " if number else ""}if eq .Role "{role}" }}}}'
            f"{_said(before)}{{{{ .Content }}}}{_said(after)}"
            for number, (role, (before, after)) in enumerate(self.around.items())
        )
        loop = f"{{{{ range .Messages }}}}{roles}{{{{ end }}}}{{{{ end }}}}"
        return f"{_said(begin)}{loop}{_said(self.answer)}"


def blocks_of(tokenizer: Any) -> Blocks | None:
    """Find the blocks of a tokenizer's template.

    Returns:
        None when it has no template, or one that does more than put words between marks.
    """
    if not tokenizer.chat_template:
        return None
    try:
        found = _guess(tokenizer)
        fits = found is not None and all(_fits(tokenizer, found, talk) for talk in _talks(found))
    except Exception:  # noqa: BLE001  a template is a program: it may raise anything, on purpose too
        return None
    return found if fits else None


def _guess(tokenizer: Any) -> Blocks | None:
    alone = _rendered(tokenizer, ["user"], answers=False)
    twice = _rendered(tokenizer, ["user", "user"], answers=False)
    # What a second message adds is a block; what the first has before that is the beginning.
    block = twice.removeprefix(alone)
    before, mark, after = block.partition(_WORDS[1])
    begin, found, rest = alone.partition(before + _WORDS[0] + after)
    if not mark or not found or rest or not twice.startswith(alone):
        return None
    answer = _rendered(tokenizer, ["user"], answers=True).removeprefix(alone)
    around = {"user": (before, after)}
    for role in ROLES:
        said = _around(tokenizer, role, begin)
        if said is not None:
            around[role] = said
    return Blocks(begin, {role: around[role] for role in ROLES if role in around}, answer)


def _around(tokenizer: Any, role: str, begin: str) -> tuple[str, str] | None:
    """Ask what stands around a role's words; None when the template refuses the role."""
    try:
        text = _rendered(tokenizer, [role], answers=False)
    except Exception:  # noqa: BLE001  raise_exception of a template is an exception of Jinja's
        return None
    before, mark, after = text.removeprefix(begin).partition(_WORDS[0])
    return (before, after) if mark else None


def _talks(blocks: Blocks) -> Iterable[tuple[str, ...]]:
    return [talk for talk in _TALKS if set(talk) <= set(blocks.around)]


def _fits(tokenizer: Any, blocks: Blocks, roles: Sequence[str]) -> bool:
    messages = _messages(roles, itertools.cycle(("a", ' "b"\n', "क {{ c }} ")))
    return bool(_asked(tokenizer, messages, answers=True) == blocks.render(messages))


def _rendered(tokenizer: Any, roles: Sequence[str], *, answers: bool) -> str:
    return _asked(tokenizer, _messages(roles, iter(_WORDS)), answers=answers)


def _messages(roles: Sequence[str], words: Iterable[str]) -> list[dict[str, str]]:
    return [{"role": role, "content": said} for role, said in zip(roles, words, strict=False)]


def _asked(tokenizer: Any, messages: list[dict[str, str]], *, answers: bool) -> str:
    text: str = tokenizer.apply_chat_template(
        messages, tokenize=False, add_generation_prompt=answers
    )
    return text


def _said(text: str) -> str:
    """Write a text as a constant of Go; JSON's escapes are Go's, but for halves of a pair."""
    return f"{{{{ {json.dumps(text, ensure_ascii=False)} }}}}" if text else ""
