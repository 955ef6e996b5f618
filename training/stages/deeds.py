"""Which tokens of an answer decide the game: those before the words."""

from collections.abc import Sequence
from typing import Any, Protocol

WORDS_BEGIN = '"message"'


class Said(Protocol):
    """An answer in tokens, and whether it could be read."""

    @property
    def answer(self) -> list[int]: ...  # noqa: D102  see the class

    @property
    def valid(self) -> bool: ...  # noqa: D102


def deed_length(tokenizer: Any, said: Said) -> int:
    """Count the tokens up to where the words begin; all of them where nothing could be read."""
    if not said.valid:
        return len(said.answer)
    low, high = 0, len(said.answer)
    while low < high:
        middle = (low + high) // 2
        if WORDS_BEGIN in _text(tokenizer, said.answer[:middle]):
            high = middle
        else:
            low = middle + 1
    return low


def _text(tokenizer: Any, tokens: Sequence[int]) -> str:
    return str(tokenizer.decode(tokens, skip_special_tokens=True))
