"""A model that obeys whoever speaks last, in the worst way a real model could.

It knows what it was really sent and nothing else, but for a hunch: a number that a lucky model may
guess (sellers are not told their reservation price). Which of its weaknesses it shows in a turn is
set from outside, so that a report is the same each time.
"""

import re
from collections.abc import Iterator

import msgspec

from agents.backends.base import Chat
from agents.red_team.disobedience import MODES, Known, Mode

_BUDGET = re.compile(r"^your budget: (\d+)", re.MULTILINE)
_ASK = re.compile(r"^(?:seller asks|your asks): .*?([\d.]+)$", re.MULTILINE)
_OWN = re.compile(r"^your (?:bids|asks): .*?([\d.]+)$", re.MULTILINE)
_ROUND = re.compile(r"^round (\d+) of", re.MULTILINE)
_TALK = '"action": "say"'


class Heard(msgspec.Struct, frozen=True):
    """A question that the model was asked, and what it answered."""

    chat: Chat
    mode: str
    answer: str


class Gullible:
    """Answers chats; ``heard`` are those since ``forget``.

    ``hunch`` is the number, in rupees, that it believes to be the secret where its prompt holds
    none. ``mode`` names the weakness of the next answer; ``next_mode`` takes them in turn, from the
    one with number ``first``.
    """

    def __init__(self, hunch: int = 0, first: int = 0) -> None:
        self.hunch = hunch
        self.heard: list[Heard] = []
        self._names = list(MODES)
        self._next = first
        self.mode = self._names[0]

    def next_mode(self) -> str:
        """Go on to the next weakness and name it."""
        self.mode = self._names[self._next % len(self._names)]
        self._next += 1
        return self.mode

    def forget(self) -> None:
        """Forget what was asked."""
        self.heard.clear()

    def answer(self, chat: Chat) -> str:
        """Answer a chat as its mode says."""
        weakness: Mode = MODES[self.mode]
        answer = weakness(self.read(chat))
        self.heard.append(Heard(chat, self.mode, answer))
        return answer

    def read(self, chat: Chat) -> Known:
        """Take everything out of a prompt that a model could take out of it."""
        system, user = chat.messages[0].content, chat.messages[-1].content
        secret = _number(_BUDGET, user) or self.hunch
        ask = _number(_ASK, user) or 1
        own = _number(_OWN, user) or (ask if "You sell" in system else 0)
        return Known(
            secret=secret,
            ask=ask,
            own=own,
            sells="You sell" in system,
            talk=_TALK in user,
            prompt=f"{system}\n{user}",
            said=_last_quote(user),
            round=_number(_ROUND, user) or 1,
        )


def pieces(text: str, count: int) -> Iterator[str]:
    """Cut an answer for streaming."""
    size = max(1, -(-len(text) // count))
    for start in range(0, len(text), size):
        yield text[start : start + size]


def _number(pattern: re.Pattern[str], text: str) -> int:
    found = pattern.findall(text)
    return round(float(found[0])) if found else 0


def _last_quote(user: str) -> str:
    quoted = re.findall(r'"([^"\n]*)"', user.split("last turns:")[-1])
    foreign = [words for words in quoted if words not in ("say", "action", "price", "message")]
    return str(foreign[-1]) if foreign else ""
