"""The market's newest published evaluations, by reward mix and size."""

from arena.gpu_market.engine.scenario import RewardMix
from training.evaluation.published import MARKET, PublishedOf, shown
from training.markets.players import MODEL
from training.markets.summary import MarketCard, MarketDifference
from training.models import Run

Published = PublishedOf[MarketCard, MarketDifference]

LOOKED_AT = 20
"""Published runs that are looked through, newest first."""

ENOUGH = 50
"""Seeds per task below which intervals are no evidence."""


def newest(
    reward: RewardMix, *, small: bool = False, trained: bool | None = None
) -> Published | None:
    """Give the newest published evaluation of all three tasks under a mix.

    Args:
        reward: the reward mix of its suites.
        small: of fewer than ``ENOUGH`` seeds, instead of at least so many.
        trained: True: one in which a trained lab played; False: one in which none did.

    Returns:
        None while there is none.
    """
    runs = Run.objects.filter(
        kind=MARKET, status=Run.Status.DONE, published_at__isnull=False
    ).order_by("-published_at", "-pk")
    for run_id in runs.values_list("pk", flat=True)[:LOOKED_AT]:
        found = shown(run_id)
        if found is None or not _fits(found, reward, small=small):
            continue
        if trained is None or has_trained(found) is trained:
            return found
    return None


def has_trained(found: Published) -> bool:
    """Tell whether a trained lab played."""
    return any(row.kind == MODEL for row in found.rows)


def _fits(found: Published, reward: RewardMix, *, small: bool) -> bool:
    suites = found.made.suites
    mixed = all(f"@{reward}-" in suite.id for suite in suites)
    return mixed and len(suites) == 3 and (found.made.episodes < ENOUGH) is small
