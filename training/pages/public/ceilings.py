"""How good anybody could be in an evaluation, and in how many of its suites waiting is enough."""

import msgspec
from django.urls import reverse

from training.evaluation.beside import beside
from training.evaluation.ceilings.players import BEST_RESPONSE, CLAIRVOYANT
from training.evaluation.measures import PATIENCE, WAITER
from training.evaluation.published import Published
from training.pages.public.board import figure_of
from training.receipts.figures import Figure


class Ceilings(msgspec.Struct, frozen=True):
    """Means of the bounds over suites; ``patient`` of the ``suites`` are tests of patience.

    There the waiter comes ``within`` so many percent of the best response.
    """

    clairvoyant: Figure | None
    best: Figure | None
    waiter: Figure | None
    patient: int
    suites: int
    url: str
    within: int = round(100 * (1 - PATIENCE))


def ceilings_of(published: Published | None) -> Ceilings | None:
    """Prepare the bounds of an evaluation; None while its games have none."""
    found = beside(published)
    if published is None or found is None:
        return None

    def mean(name: str) -> Figure | None:
        return figure_of(found.published, name, None, "share_of_winnable")

    suites = [one.id for one in published.made.suites]
    return Ceilings(
        clairvoyant=mean(CLAIRVOYANT),
        best=mean(BEST_RESPONSE),
        waiter=mean(WAITER),
        patient=sum(found.is_patience(suite) for suite in suites),
        suites=len(suites),
        url=reverse("receipt", args=[found.published.run]),
    )
