"""Let policies play against the suites' sellers and keep the games as replays."""

from argparse import ArgumentParser
from random import Random
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from bazaarbatna.bargain.errors import UnknownSuite
from bazaarbatna.bargain.tasks import suite, suite_ids
from negotiation.policies import UnknownPolicy, policy
from replays.simulating import Simulated, play_examples, simulate, store

BUYERS = ("sauda", "rules:smart", "rules:aggressive", "rules:boulware")


class Command(BaseCommand):
    """Play and keep a number of games; the same arguments play the same games."""

    help = "Play games between buyers and the suites' sellers and keep them as replays."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--suite", action="append", help="a suite's id; all sampled ones without one"
        )
        parser.add_argument("--buyer", action="append", help="a policy; four of them without one")
        parser.add_argument("--games", type=int, default=48, help="how many games in all")
        parser.add_argument("--seed", type=int, default=1, help="seed of the first game")
        parser.add_argument(
            "--examples", action="store_true", help="only the house's examples, where they lack"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if options["examples"]:
            self.stdout.write(f"{play_examples()} examples recorded.")
            return
        suites, buyers = options["suite"] or _sampled(), options["buyer"] or BUYERS
        try:
            for name in suites:
                suite(name)
            sides = {policy(name).side for name in buyers}
        except (UnknownSuite, UnknownPolicy) as wrong:
            raise CommandError(str(wrong.args[0])) from wrong
        if sides != {"buyer"} or options["games"] < 0 or options["seed"] < 0:
            raise CommandError("Name policies that buy, and give games and seed as 0 or more.")
        played = _play(suites, buyers, options["games"], options["seed"])
        self.stdout.write(f"{len(store(played))} games recorded.")


def _sampled() -> tuple[str, ...]:
    # Fixed suites always sell the same thing for the same price: dull to browse.
    return tuple(name for name in suite_ids() if "@sampled" in name)


def _play(
    suites: tuple[str, ...], buyers: tuple[str, ...], wanted: int, seed: int
) -> list[Simulated]:
    played: list[Simulated] = []
    number = 0
    while len(played) < wanted:
        lap, place = divmod(number, len(suites))
        buyer = buyers[(place + lap) % len(buyers)]
        played += simulate(suites[place], buyer, seed + number)
        number += 1
    del played[wanted:]
    # A career is ten games of one pair: shuffled, the shelf begins with a mixture.
    Random(seed).shuffle(played)
    return played
