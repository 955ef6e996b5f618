"""The table of ceilings: what each suite allows, what waiting gets there, and what training did."""

from collections.abc import Iterator

import msgspec
from django.urls import reverse

from training.evaluation.ceilings.players import (
    BEST_LINE,
    BEST_RESPONSE,
    BEST_RESPONSE_GRADE,
    CLAIRVOYANT,
)
from training.evaluation.measures import PATIENCE, WAITER, Beside, beside, how_of
from training.evaluation.published import Published
from training.evaluation.summary import Card, PolicyResult
from training.figures import Figure, number_text
from training.public.board import figure_of

TRAINED = "model"

SHARES = (CLAIRVOYANT, BEST_RESPONSE, BEST_LINE, WAITER)
GRADES = (BEST_RESPONSE_GRADE, WAITER)
"""Columns: who is shown by share of winnable, and who by the suite's official grade."""


class Line(msgspec.Struct, frozen=True):
    """A suite, or the mean over all. ``model`` is the best that was trained.

    ``of_best`` is the model's share over the best response's, as text; ``patience`` the mark.
    """

    title: str
    shares: tuple[Figure | None, ...]
    model: Figure | None
    of_best: str
    grades: tuple[Figure | None, ...]
    model_grade: Figure | None
    patience: bool


class Ceilings(msgspec.Struct, frozen=True):
    """The table; ``how`` says how the bounds were found, each way once."""

    lines: tuple[Line, ...]
    model: str
    url: str
    how: tuple[str, ...]
    clairvoyant: Figure | None
    best: Figure | None
    waiter: Figure | None
    within: int = round(100 * (1 - PATIENCE))

    @property
    def suites(self) -> int:
        """How many suites there are."""
        return len(self.lines) - 1

    @property
    def patient(self) -> int:
        """How many of them are tests of patience."""
        return sum(line.patience for line in self.lines)


def ceilings_of(published: Published | None) -> Ceilings | None:
    """Prepare the table beside an evaluation; None while its games have no bounds."""
    found = beside(published)
    if published is None or found is None:
        return None
    model = _best_trained(published)
    lines = tuple(_lines(published, found, model))
    suites = [one.id for one in published.made.suites]
    how = dict.fromkeys(how_of(name, suite) for suite in suites
                        for name in (CLAIRVOYANT, BEST_RESPONSE))  # fmt: skip
    return Ceilings(
        lines=lines,
        model=model.title if model else "",
        url=reverse("receipt", args=[found.published.run]),
        how=tuple(how),
        clairvoyant=lines[-1].shares[0],
        best=lines[-1].shares[1],
        waiter=lines[-1].shares[3],
    )


def _card(one: PolicyResult | None, suite: str | None) -> Card | None:
    if one is None:
        return None
    return one.mean if suite is None else one.suites.get(suite)


def _best_trained(published: Published) -> PolicyResult | None:
    trained = [one for one in published.rows if one.kind == TRAINED and one.mean.share_of_winnable]
    return max(trained, key=_share, default=None)


def _share(one: PolicyResult) -> float:
    share = one.mean.share_of_winnable
    return share.mean if share else -1.0


def _lines(published: Published, found: Beside, model: PolicyResult | None) -> Iterator[Line]:
    trained = model.policy if model else ""
    where = [(one.id, one.title) for one in published.made.suites]
    for suite, title in [*where, (None, "Mean over suites")]:

        def bound(name: str, rate: str, suite: str | None = suite) -> Figure | None:
            return figure_of(found.published, name, suite, rate)

        part = found.of_best(_card(model, suite), suite)
        yield Line(
            title=title,
            shares=tuple(bound(name, "share_of_winnable") for name in SHARES),
            model=figure_of(published, trained, suite, "share_of_winnable"),
            of_best="" if part is None else number_text(part, 2),
            grades=tuple(bound(name, "grade") for name in GRADES),
            model_grade=figure_of(published, trained, suite, "grade"),
            patience=suite is not None and found.is_patience(suite),
        )
