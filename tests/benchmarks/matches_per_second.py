"""How many matches one process plays: ``python -m tests.benchmarks.matches_per_second``.

The usual four buyers over all sample listings and personas, the seller and the rules alone (buyers
that cost nothing), and a whole commentary.
"""

import argparse
import os
import platform
import statistics
from collections.abc import Callable

import django
import msgspec
from django.apps import apps

if not apps.ready:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "bazaar_site.settings")
    django.setup()

from arena.auction.web.buyers import player_of
from arena.auction.web.game import Crossroads
from arena.auction.web.what_if import commentary
from bazaarbatna.auction.events import ArenaEvent
from bazaarbatna.auction.match import fold
from bazaarbatna.auction.observe import play_match
from tests.benchmarks.rates import measure, report
from tests.support.matches import a_full_match, chancer, envelopes

RUNS = 3


def with_players(number: int) -> tuple[ArenaEvent, ...]:
    """Play match ``number`` among the usual four."""
    scenario = a_full_match(number)
    return play_match(scenario, lambda seat: player_of(scenario, seat))


def rules_alone(number: int) -> tuple[ArenaEvent, ...]:
    """Play it among buyers that draw lots."""
    return play_match(a_full_match(number), lambda seat: chancer(number))


def main() -> None:
    """Measure, print, judge nothing."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=300, help="matches per run")
    matches = parser.parse_args().matches
    print(f"{matches} matches of four buyers a run, median of {RUNS} runs, one process")
    print(f"Python {platform.python_version()}, msgspec {msgspec.__version__}")
    logs = [with_players(number) for number in range(matches)]

    def pairs(number: int) -> object:
        one = envelopes(logs[number])[len(envelopes(logs[number])) // 2]
        at = Crossroads(a_full_match(number), logs[number], logs[number].index(one) + 1)
        return at.gains(one.move, 10)

    work: tuple[tuple[str, str, Callable[[int], object], int], ...] = (
        ("the house's buyers", "matches/s", with_players, matches),
        ("rules and seller alone", "matches/s", rules_alone, matches),
        ("fold of a whole log", "logs/s", lambda n: fold(a_full_match(n), logs[n]), matches),
        ("commentary", "comments/s", lambda n: commentary(a_full_match(n), logs[n]), matches),
        ("ten paired continuations", "moves/s", pairs, max(matches // 10, 1)),
    )
    for name, unit, do, times in work:
        report(name, unit, [measure(do, times) for _ in range(RUNS)])
    events = statistics.fmean(map(len, logs))
    size = statistics.fmean(len(msgspec.json.encode(log)) for log in logs)
    print(f"{'events per match':<28}{events:>9.1f}   {size:,.0f} bytes as JSON without words")


if __name__ == "__main__":
    main()
