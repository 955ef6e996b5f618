"""Which tokens of an answer decide the game: those before the words."""

from collections.abc import Sequence
from typing import Any

from agents.backends.local.player import Spoken

WORDS_BEGIN = '"message"'


def deed_length(tokenizer: Any, said: Spoken) -> int:
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
