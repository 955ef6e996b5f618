"""Who wins how much in the arena: ``python -m tests.benchmarks.match_results``.

The usual four buyers over all sample listings and personas, each seat in turn; and what theory
would have sold for with the same budgets. The table of docs/arena.md comes from here.
"""

import argparse
import os
import statistics
from collections import Counter, defaultdict

import django
from django.apps import apps

if not apps.ready:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "bazaar_site.settings")
    django.setup()

from bazaarbatna.auction.auction_theory import (
    POSTED_PRICE,
    SECOND_PRICE,
    WITH_RESERVE,
    reference_lines,
)
from bazaarbatna.auction.scenario import ArenaScenario
from bazaarbatna.bargain.quantities import to_rupees
from tests.support.matches import a_full_match, end_of, played


def way(scenario: ArenaScenario, price: float | None) -> float:
    """How far from the reservation price to the anchor a price in rupees lies; 0 without one."""
    if price is None:
        return 0.0
    low, high = to_rupees(scenario.sealed.reservation), to_rupees(scenario.anchor)
    return (price - low) / (high - low)


def main() -> None:
    """Play, print, judge nothing."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=1000)
    matches = parser.parse_args().matches
    wins: Counter[str] = Counter()
    shares: defaultdict[str, list[float]] = defaultdict(list)
    sold: defaultdict[str, list[float]] = defaultdict(list)
    deals = efficient = 0
    for number in range(matches):
        scenario = a_full_match(number)
        ended = end_of(played(scenario))
        for seat, share in zip(scenario.seats, ended.shares, strict=True):
            shares[seat.name].append(share)
        if ended.winner is not None and ended.price is not None:
            deals += 1
            wins[scenario.seats[ended.winner].name] += 1
            budgets = scenario.sealed.budgets
            efficient += budgets[ended.winner] == max(budgets)
        price = None if ended.price is None else to_rupees(ended.price)
        sold["this match"].append(way(scenario, price))
        theory = reference_lines(scenario)
        for name in (POSTED_PRICE, SECOND_PRICE, WITH_RESERVE):
            sold[name].append(way(scenario, theory.get(name)))
    print(f"{matches} matches, {deals} deals, highest budget wins {efficient / deals:.0%}")
    for name, won in wins.most_common():
        print(f"{name:<20}{won:>6} wins   mean share {statistics.fmean(shares[name]):.3f}")
    for name, ways in sold.items():
        print(f"{name:<44}{statistics.fmean(ways):.3f} of the way to the anchor")


if __name__ == "__main__":
    main()
