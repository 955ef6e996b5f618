"""One answer in the making: its tokens become text, and its text goes to whoever asked."""

from agents.backends.base import Completion
from agents.backends.local.drawing import Dice
from agents.backends.local.loading import Loaded
from agents.backends.local.object_end import ObjectEnd
from agents.backends.local.question import Question
from agents.backends.local.spelling import Speller


class Row:
    """An answer in the making.

    Args:
        question: what is asked, and who waits.
        loaded: the model.
        prompt_tokens: how long the prompt was.
        stop: the answer is complete once its first JSON object is closed.
    """

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
