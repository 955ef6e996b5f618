"""How long the list of replays takes to find things among many games.

    python -m tests.benchmarks.replay_shelf --games 100000
    python -m tests.benchmarks.replay_shelf --games 100000 --postgres

Milliseconds of ``browse`` and of the rows it gives, without HTTP and templates. ``--plans`` also
prints how the database goes about it.
"""

import argparse
import datetime as dt
import os
import random
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import islice
from types import SimpleNamespace
from typing import Any

from tests.support.services import Postgres

BATCH = 2000
START = dt.datetime(2026, 1, 1, tzinfo=dt.UTC)
ME = "benchmark-visitor"
THINGS = (
    *("Prestige pressure cooker", "Hero Ranger cycle", "Usha sewing machine", "Brass lamp"),
    *("Godrej almirah", "Bajaj Chetak scooter", "HMT watch", "Kanjivaram saree", "Atlas bicycle"),
    *("Philips mixer", "Casio keyboard", "LG fridge", "Sony television", "Teak dining table"),
)
MARKS = ("1985", "red", "with bill", "like new", "large", "small dent", "boxed", "family owned")
CATEGORIES = ("kitchen", "sports", "furniture", "music", "phones", "vehicles")
KINDS = (("person", 12), ("simulation", 70), ("arena", 6), ("what-if", 11), ("import", 1))
SUITES = ("single_deal@sampled-1", "career_10@sampled-1", "deceptive_seller@sampled-1")
BUYERS = ("sauda", "aggressive", "smart", "linear", "boulware", "split")
PERSONAS = ("default", "deceptive", "impatient", "collaborative")


def main() -> None:
    """Fill a database of its own and ask it everything."""
    asked = argparse.ArgumentParser()
    asked.add_argument("--games", type=int, default=100_000)
    asked.add_argument("--repeats", type=int, default=30)
    asked.add_argument("--postgres", action="store_true")
    asked.add_argument("--plans", action="store_true")
    asked.add_argument("--analyze", action="store_true", help="collect statistics first")
    wanted = asked.parse_args()
    with tempfile.TemporaryDirectory() as folder, _database(folder, postgres=wanted.postgres):
        measure(wanted.games, wanted.repeats, plans=wanted.plans, analyze=wanted.analyze)


@contextmanager
def _database(folder: str, *, postgres: bool) -> Iterator[None]:
    os.environ["BAZAAR_DATA_DIR"] = os.environ.get("SHELF_DATA", folder)
    os.environ["DJANGO_SETTINGS_MODULE"] = "bazaar_site.settings"
    if not postgres:
        yield
        return
    with Postgres() as service:
        os.environ["DATABASE_URL"] = service.url
        yield


def measure(games: int, repeats: int, *, plans: bool, analyze: bool) -> None:
    """Print one line for each question."""
    import django

    django.setup()
    from django.core.management import call_command
    from django.db import connection

    call_command("migrate", verbosity=0)
    began = time.perf_counter()
    fill(games)
    if analyze:
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE")
    print(f"{connection.vendor}: {games:,} games in {time.perf_counter() - began:.1f} s")
    print(f"{'':38}{'p50 ms':>8}{'p95 ms':>8}{'found':>9}")
    for name, ask in questions().items():
        report(name, ask, repeats)
        if plans:
            explain(ask)
    whole_page()  # the templates are read once
    report("/replays/ as a whole page", whole_page, repeats)
    connection.close()


def whole_page() -> Any:
    """Ask for the page as a browser does, template included, and read its count."""
    from django.test import Client

    html = Client().get("/replays/", SERVER_NAME="localhost").content.decode()
    counted = html.partition("shelf-count")[2].partition(" haggle")[0]
    return SimpleNamespace(count_text=counted.rpartition(">")[2])


def report(name: str, ask: Callable[[], Any], repeats: int) -> None:
    """Ask a few times and print the middle and the slow end."""
    took = []
    for _ in range(repeats):
        began = time.perf_counter()
        found = ask()
        took.append((time.perf_counter() - began) * 1000)
    took.sort()
    slow = took[min(len(took) - 1, int(len(took) * 0.95))]
    print(f"{name:38}{statistics.median(took):8.1f}{slow:8.1f}{found.count_text:>9}", flush=True)


def explain(ask: Callable[[], Any]) -> None:
    """Print the plan of every query of one question."""
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    with CaptureQueriesContext(connection) as seen:
        ask()
    with connection.cursor() as cursor:
        word = "EXPLAIN QUERY PLAN" if connection.vendor == "sqlite" else "EXPLAIN ANALYZE"
        for query in seen.captured_queries:
            if query["sql"].startswith("SELECT"):
                cursor.execute(f"{word} {query['sql']}".replace("%", "%%"), [])
                for row in cursor.fetchall():
                    print("      ", row[-1])


def questions() -> dict[str, Callable[[], Any]]:
    """Name everything that is asked."""
    from replays.browse.shelf import SORTS, Filters, browse
    from replays.browse.views import rows_of

    def ask(**wanted: Any) -> Callable[[], Any]:
        cursors = {name: wanted.pop(name) for name in ("older", "newer") if name in wanted}

        def run() -> Any:
            shelf = browse(ME, Filters(**wanted), **cursors)
            rows_of(shelf.games)
            return shelf

        return run

    def deep(pages: int, **wanted: Any) -> str:
        older = ""
        for _ in range(pages):
            older = browse(ME, Filters(**wanted), older=older).older or older
        return older

    asked = {"first page": ask(), "page 200": ask(older=deep(200))}
    for sort, _ in SORTS[1:]:
        asked[f"sort {sort}"] = ask(sort=sort)
        asked[f"sort {sort}, page 100"] = ask(sort=sort, older=deep(100, sort=sort))
    for name, value in (
        *(("outcome", "expired"), ("source", "person"), ("source", "what-if")),
        *(("source", "import"), ("suite", SUITES[0]), ("suite", "nothing@1")),
        *(("policy", "sauda"), ("policy", "rare"), ("persona", "deceptive"), ("mine", True)),
    ):
        asked[f"{name}={value}"] = ask(**{name: value})
    for words in ("cooker", "cycle red", "serial 000777", "unicorn", "e", "unicorn almirah"):
        asked[f"search {words!r}"] = ask(title=words)
        asked[f"search {words!r}, by price"] = ask(title=words, sort="price")
    asked["rare policy, by price"] = ask(policy="rare", sort="price")
    asked["rare persona+search, by rounds"] = ask(persona="rare", title="cooker", sort="rounds")
    return asked


def fill(games: int) -> None:
    """Store finished games of all kinds, each with its opening event."""
    from negotiation.models import EventRow, Game

    if Game.objects.count() >= games:
        return
    rng = random.Random(7)
    made = (a_game(rng, number) for number in range(games))
    while batch := list(islice(made, BATCH)):
        Game.objects.bulk_create(batch)
        EventRow.objects.bulk_create(
            EventRow(game=game, seq=1, kind="opened", payload=opening(game)) for game in batch
        )


def a_game(rng: random.Random, number: int) -> Any:
    """Draw one finished game."""
    from negotiation.models import Game
    from negotiation.words import fold

    names, weights = zip(*KINDS, strict=True)
    source = rng.choices(names, weights)[0]
    title = f"{rng.choice(THINGS)}, {rng.choice(MARKS)}, serial {number:06}"
    category = rng.choice(CATEGORIES)
    deal = rng.random() < 0.7
    share = rng.random()
    return Game(
        kind={"simulation": "sim", "arena": "arena"}.get(source, "sell"),
        owner=ME if rng.random() < 0.0005 else f"visitor-{number % 5000}",
        title=title,
        category=category,
        description="Kept well, sold because we are moving. " * 4,
        search_text=fold(f"{title} {category}"),
        policy="rare" if number % 20_000 == 9 else rng.choice(BUYERS),
        policy_version="buyer@1#0123456789abcdef",
        share_replay=rng.random() < 0.9,
        status="ended",
        outcome="deal" if deal else rng.choice(("walk", "expired")),
        deal_price=rng.randrange(1_000, 9_000_000) if deal else None,
        buyer_share=share if deal else None,
        seller_share=1 - share if deal else None,
        rounds_used=rng.randrange(1, 11),
        ended_at=START + dt.timedelta(seconds=60 * number + rng.randrange(3600)),
        source=source,
        suite="sell@1" if source == "person" else rng.choice(SUITES),
        persona=rng.choice(PERSONAS),
        parent=None,
        certificate={"side": "buyer", "checks": [{"name": "limit", "checked": 9, "broken": 0}] * 4},
    )


def opening(game: Any) -> bytes:
    """Write an opening event for a game."""
    from bazaarbatna.bargain.events import Opened
    from bazaarbatna.bargain.scenario import Item
    from negotiation.games.event_log import to_payload

    item = Item(game.title, game.category)
    price = (game.deal_price or 100_000) * 2
    return to_payload(Opened(game.suite, item, 10, price, "human", "0" * 64))


if __name__ == "__main__":
    main()
