"""The answer of Ollama's chat route: one JSON object per line."""

import msgspec

from agents.backends.base import Completion, OnText
from agents.backends.errors import BadAnswer
from agents.backends.shapes import NOTHING, AnswerText, loosely, model_name, read_json, token_count
from agents.backends.sse import Lines


class Words(msgspec.Struct):
    """The next piece of the answer."""

    content: str


class Line(msgspec.Struct):
    """One line; the last has ``done`` and the counts."""

    message: Words | None = None
    done: bool = False
    model: msgspec.Raw = NOTHING
    prompt_eval_count: msgspec.Raw = NOTHING
    eval_count: msgspec.Raw = NOTHING
    error: msgspec.Raw = NOTHING


class OllamaAnswer:
    """Takes the bytes of an answer and makes a completion of them.

    Args:
        on_text: hears the pieces.
        model: the name to use where the answer tells none.
    """

    def __init__(self, on_text: OnText, model: str) -> None:
        self._text = AnswerText(on_text)
        self._model = model
        self._lines = Lines()
        self._last: Line | None = None

    def feed(self, data: bytes) -> bool:
        """Take the next bytes; tell whether nothing more is to come.

        Raises:
            BadAnswer: it is no answer, or too long a text.
        """
        for line in self._lines.feed(data):
            self._take(line)
        return self._last is not None

    def completion(self) -> Completion:
        """Give the complete answer.

        Raises:
            BadAnswer: it is not complete, or empty.
        """
        if self._last is None:
            self._take(self._lines.rest())
        if self._last is None:
            raise BadAnswer("cut-off")
        return Completion(
            text=self._text.joined(),
            model=self._model,
            prompt_tokens=token_count(loosely(self._last.prompt_eval_count)),
            completion_tokens=token_count(loosely(self._last.eval_count)),
        )

    def _take(self, data: bytes) -> None:
        if not data.strip() or self._last is not None:
            return
        line = read_json(data, Line)
        if line.error != NOTHING:
            raise BadAnswer("error-in-answer")
        if line.message is None and not line.done:
            raise BadAnswer("not-the-protocol")
        if line.message is not None:
            self._text.add(line.message.content)
        self._model = model_name(loosely(line.model), self._model)
        self._last = line if line.done else None
