"""How often the board's intervals hold the truth, and how long it takes.

    python -m tests.benchmarks.leaderboard --worlds 400

Coverage of 95 % intervals on games made from known strengths; milliseconds of rating the receipts
that ship with the code, and of a page (Django's test client, templates included, median); the games
that the house plays in people's chairs.
"""

import argparse
import os
import statistics
import tempfile
import time
from collections.abc import Callable


def main() -> None:
    """Measure and print."""
    asked = argparse.ArgumentParser()
    asked.add_argument("--worlds", type=int, default=400)
    asked.add_argument("--pages", type=int, default=50)
    asked.add_argument("--goods", type=int, help="the house spars over fewer than the site's")
    wanted = asked.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.environ["BAZAAR_DATA_DIR"] = folder
        os.environ["BAZAAR_ALLOWED_HOSTS"] = "testserver"
        os.environ["DJANGO_SETTINGS_MODULE"] = "bazaar_site.settings"
        import django

        django.setup()
        coverage(wanted.worlds)
        speed(wanted.pages, wanted.goods)


def coverage(worlds: int) -> None:
    """Print how often the truth is inside."""
    from tests.support.rated_worlds import hold_far, hold_few, hold_paired

    for seeds in (40, 200):
        alone, paired = hold_paired(seeds, seeds, worlds)
        print(
            f"{seeds} shared seeds: {alone.rate:.3f} of {alone.trials} ratings, "
            f"{paired.rate:.3f} of {paired.trials} paired differences"
        )
    for logits in (1.5, 2.0, 3.0):
        few, many = (hold_far(seeds, seeds, worlds, logits) for seeds in (40, 200))
        print(
            f"{logits} logits from the middle: {few.rate:.3f} of {few.trials} ratings by 40 "
            f"shared seeds, {many.rate:.3f} by 200"
        )
    few, half_width = hold_few(7, worlds)
    print(
        f"people with 2 to 24 games: {few.rate:.3f} of {few.trials}, "
        f"half width {half_width:.0f} points in the mean"
    )


def speed(pages: int, goods: int | None) -> None:
    """Print how long rating and a page take."""
    from django.core.management import call_command
    from django.test import Client

    from training.leaderboard import policy_table, sparring
    from training.leaderboard.models import Standing

    sparring.GOODS = goods or sparring.GOODS
    call_command("migrate", verbosity=0)
    call_command("load_receipts", verbosity=0)
    Standing.objects.all().delete()
    print(f"rating the newest receipt: {took_ms(policy_table.refresh_policies):.0f} ms")
    call_command("load_catalogue", verbosity=0)
    taken_s = took_ms(sparring.refresh) / 1000
    clusters = sparring.payoffs()[1]
    print(f"the house spars: {len(clusters) // 2:,} games in {taken_s:.1f} s")
    client = Client()
    client.get("/leaderboard/")
    for address in ("/leaderboard/", "/leaderboard/board.json", "/leaderboard/board.csv"):
        taken = [took_ms(lambda address=address: client.get(address)) for _ in range(pages)]
        print(f"{address}: {statistics.median(taken):.0f} ms")


def took_ms(work: Callable[[], object]) -> float:
    """Time one call."""
    started = time.perf_counter()
    work()
    return 1000 * (time.perf_counter() - started)


if __name__ == "__main__":
    main()
