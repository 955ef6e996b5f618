"""One answer in the making: its tokens become text, and its text goes to whoever asked."""

from collections.abc import Callable, Sequence

from agents.backends.base import Completion
from agents.backends.local.drawing import Dice
from agents.backends.local.loading import Loaded
from agents.backends.local.question import Question

THINKING, THOUGHT = "<think>", "</think>"


class ObjectEnd:
    """Reads an answer piece by piece until its first JSON object is closed.

    What stands between ``<think>`` and ``</think>`` is not the answer and is passed over.

    >>> end = ObjectEnd()
    >>> end.closed_after('{"say": "50} '), end.closed_after('ok"} and'), end.closed_after("so on")
    (None, 4, 0)
    """

    def __init__(self) -> None:
        self._depth = 0
        self._quoted = False
        self._escaped = False
        self._thinking = False
        self._closed = False
        self._tail = ""

    def closed_after(self, piece: str) -> int | None:
        """Read on.

        Returns:
            How many characters of this piece belong to the object or what stands before it, once
            the object is closed; None while it is not.
        """
        if self._closed:
            return 0
        for index, character in enumerate(piece, start=1):
            if self._read(character):
                self._closed = True
                return index
        return None

    def _read(self, character: str) -> bool:
        if self._depth == 0:
            self._tail = (self._tail + character)[-len(THOUGHT) :]
            if self._tail.endswith((THINKING, THOUGHT)):
                self._thinking = self._tail.endswith(THINKING)
            self._depth = int(character == "{" and not self._thinking)
            return False
        if self._quoted:
            self._quoted = self._escaped or character != '"'
            self._escaped = character == "\\" and not self._escaped
            return False
        self._quoted = character == '"'
        self._depth += (character == "{") - (character == "}")
        return self._depth == 0


UNFINISHED = "\ufffd"
"""What a tokenizer writes for bytes that are no character yet."""


class Speller:
    """Spells one answer.

    A token may hold part of a character, and may be written differently after another token, so
    each step decodes a short window again and gives what is new, once it ends in a whole character.
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
        """Return what was held back because it ended within a character."""
        return self._news(final=True)

    def _news(self, *, final: bool) -> str:
        before = self._decode(self._tokens[self._window : self._spelled])
        now = self._decode(self._tokens[self._window :])
        if len(now) <= len(before) or (now.endswith(UNFINISHED) and not final):
            return ""
        self._window, self._spelled = self._spelled, len(self._tokens)
        return now[len(before) :]


class Row:
    """An answer in the making."""

    def __init__(self, question: Question, loaded: Loaded, prompt_tokens: int, stop: bool) -> None:
        self.question = question
        self.dice = Dice(question.chat)
        self.token = 0
        self._ends = loaded.ends
        self._label = loaded.label
        self._prompt_tokens = prompt_tokens
        self._made = 0
        self._speller = Speller(
            lambda ids: str(
                loaded.tokenizer.decode(
                    ids, skip_special_tokens=True, clean_up_tokenization_spaces=False
                )
            )
        )
        self._object_end = ObjectEnd() if stop else None
        self._text: list[str] = []

    def take(self, token: int) -> bool:
        """Take the next token; give whether the answer is complete (and has been handed over)."""
        self.token = token
        self._made += 1
        ended = token in self._ends
        complete = self._tell("" if ended else self._speller.spell(token))
        if complete or ended or self._made >= self.question.chat.max_new_tokens:
            if not complete:
                self._tell(self._speller.rest())
            self.question.answer(
                Completion("".join(self._text), self._label, self._prompt_tokens, self._made)
            )
            return True
        return False

    def _tell(self, piece: str) -> bool:
        """Hand a piece over, up to the end of the first object if that is all we want."""
        end = self._object_end.closed_after(piece) if self._object_end else None
        piece = piece if end is None else piece[:end]
        self._text.append(piece)
        self.question.tell(piece)
        return end is not None
