"""The pages on which staff start a run: a form for every stage, for a chain, for an evaluation."""

from typing import Any

import msgspec
from django.db import transaction
from django.http import HttpRequest

from training import jobs
from training.chains import open_chain
from training.evaluation.errors import EvaluationError
from training.evaluation.running import open_evaluation
from training.forms import EvaluationForm
from training.kinds import EVALUATE, KINDS
from training.markets.forms import MarketEvaluationForm
from training.models import Run
from training.stage_forms import ChainForm, StageForm, size_named
from training.stages.registry import CONFIGS
from training.stages.running import open_stage
from training.stages.settings import SIZES, BadConfig, sizes_of

CHAIN = "chain"
MARKET = "evaluate-market"
"""What an address asks for; the run is an evaluation like any other."""

WORDS = {
    EVALUATE: "Every buyer meets the same games against the pinned sellers. The worker plays, one "
    "run at a time; it can be cancelled and goes on later.",
    MARKET: "Every policy plays the first lab in the same held-out worlds, on the same luck; the "
    "others follow their archetypes. The worker plays, one run at a time; it can be cancelled and "
    "goes on later.",
    CHAIN: "SFT, GRPO and DPO, each from the model before it, then an evaluation of the result, "
    "which players can choose from then on. From nothing, a model is pretrained first. Each is "
    "a run of its own: one that is cancelled or fails holds the rest up until it is resumed.",
}

AnyForm = EvaluationForm | StageForm | ChainForm


class Starting(msgspec.Struct, frozen=True):
    """What is to be started: its form, and where else one may go."""

    what: str
    size: str
    title: str
    words: str
    form: AnyForm
    tabs: tuple[tuple[str, str], ...]
    sizes: tuple[str, ...]


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
    sizes: tuple[str, ...] = SIZES
    form: AnyForm
    if what == CHAIN:
        title, words, form = "Start a chain", WORDS[CHAIN], ChainForm(size, data)
    elif what in CONFIGS:
        stage = next(name for name in CONFIGS if name == what)
        sizes = sizes_of(stage)
        size = size if size in sizes else "toy"
        title, words = f"Start {KINDS[what].title}", str(CONFIGS[stage].__doc__)
        form = StageForm(stage, size, data)
    elif what == MARKET:
        title, words = "Start an evaluation in the market", WORDS[MARKET]
        form, sizes = MarketEvaluationForm(data), ()
    else:
        what, title, words = EVALUATE, "Start an evaluation", WORDS[EVALUATE]
        form, sizes = EvaluationForm(data), ()
    return Starting(what, size, title, words, form, tabs, sizes)


def start(form: AnyForm) -> Run | None:
    """Write down what a valid form asks for; what cannot be is told in the form.

    Returns:
        The first run; None when nothing was started.
    """
    try:
        jobs.check_room()
        with transaction.atomic():
            return _opened(form)
    except (EvaluationError, BadConfig, jobs.TooMany, OSError) as wrong:
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
