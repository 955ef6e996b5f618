"""What bounds say of an evaluation: shares of the best response, and tests of patience."""

from collections.abc import Iterator, Mapping

import msgspec

from bazaarbatna.intervals import Interval
from training.evaluation.ceilings.players import BEST_RESPONSE, BOUNDS, CLAIRVOYANT, bound_of
from training.evaluation.plan import SuiteFact
from training.evaluation.playing import source_of
from training.evaluation.published import CEILINGS, Published, newest
from training.evaluation.summary import Card, PolicyResult

WAITER = "rules:waiter"
PATIENCE = 0.95
"""Where a blind waiter keeps this much of what the best response keeps, waiting is the test."""

NOT_KNOWN = "not known"

SHOWN = (CLAIRVOYANT, BEST_RESPONSE, WAITER)
"""Who stands beside the buyers of an evaluation, best first."""


class Measure(msgspec.Struct, frozen=True, kw_only=True):
    """A player in a suite, as the ceilings are written down; None where something is not known.

    ``share`` is of all winnable bargains, no deal counting 0; ``of_best`` that over the best
    response's. ``grade`` and ``solved_rate`` are the suite's own, ``patience`` says that the suite
    tests patience, ``how`` how a bound was found ("" for other players).
    """

    suite: str
    player: str
    title: str
    share: Interval | None
    deal_rate: Interval | None
    grade: Interval | None
    solved_rate: Interval | None
    of_best: float | None
    patience: bool | None
    how: str


def measures(results: tuple[PolicyResult, ...], suites: list[str]) -> Iterator[Measure]:
    """Return a row for each suite and player, the bounds that are not known included."""
    known = {one.policy: one for one in results}
    titles = {name: entry.title for name, entry in BOUNDS.items()}
    titles |= {one.policy: one.title for one in results}
    for suite in suites:
        cards = {name: one.suites.get(suite) for name, one in known.items()}
        for name, title in titles.items():
            yield _measure(suite, name, title, cards)


def of_best(card: Card | None, best: Card | None) -> float | None:
    """Divide a share of winnable bargains by the best response's; None where one is not known."""
    ours, theirs = _share(card), _share(best)
    return None if ours is None or not theirs else ours / theirs


def is_patience(cards: Mapping[str, Card | None]) -> bool | None:
    """Whether waiting is nearly all there is to a suite; None where nobody can say."""
    found = of_best(cards.get(WAITER), cards.get(BEST_RESPONSE))
    return None if found is None else found >= PATIENCE


def _how_of(player: str, suite: str) -> str:
    if player not in BOUNDS:
        return ""
    known = source_of(suite).ceilings
    if known is None or bound_of(player, suite)[0] is None:
        return NOT_KNOWN
    is_response = player.startswith(BEST_RESPONSE)
    return known.best_response_how if is_response else known.clairvoyant_how


def _measure(suite: str, player: str, title: str, cards: Mapping[str, Card | None]) -> Measure:
    card = cards.get(player)
    return Measure(
        suite=suite,
        player=player,
        title=title,
        share=card.share_of_winnable if card else None,
        deal_rate=card.deal_rate if card else None,
        grade=card.grade if card else None,
        solved_rate=card.solved_rate if card else None,
        of_best=of_best(card, cards.get(BEST_RESPONSE)),
        patience=is_patience(cards),
        how=_how_of(player, suite),
    )


def _share(card: Card | None) -> float | None:
    found = card.share_of_winnable if card else None
    return found.mean if found else None


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
        """Whether waiting is nearly all there is to a suite."""
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
