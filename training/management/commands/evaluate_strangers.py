"""``manage.py evaluate_strangers``: buyers against talking sellers that no training has met."""

from argparse import ArgumentParser
from typing import Any

from negotiation.code_version import code_version
from training.evaluation import BadPlan
from training.evaluation.command import PlayingCommand, names, number
from training.evaluation.published import STRANGERS
from training.models import Run
from training.sellers.seller_evaluation import plan_for


class Command(PlayingCommand):
    """Evaluate policies on strangers; killed at any point, ``evaluate --resume`` goes on."""

    help = "Let policies bargain with the house's talking sellers and sum up (docs/training.md)."
    samples = ""

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--policies", help="names with commas; or: rules, all")
        parser.add_argument("--sellers", help="default, firm, ... with commas; all without it")

    def open(self, options: dict[str, Any]) -> Run:
        if not options["policies"]:
            raise BadPlan("Name the policies, for example --policies sauda,rules:smart; or rules.")
        plan = plan_for(
            names(options["policies"]),
            names(options["sellers"] or "all"),
            episodes=number(options, "episodes", 200),
            seed=number(options, "seed", 0),
            commit=code_version(),
        )
        return self.opened(plan, options, "strangers", STRANGERS)
