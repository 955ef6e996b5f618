"""One whole game of a suite, step by step: what every environment here stands on."""

import msgspec

from bazaarbatna.bargain.career import Career, remember
from bazaarbatna.bargain.episode import State, advance, show_tells, start
from bazaarbatna.bargain.errors import GameOver
from bazaarbatna.bargain.events import Event, Opened
from bazaarbatna.bargain.goods import ListingPrices
from bazaarbatna.bargain.log import Log
from bazaarbatna.bargain.moves import Move
from bazaarbatna.bargain.observe import (
    BuyerObservation,
    CareerSummary,
    observe_buyer,
    observe_seller,
)
from bazaarbatna.bargain.proposals import repair
from bazaarbatna.bargain.rewards import Reward, reward
from bazaarbatna.bargain.sellers import make_seller
from bazaarbatna.bargain.tasks import make_scenario, seller_name, suite


class Stepped(msgspec.Struct, frozen=True):
    """What one move of the buyer led to.

    ``observation`` is the buyer's view right after the seller's answer, also of a bargain that is
    over; ``log`` is the whole bargain that this move ended, with its values open.
    """

    reward: Reward
    observation: BuyerObservation
    log: Log | None

    def __repr__(self) -> str:
        # A log holds the seller's secrets: nothing here may reach a page or a log line by chance.
        return f"Stepped({self.reward.total:+.4f})"


class SuiteGame:
    """A buyer's seat in all bargains of one game of a suite, against its own seller.

    The same seed and the same proposals give the same logs as ``play_suite_game``. Proposals are
    judged as they come and repaired where they break a rule, so every proposal is a step.
    """

    def __init__(
        self,
        suite_id: str,
        seed: int,
        seller: str | None = None,
        *,
        listings: tuple[ListingPrices, ...] | None = None,
    ) -> None:
        """Open the first bargain.

        ``seller`` is a persona (or family) or version label that replaces the suite's own; without
        ``listings`` ``amazon_realistic`` sells a built-in sample.

        Raises:
            UnknownSuite, UnknownSeller: there is none of that name.
            ValueError: the seed is negative.
        """
        self.suite_id = suite_id
        self.seed = seed
        self.games = suite(suite_id).episodes
        self._has_career = suite(suite_id).career
        self._seller_name = None if seller is None else seller_name(suite_id, seller)
        self._listings = listings
        self._career = Career()
        self._logs: list[Log] = []
        self._open()

    @property
    def observation(self) -> BuyerObservation | None:
        """What the buyer sees before its next move; None when all bargains are over."""
        return None if self.done else observe_buyer(self._state, self._told)

    @property
    def done(self) -> bool:
        """All bargains are over."""
        return len(self._logs) == self.games

    @property
    def game(self) -> int:
        """Which bargain is on the table, 0..games-1; the last one when all are over."""
        return min(len(self._logs), self.games - 1)

    @property
    def logs(self) -> tuple[Log, ...]:
        """The bargains that are over, in order, with their values open."""
        return tuple(self._logs)

    @property
    def seller(self) -> str:
        """Version label of the seller; it names the persona."""
        return self._state.scenario.seller

    @property
    def commitment(self) -> str:
        """SHA-256 that binds the hidden values of the bargain on the table."""
        opened = self._events[0]
        assert isinstance(opened, Opened)
        return opened.commitment

    def step(self, proposal: object) -> Stepped:
        """Make the buyer's move and the seller's answer; open the next bargain after the last.

        The proposal may be anything a policy came up with. ``GameOver``: all bargains are over.
        """
        if self.done:
            raise GameOver("All bargains of this game are over; reset starts another one.")
        before, career = self._state, None
        self._move(before, repair(before, "buyer", proposal))
        if self._state.ended is None:
            self._answer()
        after, told = self._state, self._told
        if after.ended is None:
            paid = reward(before, proposal, after)
            return Stepped(paid, observe_buyer(after, told), None)
        log = Log(after.scenario, tuple(self._events))
        if self._has_career:
            career = remember(self._career, after.scenario.anchor, after.ended)
            self._career = career
        self._logs.append(log)
        if not self.done:
            self._open()
        return Stepped(reward(before, proposal, after, career), observe_buyer(after, told), log)

    def _open(self) -> None:
        scenario = make_scenario(
            self.suite_id,
            self.seed,
            len(self._logs),
            self._career,
            listings=self._listings,
            seller=self._seller_name,
        )
        self._seller = make_seller(scenario)
        self._told: CareerSummary | None = self._career.summary() if self._has_career else None
        self._state, opening = start(scenario)
        self._events: list[Event] = [*opening]

    def _answer(self) -> None:
        seen = observe_seller(self._state)
        self._state, shown = show_tells(self._state, "seller", self._seller.tells(seen))
        self._events += shown
        self._move(self._state, repair(self._state, "seller", self._seller.act(seen)))

    def _move(self, state: State, move: Move) -> None:
        self._state, happened = advance(state, move)
        self._events += happened
