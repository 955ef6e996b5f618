"""A whole game: the scenario it was played on and everything that happened."""

import hashlib

import msgspec

from bazaarbatna.bargain.episode import State, fold, follow, start
from bazaarbatna.bargain.errors import BrokenLog, GameError
from bazaarbatna.bargain.events import Ended, Event
from bazaarbatna.bargain.scenario import Scenario


class Log(msgspec.Struct, frozen=True):
    """Events in order, with sealed values: for archives and rollouts, never for a player."""

    scenario: Scenario
    events: tuple[Event, ...]

    @property
    def ended(self) -> Ended | None:
        """The last event, if the game is over."""
        last = self.events[-1] if self.events else None
        return last if isinstance(last, Ended) else None

    def state(self) -> State:
        """Rebuild the last position; raises ``BrokenLog``."""
        return fold(self.scenario, self.events)


FORMAT = "bazaar-log@1"


class Header(msgspec.Struct, frozen=True):
    """The first line."""

    format: str
    scenario: Scenario


class Imported(msgspec.Struct, frozen=True):
    """What could be read: the good prefix, and why it ends early (None: it does not)."""

    log: Log
    problem: str | None = None


_encoder = msgspec.json.Encoder()
_headers = msgspec.json.Decoder(Header)
_events: msgspec.json.Decoder[Event] = msgspec.json.Decoder(Event)


def to_text(log: Log) -> str:
    """Write a log; ``from_text`` gives back an equal one."""
    lines = (Header(FORMAT, log.scenario), *log.events)
    return "".join(f"{_encoder.encode(line).decode()}\n" for line in lines)


def digest_of(log: Log) -> str:
    """Return the SHA-256 of a log's text, 64 hexadecimal digits."""
    return hashlib.sha256(to_text(log).encode()).hexdigest()


def from_text(text: str) -> Imported:
    """Read a log as far as it is a legal game, and what is wrong with the first bad line.

    Raises:
        BrokenLog: the first line is not a playable scenario, so there is no game at all.
    """
    head, *lines = text.split("\n")
    scenario = _scenario(head)
    state, expected = start(scenario)
    events: list[Event] = []
    for number, line in enumerate(lines, start=2):
        if not line:
            continue
        try:
            event = _events.decode(line)
            state, expected = follow(state, expected, event)
        except (msgspec.DecodeError, GameError, UnicodeError) as error:
            return Imported(Log(scenario, tuple(events)), f"Line {number}: {error}")
        events.append(event)
    return Imported(Log(scenario, tuple(events)), None if events else "There are no events.")


def _scenario(line: str) -> Scenario:
    try:
        header = _headers.decode(line)
        if header.format != FORMAT:
            raise BrokenLog(f"This is {header.format[:40]!r}; this program reads {FORMAT!r}.")
        start(header.scenario)
    except (msgspec.DecodeError, UnicodeError, ValueError) as error:
        raise BrokenLog(f"The first line is not a scenario: {error}") from error
    return header.scenario
