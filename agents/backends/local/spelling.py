"""Tokens to text, piece by piece, so that the pieces joined are the text."""

from collections.abc import Callable, Sequence

UNFINISHED = "\ufffd"
"""What a tokenizer writes for bytes that are no character yet."""


class Speller:
    """Spells one answer.

    A token may hold part of a character, and may be written differently after another token, so
    each step decodes a short window again and gives what is new, once it ends in a whole character.

    Args:
        decode: turns tokens into text, leaving out special ones.
    """

    def __init__(self, decode: Callable[[Sequence[int]], str]) -> None:
        self._decode = decode
        self._tokens: list[int] = []
        self._window = 0
        self._spelled = 0

    def spell(self, token: int) -> str:
        """Take one more token; give the new text, which may be none."""
        self._tokens.append(token)
        return self._news(final=False)

    def rest(self) -> str:
        """Give what was held back because it ended within a character."""
        return self._news(final=True)

    def _news(self, *, final: bool) -> str:
        before = self._decode(self._tokens[self._window : self._spelled])
        now = self._decode(self._tokens[self._window :])
        if len(now) <= len(before) or (now.endswith(UNFINISHED) and not final):
            return ""
        self._window, self._spelled = self._spelled, len(self._tokens)
        return now[len(before) :]
