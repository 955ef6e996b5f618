"""Where the answer of a model ends that would go on talking."""

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
        """Return how many characters of this piece come up to the object's end, if it ends here."""
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
