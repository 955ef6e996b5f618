"""What staff fill in to start an evaluation in the market."""

from django import forms

from arena.gpu_market.engine import TASKS
from arena.gpu_market.policies.registry import EXPLOITS, POLICIES, names
from training.forms import EvaluationForm
from training.markets import worlds
from training.markets.players import title_of


class MarketEvaluationForm(EvaluationForm):
    """Which policies of the market play which tasks, under which rewards."""

    domain_prefix = worlds.PREFIX

    variant = forms.ChoiceField(
        label="reward",
        choices=[(name, name) for name in worlds.REWARDS],
        initial=worlds.REWARDS[0],
        help_text="published keeps the holes of the mix that was published elsewhere, in the "
        "rules too.",
    )

    def choose(self) -> None:
        """Offer every policy of the market, and its tasks."""
        self.offer("policies", [(one, title_of(one)) for one in names()], (*POLICIES, *EXPLOITS))
        tasks = [
            (f"{worlds.PREFIX}{one.name}", worlds.MarketSuite(one, "default")) for one in TASKS
        ]
        self.offer("suites", [(id_, row.title) for id_, row in tasks], [id_ for id_, _ in tasks])
        self.fields["episodes"].help_text = "Markets per policy and task."
        self.fields["seed"].help_text = "Held-out seeds to pass over."
