"""A game of one bargain with a seller that is no engine's own: what such tables share."""

import abc

from negotiation.engine.episode import State, advance, start
from negotiation.engine.errors import GameOver
from negotiation.engine.events import Event
from negotiation.engine.log import Log
from negotiation.engine.observe import BuyerObservation, observe_buyer
from negotiation.engine.proposals import repair
from negotiation.engine.rewards import reward
from negotiation.engine.scenario import Scenario
from negotiation.environment.suite_game import Stepped


class OneBargain(abc.ABC):
    """A buyer's seat in one bargain; a kind of table says how its seller answers.

    An illegal move of the seller raises; a buyer's is repaired, as everywhere.
    """

    games = 1

    def __init__(self, scenario: Scenario, seed: int) -> None:
        """Open the bargain."""
        self.seed = seed
        self.suite_id = scenario.suite
        self._state, opening = start(scenario)
        self._events: list[Event] = [*opening]

    @property
    def observation(self) -> BuyerObservation | None:
        """What the buyer sees before its next move; None when all is over."""
        return None if self.done else observe_buyer(self._state)

    @property
    def done(self) -> bool:
        """The bargain is over."""
        return self._state.ended is not None

    @property
    def game(self) -> int:
        """Always the first: there is one bargain."""
        return 0

    @property
    def logs(self) -> tuple[Log, ...]:
        """The bargain with its values open, once it is over."""
        return (Log(self._state.scenario, tuple(self._events)),) if self.done else ()

    def step(self, proposal: object) -> Stepped:
        """Make the buyer's move and the seller's answer.

        Raises:
            GameOver: the bargain is over.
        """
        if self.done:
            raise GameOver("The bargain is over.")
        before = self._state
        self._state, happened = advance(before, repair(before, "buyer", proposal))
        self._events += happened
        if self._state.ended is None:
            self._state, happened = self._answer(self._state)
            self._events += happened
        log = next(iter(self.logs), None)
        return Stepped(reward(before, proposal, self._state), observe_buyer(self._state), log)

    @abc.abstractmethod
    def _answer(self, before: State) -> tuple[State, tuple[Event, ...]]:
        """Let the seller answer, and the buyer notice what it may."""
