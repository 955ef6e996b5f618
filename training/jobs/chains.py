"""Stages that are asked for together: each begins with the model of the one before."""

from collections.abc import Sequence
from typing import Any

import msgspec
from django.db import transaction

from training.evaluation.errors import BadPlan
from training.evaluation.folder import Folder
from training.evaluation.plan import make_plan
from training.jobs.beginnings import Beginning
from training.jobs.selecting import NotSelectable, ensure_selectable
from training.models import EVALUATE, Run
from training.runs import lifecycle
from training.runs.code_version import code_version
from training.stages.registry import make_config
from training.stages.running import open_stage
from training.stages.settings import Stage, StageConfig

RIVALS = ("rules:smart", "rules:linear")
"""Whom the result of a chain is compared with."""

TOY_SUITES = ("single_deal", "asymmetric_pressure")
EPISODES = {"toy": 4, "mini": 100, "large": 100}
"""Bargains per policy and suite at a chain's end, where nothing else is said."""


MARKET_CHAIN = "market-chain"
"""What the command calls the stages of a lab."""


def stages_of(size: str, begins_with_model: bool) -> tuple[Stage, ...]:
    """Name the stages that lead to a whole model: from nothing, there are two more.

    The league makes the teacher, base the pupil.
    """
    polish: tuple[Stage, ...] = ("sft", "grpo", "dpo")
    return polish if begins_with_model or size == "large" else ("league", "base", *polish)


@transaction.atomic
def open_chain(
    configs: Sequence[StageConfig],
    name: str,
    *,
    begin: Beginning | None = None,
    episodes: int = 0,
    waits: bool = True,
) -> list[Run]:
    """Write a chain down, in the order in which it is played.

    Args:
        configs: of the stages, first to last.
        name: of the chain; its runs are called ``name-sft`` and so on.
        begin: the model of the first stage, where that is not made from nothing.
        episodes: of the evaluation at the end, per policy and suite; 0 for none.
        waits: all are for the worker.

    Raises:
        BadConfig: a stage cannot be played.
    """
    begin = begin or Beginning()
    opened: list[Run] = []
    for config in configs:
        opened.append(
            open_stage(
                config,
                f"{name}-{config.stage}",
                source="" if opened else begin.source,
                after=opened[-1] if opened else begin.after,
                waits=waits,
            )
        )
    if episodes:
        opened.append(_evaluation(opened[-1], f"{name}-evaluation", configs[-1], episodes))
    # What it begins with has its own history.
    Run.objects.filter(pk__in=[run.pk for run in opened]).update(chain=opened[0].pk)
    return opened


def make_configs(size: Any, seed: int, begins_with_model: bool) -> list[StageConfig]:
    """Make the settings of a chain from what a size has by default.

    Raises:
        BadConfig: there is no such size, or the seed is out of range.
    """
    return [make_config(stage, size, seed=seed) for stage in stages_of(size, begins_with_model)]


def pin_plan(run: Run) -> None:
    """Decide what the evaluation at a chain's end plays, now that its model is there.

    The model becomes selectable under the chain's name: that is how the evaluation finds it.

    Raises:
        BadPlan: there is no model to evaluate.
    """
    told: dict[str, Any] = run.config
    if run.after is None:
        raise BadPlan("The run whose model this evaluates is gone.")
    try:
        buyer = ensure_selectable(run.after, run.name.removesuffix("-evaluation"))
    except NotSelectable as wrong:
        raise BadPlan(str(wrong)) from wrong
    suites = TOY_SUITES if told["size"] == "toy" else ("all",)
    plan = make_plan(
        [buyer, *RIVALS],
        list(suites),
        episodes=told["episodes"],
        seed=told["seed"],
        commit=code_version(),
    )
    run.config, run.total = msgspec.to_builtins(plan), plan.bargains
    run.seeds = lifecycle.seeds_of(plan.seed, {one.id: one.games for one in plan.suites})
    run.save(update_fields=["config", "total", "seeds"])
    Folder(lifecycle.folder_of(run)).make(plan)


def _evaluation(after: Run, name: str, last: StageConfig, episodes: int) -> Run:
    told = {"stage": EVALUATE, "size": last.size, "episodes": episodes, "seed": last.seed}
    return lifecycle.open_run(
        name[:40], kind=EVALUATE, config=told, seeds={"first": last.seed}, total=1,
        waits=True, after=after,
    )  # fmt: skip
