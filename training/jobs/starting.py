"""The pages on which staff start a run: a form for every stage, for a chain, for an evaluation."""

from collections.abc import Sequence
from typing import Any, Literal, cast, get_args, get_origin

import annotated_types as limits
import msgspec
from django import forms
from django.db import transaction
from django.http import HttpRequest
from pydantic import ValidationError
from pydantic.fields import FieldInfo

from bazaarbatna.bargain.suites import VARIANTS
from bazaarbatna.bargain.tasks import SUITES
from bazaarbatna.market import TASKS
from bazaarbatna.market.policies.registry import EXPLOITS, POLICIES, names
from negotiation.code_version import code_version
from training.data.teaching import SUITE_IDS
from training.evaluation import BadPlan, EvaluationError
from training.evaluation.domain import domain_of
from training.evaluation.markets.players import PREFIX, REWARDS, MarketSuite, title_of
from training.evaluation.plan import MOST_SEED, Plan, named
from training.evaluation.running import open_evaluation
from training.jobs import worker
from training.jobs.chains import (
    CHAIN,
    EPISODES,
    NotAllowed,
    RunSpec,
    beginning,
    choices_of,
    make_configs,
)
from training.models import EVALUATE, KINDS, Run
from training.runs.lifecycle import NAME
from training.stages.config import (
    FROM_NOTHING,
    LARGE_BASE,
    LARGE_STAGES,
    MAX_SEED,
    SIZES,
    BadConfig,
    Register,
    Size,
    Stage,
    StageConfig,
    sizes_of,
)
from training.stages.registry import CONFIGS, checked, defaults
from training.stages.running import Beginning

NUMBERS: dict[type, type[forms.IntegerField]] = {int: forms.IntegerField, float: forms.FloatField}
OWN = ("size", "model")  # Settings that are chosen otherwise: by the address, and by ``begin``
LONGEST_NAME = 26  # Of a chain; its runs have longer ones
WHICH_NAME = "Small letters, digits and hyphens."


class End(msgspec.Struct, frozen=True):
    """An end of a range: which attribute holds it, and how a person is told."""

    attribute: str
    words: str = ""


ENDS: dict[type, End] = {
    limits.Ge: End("ge", "from {:,}"),
    limits.Gt: End("gt", "above {:,}"),
    limits.Le: End("le", "up to {:,}"),
    limits.Lt: End("lt", "below {:,}"),
    limits.MultipleOf: End("multiple_of", "in steps of {}"),
    limits.MaxLen: End("max_length"),
}


class NamedForm(forms.Form):
    """A run has a name, and may begin with a model."""

    name = forms.RegexField(
        rf"\A{NAME.pattern}\Z",
        max_length=LONGEST_NAME,
        error_messages={"invalid": WHICH_NAME},
        help_text=WHICH_NAME,
    )
    begin = forms.ChoiceField(
        label="begin with", required=False, help_text="The model whose weights are trained."
    )

    def __init__(self, *args: Any, needs_model: bool, stage: Stage = "sft", **options: Any) -> None:
        super().__init__(*args, **options)
        begin = cast("forms.ChoiceField", self.fields["begin"])
        nothing = [] if needs_model else [("", "nothing: weights made here")]
        begin.choices = [*nothing, *choices_of(stage)]
        begin.required = needs_model

    def spec(self, configs: Sequence[StageConfig], **more: Any) -> RunSpec:
        """Put down what is asked for."""
        choice = self.cleaned_data.get("begin", "")
        begin = beginning(choice) if choice else Beginning()
        name = self.cleaned_data["name"]
        return RunSpec(name=name, configs=tuple(configs), begin=begin, **more)

    def clean_begin(self) -> str:
        """Hold to the list of what may be trained on."""
        choice: str = self.cleaned_data["begin"]
        try:
            if choice:
                beginning(choice)
        except NotAllowed as wrong:
            raise forms.ValidationError(str(wrong)) from wrong
        return choice


class StageForm(NamedForm):
    """One stage. A valid form has a ``config``."""

    config: StageConfig

    def __init__(self, stage: Stage, size: Size, data: Any = None) -> None:
        told = defaults(stage, size)
        start = {"name": f"{size}-{stage}", **told}
        if stage in LARGE_STAGES:
            start["begin"] = f"hub:{LARGE_BASE}"
        super().__init__(
            data,
            initial=start,
            needs_model=stage not in FROM_NOTHING,
            stage=stage,
        )
        self.stage, self.size = stage, size
        for name, about in CONFIGS[stage].model_fields.items():
            if name not in OWN:
                self.fields[name] = _field_for(
                    name, about, {"suites": SUITE_IDS, "languages": get_args(Register)}
                )
        if stage in FROM_NOTHING:
            del self.fields["begin"]

    def clean(self) -> dict[str, Any]:
        """Check the settings as the command does; what is wrong stands at its field."""
        data = super().clean() or {}
        if self.errors:
            return data
        kind = CONFIGS[self.stage]
        told = {name: data[name] for name in kind.model_fields if name in data}
        told["size"] = self.size
        try:
            kind.model_validate(told)
            self.config = checked(self.stage, told)
        except ValidationError as wrong:
            for error in wrong.errors():
                self.add_error(self._field(str(error["loc"][0])), str(error["msg"]))
        except BadConfig as wrong:
            self.add_error(self._field(str(wrong).partition(" ")[0]), str(wrong))
        return data

    def _field(self, name: str) -> str | None:
        return name if name in self.fields else None


class ChainForm(NamedForm):
    """SFT, GRPO, DPO, and an evaluation of the result. A valid form has ``configs``."""

    seed = forms.IntegerField(
        min_value=0,
        max_value=MAX_SEED,
        initial=0,
        help_text="Of games, weights and everything drawn. From 0, up to 999.",
    )
    episodes = forms.IntegerField(
        min_value=1,
        max_value=2_000,
        help_text="Of the evaluation at the end, per policy and suite. From 1, up to 2,000.",
    )

    configs: tuple[StageConfig, ...]

    def __init__(self, size: Size, data: Any = None) -> None:
        start: dict[str, Any] = {"name": size, "episodes": EPISODES[size]}
        is_large = size == "large"
        if is_large:
            start["begin"] = f"hub:{LARGE_BASE}"
        stage: Stage = LARGE_STAGES[0] if is_large else "sft"
        super().__init__(data, initial=start, needs_model=is_large, stage=stage)
        self.size = size

    def clean(self) -> dict[str, Any]:
        """Check all stages."""
        data = super().clean() or {}
        if not self.errors:
            try:
                self.configs = make_configs(self.size, data["seed"], bool(data["begin"]))
            except BadConfig as wrong:
                raise forms.ValidationError(str(wrong)) from wrong
        return data


def _field_for(name: str, about: FieldInfo, choices: dict[str, tuple[str, ...]]) -> forms.Field:
    kind = about.annotation
    common: dict[str, Any] = {"label": label_of(name), "help_text": _help(about)}
    if get_origin(kind) is Literal:
        return forms.ChoiceField(choices=[(one, one) for one in get_args(kind)], **common)
    if get_origin(kind) is tuple:
        pairs = [(one, one) for one in choices[name]]
        widget = forms.CheckboxSelectMultiple
        return forms.MultipleChoiceField(choices=pairs, widget=widget, **common)
    if kind is bool:
        return forms.BooleanField(required=False, **common)
    if kind in NUMBERS:
        field = NUMBERS[kind](**common, **_range(about))
        field.widget.attrs["step"] = "any" if kind is float else 1
        return field
    if kind is str:
        return forms.CharField(required=False, max_length=_limit(about, limits.MaxLen), **common)
    raise TypeError(f"There is no form field for {name}, which is {kind}.")


def label_of(name: str) -> str:
    """Write the name of a setting for people.

    >>> label_of("lora_rank")
    'LoRA rank'
    """
    return name.replace("_", " ").replace("lora", "LoRA")


def _range(about: FieldInfo) -> dict[str, Any]:
    # Of open ends the configuration itself tells.
    ends = {"min_value": _limit(about, limits.Ge), "max_value": _limit(about, limits.Le)}
    return {name: value for name, value in ends.items() if value is not None}


def _limit(about: FieldInfo, kind: type) -> Any:
    found = (one for one in about.metadata if isinstance(one, kind))
    return next((getattr(one, ENDS[kind].attribute) for one in found), None)


def _help(about: FieldInfo) -> str:
    ends = ((end.words, _limit(about, kind)) for kind, end in ENDS.items() if end.words)
    told = ", ".join(words.format(value) for words, value in ends if value is not None)
    return f"{about.description} {told.capitalize()}.".strip() if told else about.description or ""


def size_named(name: str) -> Size:
    """Read a size from an address; a wrong one is the smallest."""
    return next((size for size in SIZES if size == name), SIZES[0])


MOST_EPISODES = 5_000  # From a browser; the command takes more
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
        size = size if size in sizes else sizes[0]
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
            spec = form.spec([form.config])
        case ChainForm():
            spec = form.spec(form.configs, is_chain=True, episodes=told["episodes"])
    return spec.open_all()[0]
