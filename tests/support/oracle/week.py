"""All surfaces in one run: ``python -m tests.support.oracle.week --depth whole``.

A process of its own, with a database of its own: it prints one line of JSON for each surface,
and then one for each that bits are counted of (``--bits``: only those).
"""

import argparse
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from typing import Any

import msgspec


class Row(msgspec.Struct, frozen=True):
    """One line of the table: ``found`` are the findings in words."""

    surface: str
    worlds: int
    asked: int
    compared: int
    found: list[str]


def surfaces(depth: Any) -> Iterator[tuple[str, Sequence[Any], Callable[[Any], Any], Any]]:
    """Yield what is dealt: a name, the sealed values, the dealing, who asks what."""
    from tests.support.oracle import bargains, days, rooms, tables
    from tests.support.oracle.bargains import by

    own, both = by("asha", depth=depth), by("asha", "chetan", depth=depth)
    others, guest = by("chetan", "nobody", depth=depth), by("chetan", depth=depth)
    budgets, floors, wide = bargains.BUDGETS[:4], bargains.FLOORS[:4], bargains.WIDE
    yield "a sale to Sauda: her budget", budgets, bargains.a_sale("sauda"), both
    deaf = bargains.a_sale("rules:deaf")
    yield "a sale to a buyer whose bids say nothing: its budget", wide, deaf, own
    for seller in ("default", "people-halver"):
        deal = bargains.a_purchase(f"seller:{seller}")
        yield f"a purchase from seller:{seller}: floor and cost", floors, deal, own
    yield "two people: the buyer's budget", wide, bargains.a_table("budget"), both
    lows = (120_000, 119_000, 90_000)
    yield (
        "two people: the seller's floor",
        lows,
        bargains.a_table("reservation"),
        by("bilal", depth=depth),
    )
    yield (
        "a finished game that is kept, its what-ifs and grades",
        wide,
        (bargains.a_private_game),
        others,
    )
    yield "a match: rivals' budgets, the seller's cost", tables.LIMITS, tables.a_match, both
    yield "a match: the seller's floor", tables.FLOORS[:4], tables.a_match, both
    yield "a match: envelopes of this round", tables.ENVELOPES, tables.an_envelope, both
    yield "a market: other labs, luck, shocks to come", tables.CHANGES, tables.a_market, both
    zones = (20_000, 50_000, 90_000)
    yield "today's game, for who has not played", zones, days.a_day, others
    yield "tomorrow's game", zones, days.tomorrow, others
    yield "a puzzle before its answer", (0, 1, 2, 3), days.a_puzzle, guest
    room = by("asha", "chetan", "meera", "omar", "nobody", depth=depth)
    yield (
        "a study while it plays: desk, export, pay, debrief",
        (1700, 1750),
        (rooms.a_live_study),
        room,
    )
    away = by("chetan", "omar", "nobody", depth=depth)
    yield "a study after it, debrief closed", (1700, 1750), rooms.a_played_study, away
    yield "an episode over HTTP: floor and cost", (0, 0, 100, 500), rooms.an_episode, lambda _: []


def rows(depth: Any) -> Iterator[Row]:
    """Measure everything, one row after the other."""
    from tests.support.oracle import bargains, days
    from tests.support.oracle.caches import cache_faults
    from tests.support.oracle.readers import (
        belongings,
        faults_of_reading,
        writing_faults,
    )
    from tests.support.oracle.worlds import a_world, measure

    with bargains.a_deaf_buyer(), days.kept_puzzles():
        for name, variants, deal, asks in surfaces(depth):
            found = measure(name, variants, deal, asks)
            leaks = [str(leak) for leak in found.leaks]
            yield Row(name, found.worlds, found.asks, found.compared, leaks)
    for name, look in (
        ("who may read what, and is told what, by address and reader", faults_of_reading),
        ("who may change what, by address and stranger", writing_faults),
        ("what caches are told, by address", cache_faults),
    ):
        with a_world():
            asked, faults = look(*belongings())
        yield Row(name, 1, asked, asked, faults)


def main() -> None:
    """Make a database, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--depth", default="whole", choices=("few", "quick", "whole", "deep"))
    parser.add_argument("--bits", action="store_true")
    wanted = parser.parse_args()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "bazaar_site.settings")
    import django

    django.setup()
    from django.test.runner import DiscoverRunner
    from django.test.utils import setup_test_environment

    from bazaar_site import celery_app
    from tests.support.oracle import bargains, days
    from tests.support.oracle.information import everything_told

    celery_app.conf.broker_url = "memory://oracle"
    with ExitStack() as stack:
        setup_test_environment()
        runner = DiscoverRunner(verbosity=0, interactive=False)
        databases = runner.setup_databases()
        stack.callback(runner.teardown_databases, databases)
        for row in () if wanted.bits else rows(wanted.depth):
            _print(row)
        with bargains.a_deaf_buyer(), days.kept_puzzles():
            for bits in everything_told():
                _print(bits)


def _print(row: msgspec.Struct) -> None:
    sys.stdout.write(msgspec.json.encode(row).decode() + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
