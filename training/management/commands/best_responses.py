"""``manage.py best_responses``: search the bounds that tables of the population show."""

from argparse import ArgumentParser
from typing import Any

import torch
from django.core.management.base import BaseCommand, CommandError

from agents.buyers import unbound
from agents.buyers.network import Card, digest_of, save_network
from agents.buyers.network_buyer import network_in
from bazaarbatna.bargain.people.suites import MIXTURE, people_suite, people_suite_ids
from negotiation.code_version import code_version
from training.evaluation.ceilings.people import NETWORKS, folder_of
from training.stages.config import LeagueConfig
from training.stages.league.learning import respond_to
from training.stages.registry import make_config


class Command(BaseCommand):
    """Trains one network for each suite of the population, on the suite's own families."""

    help = "Search an approximate best response to every suite of people (docs/evaluation.md)."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--suites", default="all", help="ids with commas; all without it")
        parser.add_argument("--steps", type=int, default=150, help="of 2,048 games each")

    def handle(self, *args: Any, **options: Any) -> None:
        torch.set_num_threads(1)
        told = options["suites"]
        suites = people_suite_ids() if told == "all" else tuple(told.split(","))
        begin = dict(network_in(NETWORKS / MIXTURE)[0].weights)
        config = make_config(
            "league", "mini", steps=options["steps"], games=2048, learning_rate=1e-3
        )
        assert isinstance(config, LeagueConfig)
        for suite_id in suites:
            suite = people_suite(suite_id)
            if suite is None:
                raise CommandError(
                    f"There is no suite {suite_id[:60]!r}. Known: {', '.join(people_suite_ids())}."
                )
            found = respond_to(suite.families, begin, config)
            name = suite_id.partition("@")[0]
            card = Card(
                name=f"best-response-{name}", title=f"Best response to {suite.title}",
                features=unbound.VERSION, digest=digest_of(found.weights), stage="best-response",
                commit=code_version(),
            )  # fmt: skip
            save_network(folder_of(suite_id), found.weights, card)
            self.stdout.write(
                f"{suite_id}: {found.before:.3f} before, {found.share:.3f} after, deals "
                f"{found.deals:.3f}"
            )
