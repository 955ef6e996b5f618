"""A stage from its row to its summary; it can be stopped anywhere and goes on."""

import gc
import re
import shutil
from collections.abc import Iterator, Sequence
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import IO, Any, cast

import msgspec
from django.utils.module_loading import import_string

from training.evaluation.spreading import Spread
from training.models import Run
from training.runs import lifecycle
from training.runs.lifecycle import at_work
from training.stages.config import (
    BOX,
    FROM_NOTHING,
    LARGE_STAGES,
    STAGES,
    BadConfig,
    LargeConfig,
    Stage,
    StageConfig,
    VoiceSftConfig,
)
from training.stages.registry import checked
from training.stages.work import BEST, CHECKPOINTS, CONFIG, MODEL, SUMMARY, Work

LATER = "later"
HUB_NAME = re.compile(r"[A-Za-z0-9][\w.-]{0,95}/[A-Za-z0-9][\w.-]{0,95}")


class Beginning(msgspec.Struct, frozen=True):
    """A model to begin with: of a run, or else a folder or hub name."""

    source: str = ""
    after: Run | None = None


def open_stage(
    config: StageConfig,
    name: str,
    *,
    source: str = "",
    after: Run | None = None,
    waits: bool = False,
    later: Sequence[StageConfig] = (),
) -> Run:
    """Write a stage down, to be played by ``run_stage``.

    It begins with ``source`` (folder or hub name), or with the model of the run ``after``. Without
    ``waits`` this process begins at once. ``later`` are the stages that ``rest_of`` opens when it
    is done. BadConfig when the name or the beginning is no good.
    """
    if find_spec("trl") is None:
        raise BadConfig("Training needs libraries of its own: `make .venv/bin/.train`.")
    of_hub = config.model if isinstance(config, LargeConfig | VoiceSftConfig) else None
    begin = source or (of_hub if of_hub and after is None else "")
    if source or after:
        config = config.model_copy(update={} if of_hub is None else {"model": ""})
    if config.stage not in FROM_NOTHING and not begin and after is None:
        raise BadConfig(f"{config.stage} begins with a model: name a run or a folder with --from.")
    is_name = of_hub is not None and (begin == BOX or HUB_NAME.fullmatch(begin))
    if begin and not is_name and not Path(begin).is_dir():
        raise BadConfig(
            f"There is no run and no folder {begin[-80:]!r}; a model of the hub is owner/name, and "
            f"for {', '.join(LARGE_STAGES)}."
        )
    check_name(name)
    return lifecycle.open_run(
        name,
        kind=config.stage,
        config={**_told(config), "source": begin}
        | ({LATER: [_told(one) for one in later]} if later else {}),
        seeds={"seed": config.seed},
        total=1,
        waits=waits,
        after=after,
    )


def _told(config: StageConfig) -> dict[str, Any]:
    return {"stage": config.stage, "config": config.model_dump()}


def rest_of(run: Run) -> Iterator[Run]:
    """Open the stages that come after a run in its chain, each when the one before it is done.

    Those that were begun already are given as they stand, done or not.
    """
    name = run.name.removesuffix(f"-{run.kind}")
    configs = [checked(one["stage"], one["config"]) for one in run.config.get(LATER, ())]
    for number, config in enumerate(configs):
        begun = Run.objects.filter(after=run, kind=config.stage, chain=run.chain).first()
        later = configs[number + 1 :]
        run = begun or open_stage(config, f"{name}-{config.stage}", after=run, later=later)
        yield run


def before(run: Run) -> list[Run]:
    """List the stages of its chain that came before a run, first to last."""
    first = run.after
    return [*before(first), first] if first and first.config.get(LATER) else []


def check_name(name: str) -> None:
    """Check what a run shall be called; BadConfig."""
    if not lifecycle.NAME.fullmatch(name):
        raise BadConfig(f"A run's name is of a-z, 0-9 and hyphens, at most 40; not {name[:50]!r}.")


def run_stage(run: Run, out: IO[str], spread: int = 0) -> dict[str, Any]:
    """Work on a stage until it is done; so many background workers help a league with ``spread``.

    Raises:
        BadConfig: the settings cannot be used here.
        Stopped: it was cancelled.
        Busy: it is at work elsewhere.
    """
    stage, config = stage_of(run)
    with at_work(run):
        work = Work(run, config, out, Spread(run.pk, spread) if spread else None)
        made_by = {"run": run.pk, "code": run.code_version, "machine": run.machine}
        work.keep(CONFIG, {**made_by, **run.config})
        work.say(f"Run {run.pk}: {stage} of a {config.size} model, seed {config.seed}.")
        summary = {"stage": stage, **_play(work, config, source_of(run))}
        work.keep(SUMMARY, summary)
        run.done = run.total
        lifecycle.end(run, Run.Status.DONE, summary=summary)
        # Only now: whoever is killed before that goes on from them.
        for state in (CHECKPOINTS, BEST):
            shutil.rmtree(work.folder / state, ignore_errors=True)
        work.say(f"Run {run.pk} is done.")
    return summary


def stage_of(run: Run) -> tuple[Stage, StageConfig]:
    """Read what a run was told; BadConfig when it is no stage, or not allowed any more."""
    told: dict[str, Any] = run.config
    if told.get("stage") not in STAGES:
        raise BadConfig(f"{run.pk} is no stage of training.")
    stage = cast("Stage", told["stage"])
    return stage, checked(stage, told["config"])


def source_of(run: Run) -> str:
    """Find the model that a run begins with; BadConfig when the run before has left none."""
    if run.after is None:
        return str(run.config.get("source", ""))
    folder = lifecycle.folder_of(run.after) / MODEL
    if not folder.is_dir():
        raise BadConfig(f"{run.after.pk} has left no model; it is {run.after.status}.")
    return str(folder)


def resolve(name: str) -> Beginning:
    """Read what ``--from`` names: a run, a folder, or a hub name; BadConfig without a model."""
    run = Run.objects.filter(pk=name).first() if "/" not in name else None
    if run is None:
        return Beginning(str(Path(name).resolve()) if Path(name).is_dir() else name)
    if not (lifecycle.folder_of(run) / MODEL).is_dir():
        raise BadConfig(f"{name} has left no model; it is {run.status}.")
    return Beginning(after=run)


def _import_libraries() -> None:
    # Much, of which nothing is garbage: the collector looks neither now nor later.
    gc.disable()
    for module in ("peft", "trl", "datasets", "training.stages.trainers"):
        import_module(module)
    gc.freeze()
    gc.enable()


PLAYED_BY: dict[Stage, str] = {
    "league": "training.stages.league.stage.run_league",
    "base": "training.stages.base.run_base",
    "sft": "training.stages.sft.run_sft",
    "grpo": "training.stages.grpo.run_grpo",
    "dpo": "training.stages.dpo.run_dpo",
    **dict.fromkeys(LARGE_STAGES, "training.stages.large.run_large"),
    "market-sft": "training.stages.market.stages.run_market_sft",
    "market-grpo": "training.stages.market.stages.run_market_grpo",
    "voice-sft": "training.stages.voice.stages.run_voice_sft",
    "voice-dpo": "training.stages.voice.stages.run_voice_dpo",
}
"""Imported when played: whoever only asks for a page or a form must not pay for torch."""


def _play(work: Work, config: StageConfig, source: str) -> dict[str, Any]:
    if config.stage != "league":  # which needs no trainers
        _import_libraries()
        import_string("training.stages.trainers.prepare")(config)
    run = import_string(PLAYED_BY[config.stage])
    begin = () if config.stage in FROM_NOTHING else (source,)
    summary: dict[str, Any] = run(work, config, *begin)
    return summary
