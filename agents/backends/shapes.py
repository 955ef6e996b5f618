"""Reading JSON that a model server wrote, which may be anything."""

from typing import TypeVar

import msgspec

from agents.backends.base import BadAnswer, Chat, OnText

LONGEST_TEXT = 8_000
"""Characters of an answer; 1,024 tokens have about half of it."""

NOTHING = msgspec.Raw(b"null")

MOST_TOKENS = 10_000_000

LONGEST_NAME = 200

Shape = TypeVar("Shape")


def read_json(data: bytes, shape: type[Shape]) -> Shape:
    """Read JSON of a known shape, further fields allowed.

    Raises BadAnswer: "not-json", "cut-off" (the beginning of JSON) or "not-the-protocol".
    """
    try:
        return msgspec.json.decode(data, type=shape)
    except msgspec.ValidationError as error:
        raise BadAnswer("not-the-protocol") from error
    except (msgspec.DecodeError, RecursionError, ValueError) as error:
        raise BadAnswer("cut-off" if "truncated" in str(error) else "not-json") from error


def loosely(raw: msgspec.Raw) -> object:
    """Read a part of an answer that may be nonsense without harm; then it is None.

    >>> loosely(msgspec.Raw(b"1e999")), loosely(msgspec.Raw(b'"stop"'))
    (None, 'stop')
    """
    try:
        return msgspec.json.decode(raw)
    except (msgspec.DecodeError, RecursionError, ValueError):
        return None


def token_count(value: object) -> int | None:
    """Believe a count of tokens, or not.

    >>> token_count(12), token_count(-1), token_count("12"), token_count(True)
    (12, None, None, None)
    """
    believable = type(value) is int and 0 <= value <= MOST_TOKENS
    return value if believable else None  # type: ignore[return-value]  # believable has looked


def model_name(value: object, otherwise: str) -> str:
    """Take the name that the server gives its model, if it is one."""
    return value[:LONGEST_NAME] if isinstance(value, str) and value else otherwise


def wire_messages(chat: Chat) -> list[dict[str, str]]:
    """Write the messages for JSON; half characters, which no encoding has, become "?"."""
    return [{"role": message.role, "content": _whole(message.content)} for message in chat.messages]


def _whole(text: str) -> str:
    return text.encode("utf-8", "replace").decode()


class AnswerText:
    """The pieces of an answer, counted and passed on while they come."""

    def __init__(self, on_text: OnText) -> None:
        self._on_text = on_text
        self._pieces: list[str] = []
        self._length = 0

    def add(self, piece: str) -> None:
        """Take the next piece; raises BadAnswer, "too-long"."""
        self._length += len(piece)
        if self._length > LONGEST_TEXT:
            raise BadAnswer("too-long")
        if piece:
            self._pieces.append(piece)
            self._on_text(piece)

    def joined(self) -> str:
        """Return the complete answer; raises BadAnswer, "empty", for nothing but blanks."""
        text = "".join(self._pieces)
        if not text.strip():
            raise BadAnswer("empty")
        return text


class Lines:
    """Collects bytes and gives the lines that are complete, without their ends."""

    def __init__(self) -> None:
        self._rest = bytearray()

    def feed(self, data: bytes) -> list[bytes]:
        r"""Take the next bytes.

        >>> lines = Lines()
        >>> lines.feed(b"one\r\ntw"), lines.feed(b"o\n"), lines.rest()
        ([b'one'], [b'two'], b'')
        """
        if b"\n" not in data:
            self._rest += data
            return []
        *complete, rest = (bytes(self._rest) + data).split(b"\n")
        self._rest = bytearray(rest)
        return [line.removesuffix(b"\r") for line in complete]

    def rest(self) -> bytes:
        """Return what came after the last line end."""
        return bytes(self._rest)


class Events:
    """Collects bytes and gives the data of each complete event (WHATWG HTML, section 9.2.6)."""

    def __init__(self) -> None:
        self._lines = Lines()
        self._data: list[bytes] = []

    def feed(self, data: bytes) -> list[bytes]:
        r"""Take the next bytes.

        >>> Events().feed(b": hello\ndata: one\ndata:two\n\ndata: three\n")
        [b'one\ntwo']
        """
        found: list[bytes] = []
        for line in self._lines.feed(data):
            field, _, value = line.partition(b":")
            if field == b"data":
                self._data.append(value.removeprefix(b" "))
            elif not line and self._data:
                found.append(b"\n".join(self._data))
                self._data = []
        return found
