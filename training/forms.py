"""What staff fill in to start an evaluation."""

from collections.abc import Sequence
from typing import Any

from django import forms

from negotiation.engine.suites import VARIANTS
from negotiation.engine.tasks import SUITES
from training.code_version import code_version
from training.evaluation.domain import domain_of
from training.evaluation.errors import BadPlan
from training.evaluation.plan import MOST_SEED, Plan, named
from training.runs import NAME

MOST_EPISODES = 5_000
"""From a browser; the command takes more."""


class EvaluationForm(forms.Form):
    """Which buyers play what. A valid form has a ``plan``.

    Another domain has a form of its own, with other choices: ``domain_prefix`` is what ids of its
    suites begin with.
    """

    domain_prefix = ""

    name = forms.RegexField(
        rf"\A{NAME.pattern}\Z",
        initial="evaluation",
        max_length=40,
        error_messages={"invalid": "Small letters, digits and hyphens, at most 40."},
    )
    policies = forms.MultipleChoiceField(widget=forms.CheckboxSelectMultiple)
    suites = forms.MultipleChoiceField(widget=forms.CheckboxSelectMultiple)
    variant = forms.ChoiceField(
        choices=[(name, name) for name in VARIANTS],
        initial="sampled",
        help_text="fixed has the same prices in every game, as published elsewhere.",
    )
    episodes = forms.IntegerField(
        min_value=1,
        max_value=MOST_EPISODES,
        initial=200,
        help_text="Bargains per policy and suite; careers play whole games until they reach it.",
    )
    seed = forms.IntegerField(min_value=0, max_value=MOST_SEED, initial=0)

    plan: Plan

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.choose()

    def choose(self) -> None:
        """Offer the buyers and the suites; those that play by rule are ticked."""
        buyers = [(one.name, f"{one.title} ({one.version})") for one in named("all")]
        self.offer("policies", buyers, [one.name for one in named("rules")])
        suites = [(row.name, row.title) for row in SUITES]
        self.offer("suites", suites, [name for name, _ in suites])

    def offer(self, field: str, choices: Sequence[tuple[str, str]], ticked: Sequence[str]) -> None:
        """Fill a list of choices.

        Args:
            field: its name.
            choices: pairs of a value and what people read.
            ticked: values that are chosen at first.
        """
        boxes = self.fields[field]
        assert isinstance(boxes, forms.MultipleChoiceField)
        boxes.choices, boxes.initial = list(choices), list(ticked)

    def clean(self) -> dict[str, Any]:
        """Check the whole as the command does."""
        data = super().clean() or {}
        if self.errors:
            return data
        try:
            self.plan = domain_of(self.domain_prefix).make_plan(
                data["policies"],
                data["suites"],
                episodes=data["episodes"],
                seed=data["seed"],
                variant=data["variant"],
                commit=code_version(),
            )
        except BadPlan as wrong:
            raise forms.ValidationError(str(wrong)) from wrong
        return data
