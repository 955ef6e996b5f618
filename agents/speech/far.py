"""The program of the voice in the box where it runs in the model process: its call, by wire."""

from collections.abc import Callable
from typing import Any

import msgspec

from agents.backends.local.remote import Door
from agents.backends.shapes import Events

COMPLETIONS = "/v1/completions"
VOICE = "voice-in-the-box"
"""What the model process calls it."""
BUSY = 503
"""All seats are taken, by other processes perhaps; or it has just begun anew."""
SILENT_S = 5.0
"""No piece for so long: the model process hangs, and the bank spoke long ago."""


class FarProgram:
    """Goes on with a text as ``Model`` does."""

    def __init__(self, door: Door) -> None:
        self._door = door
        door.want(VOICE)

    @property
    def is_ready(self) -> bool:
        """Whether asking is worth it: a server that is no model process has no such voice."""
        return self._door.knows_states and self._door.state(VOICE) == "ready"

    def complete(self, asked: dict[str, Any], hear: Callable[[Any], bool]) -> None:
        """Pass on what is said until ``hear`` has enough; blocks."""
        address = self._door.http.address.at(COMPLETIONS)
        with (
            self._door.client(SILENT_S) as client,
            client.stream("POST", address, json=asked) as answer,
        ):
            if answer.status_code == BUSY:
                return
            answer.raise_for_status()
            events = Events()
            for data in answer.iter_raw():
                for event in events.feed(data):
                    if hear(msgspec.json.decode(event)):
                        return
