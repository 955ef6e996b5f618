"""``manage.py ablate``: one trained buyer with tells and steering on and off."""

from argparse import ArgumentParser
from typing import Any

from negotiation.code_version import code_version
from training.evaluation import BadPlan
from training.evaluation.command import PlayingCommand, names, number
from training.evaluation.plan import plan_of, suite_fact, suites_of
from training.evaluation.published import ABLATION
from training.models import Run
from training.pages.public.board import arms_of


class Command(PlayingCommand):
    """Plays the four arms on paired seeds; killed at any point, ``evaluate --resume`` goes on."""

    help = "Measure what reading tells and steering change for a trained buyer (docs/training.md)."
    has_suites = True

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--policy", help="a trained buyer, for example sauda-mini")

    def open(self, options: dict[str, Any]) -> Run:
        if not options["policy"]:
            raise BadPlan("Name a trained buyer, for example --policy sauda-mini.")
        episodes = number(options, "episodes", 200)
        suites = suites_of(names(options["suites"] or "all"), options["variant"] or "sampled")
        plan = plan_of(
            arms_of(options["policy"]),
            [suite_fact(one, max(episodes, 1)) for one in suites],
            episodes=episodes,
            seed=number(options, "seed", 0),
            commit=code_version(),
        )
        return self.opened(plan, options, "ablation", ABLATION)
