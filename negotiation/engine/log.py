"""A whole game: the scenario it was played on and everything that happened."""

import msgspec

from negotiation.engine.episode import State, fold
from negotiation.engine.events import Ended, Event
from negotiation.engine.scenario import Scenario


class Log(msgspec.Struct, frozen=True):
    """Events in order; the sequence number of an event is its place, counted from 1.

    The scenario holds sealed values: a log is for archives and rollouts, never for a player.
    """

    scenario: Scenario
    events: tuple[Event, ...]

    @property
    def ended(self) -> Ended | None:
        """The last event, if the game is over."""
        last = self.events[-1] if self.events else None
        return last if isinstance(last, Ended) else None

    def state(self) -> State:
        """Rebuild the last position.

        Raises:
            BrokenLog: the events are not a game of this scenario.
        """
        return fold(self.scenario, self.events)
