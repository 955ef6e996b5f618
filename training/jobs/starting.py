"""The pages on which staff start a run: a form for every stage, for a chain, for an evaluation."""

from collections.abc import Sequence
from typing import Any

import msgspec
from django import forms
from django.db import transaction
from django.http import HttpRequest

from bazaarbatna.bargain.suites import VARIANTS
from bazaarbatna.bargain.tasks import SUITES
from bazaarbatna.market import TASKS
from bazaarbatna.market.policies.registry import EXPLOITS, POLICIES, names
from negotiation.code_version import code_version
from training.evaluation import BadPlan, EvaluationError
from training.evaluation.domain import domain_of
from training.evaluation.markets.players import PREFIX, REWARDS, MarketSuite, title_of
from training.evaluation.plan import MOST_SEED, Plan, named
from training.evaluation.running import open_evaluation
from training.jobs import worker
from training.jobs.chains import open_chain
from training.jobs.stage_forms import ChainForm, StageForm, size_named
from training.models import EVALUATE, KINDS, Run
from training.runs.lifecycle import NAME
from training.stages.registry import CONFIGS
from training.stages.running import open_stage
from training.stages.settings import SIZES, BadConfig, sizes_of

MOST_EPISODES = 5_000  # From a browser; the command takes more
CHAIN = "chain"
MARKET = "evaluate-market"  # What an address asks for; the run is an evaluation like any other


class EvaluationForm(forms.Form):
    """Which buyers play what. A valid form has a ``plan``.

    Each domain has a form of its own; ``domain_prefix`` begins the ids of its suites.
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
        """Fill a list of choices."""
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


class MarketEvaluationForm(EvaluationForm):
    """Which policies of the market play which tasks, under which rewards."""

    domain_prefix = PREFIX

    variant = forms.ChoiceField(
        label="reward",
        choices=[(name, name) for name in REWARDS],
        initial=REWARDS[0],
        help_text="published keeps the holes of the mix that was published elsewhere, in the "
        "rules too.",
    )

    def choose(self) -> None:
        """Offer every policy of the market, and its tasks."""
        self.offer("policies", [(one, title_of(one)) for one in names()], (*POLICIES, *EXPLOITS))
        tasks = [(f"{PREFIX}{one.name}", MarketSuite(one, "default")) for one in TASKS]
        self.offer("suites", [(id_, row.title) for id_, row in tasks], [id_ for id_, _ in tasks])
        self.fields["episodes"].help_text = "Markets per policy and task."
        self.fields["seed"].help_text = "Held-out seeds to pass over."


AnyForm = EvaluationForm | StageForm | ChainForm


class Starting(msgspec.Struct, frozen=True):
    """What is to be started: its form, and where else one may go."""

    what: str
    size: str
    title: str
    form: AnyForm
    tabs: tuple[tuple[str, str], ...]
    sizes: tuple[str, ...] = ()
    about: str = ""


def starting(request: HttpRequest) -> Starting:
    """Read from the address what is to be started (``?what=sft&size=mini``)."""
    what, size = request.GET.get("what", EVALUATE), size_named(request.GET.get("size", "toy"))
    data = request.POST or None
    tabs = (
        (CHAIN, "Chain"),
        *((name, KINDS[name].title) for name in CONFIGS),
        (EVALUATE, "Evaluation"),
        (MARKET, "Evaluation in the market"),
    )
    if what == CHAIN:
        return Starting(what, size, "Start a chain", ChainForm(size, data), tabs, SIZES)
    if what in CONFIGS:
        stage = next(name for name in CONFIGS if name == what)
        sizes = sizes_of(stage)
        size = size if size in sizes else "toy"
        title, about = f"Start {KINDS[what].title}", str(CONFIGS[stage].__doc__)
        return Starting(what, size, title, StageForm(stage, size, data), tabs, sizes, about)
    if what == MARKET:
        title = "Start an evaluation in the market"
        return Starting(what, size, title, MarketEvaluationForm(data), tabs)
    return Starting(EVALUATE, size, "Start an evaluation", EvaluationForm(data), tabs)


def start(form: AnyForm) -> Run | None:
    """Write down what a valid form asks for; None when nothing was started: the form tells why."""
    try:
        worker.check_room()
        with transaction.atomic():
            return _opened(form)
    except (EvaluationError, BadConfig, worker.TooMany, OSError) as wrong:
        form.add_error(None, str(wrong))
        return None


def _opened(form: AnyForm) -> Run:
    told: dict[str, Any] = form.cleaned_data
    match form:
        case EvaluationForm():
            return open_evaluation(form.plan, told["name"], waits=True)
        case StageForm():
            begin = form.begins
            return open_stage(
                form.config, told["name"], source=begin.source, after=begin.after, waits=True
            )
        case ChainForm():
            opened = open_chain(
                form.configs, told["name"], begin=form.begins, episodes=told["episodes"]
            )
            return opened[0]
