"""The bounds that stand beside a published evaluation: of the very games it played."""

from collections.abc import Iterator

import msgspec

from training.evaluation.ceilings.players import BEST_RESPONSE, CLAIRVOYANT
from training.evaluation.measures import WAITER, is_patience, of_best
from training.evaluation.plan import SuiteFact
from training.evaluation.published import CEILINGS, Published, newest
from training.evaluation.summary import Card, PolicyResult

SHOWN = (CLAIRVOYANT, BEST_RESPONSE, WAITER)
"""Who stands beside the buyers of an evaluation, best first."""


class Beside(msgspec.Struct, frozen=True):
    """A published run of bounds and lines on the same games as another evaluation."""

    published: Published

    def results(self) -> Iterator[tuple[int, PolicyResult]]:
        """List who is shown, each with its place in the run's summary."""
        for place, one in enumerate(self.published.rows):
            if one.policy in SHOWN:
                yield place, one

    def result(self, policy: str) -> PolicyResult | None:
        """Find a player of the run."""
        return next((one for one in self.published.rows if one.policy == policy), None)

    def card(self, policy: str, suite: str | None) -> Card | None:
        """Find a player's card in a suite; its mean over suites for None."""
        found = self.result(policy)
        if found is None:
            return None
        return found.mean if suite is None else found.suites.get(suite)

    def of_best(self, card: Card | None, suite: str | None = None) -> float | None:
        """Divide a buyer's share by the best response's, in a suite or in the mean."""
        return of_best(card, self.card(BEST_RESPONSE, suite))

    @property
    def patience(self) -> tuple[SuiteFact, ...]:
        """The suites that are tests of patience."""
        return tuple(one for one in self.published.made.suites if self.is_patience(one.id))

    def is_patience(self, suite: str) -> bool:
        """Tell whether waiting is nearly all there is to a suite."""
        cards = {name: self.card(name, suite) for name in (WAITER, BEST_RESPONSE)}
        return bool(is_patience(cards))


def beside(published: Published | None) -> Beside | None:
    """Find the bounds of an evaluation; None while there are none of its very games."""
    found = newest(CEILINGS) if published is not None else None
    if published is None or found is None or found.made.seed != published.made.seed:
        return None
    known = {_games(one) for one in found.made.suites}
    if not all(_games(one) in known for one in published.made.suites):
        return None
    return Beside(found)


def _games(suite: SuiteFact) -> tuple[str, str, str, int]:
    return suite.id, suite.seller, suite.fingerprint, suite.games
