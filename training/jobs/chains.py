"""Stages that are asked for together, what they may begin with, and how their models are offered.

Those are of this site's runs and folders, and an allow-list. Only staff choose, and no code that
comes with a model is ever run.
"""

import os
import shutil
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO, Any

import msgspec
from django.conf import settings
from django.db import transaction
from rich.console import Console

from agents.checkpoints import (
    CARD,
    Checkpoint,
    NoCheckpoint,
    checkpoints_in,
    find_checkpoint,
    forget,
    known,
    read_checkpoint,
)
from arena.gpu_market.trained.cards import labs, read_lab
from negotiation.code_version import code_version
from training.data.teaching import Teachers
from training.evaluation import BadPlan
from training.evaluation.domain import domain_of_words
from training.evaluation.folder import Folder
from training.evaluation.markets.players import ALL_RULES
from training.evaluation.plan import make_plan
from training.evaluation.running import evaluate, open_evaluation
from training.evaluation.workers import usual_workers
from training.models import EVALUATE, Run
from training.runs import lifecycle
from training.runs.files import MODEL, model_files
from training.stages.config import (
    BOX,
    BUYER_STAGES,
    FROM_NOTHING,
    LARGE_STAGES,
    MARKET_STAGES,
    OF_THE_HUB,
    STAGES,
    VOICE_STAGES,
    BadConfig,
    LeagueConfig,
    Stage,
    StageConfig,
)
from training.stages.registry import make_config
from training.stages.running import Beginning, check_name, open_stage, resolve

WIDTH = 150


def climb(stages: Sequence[Run], name: str, episodes: int, out: IO[str], spread: int = 0) -> Run:
    """Evaluate the models of finished stages in all suites of theirs and print the tables."""
    if stages[-1].kind in MARKET_STAGES:
        suites, players = "market", [*map(_offered, stages), ALL_RULES]
    else:
        # The network that a league leaves is the shipped one's kind, and no model of words.
        taught = [run for run in stages if run.kind != LeagueConfig.stage]
        models = [ensure_selectable(run, f"{name}-{run.kind}") for run in taught]
        suites, players = "all", [*models, Teachers.name, "rules"]
    [domain] = domain_of_words([suites])
    plan = domain.make_plan(
        players, [suites], episodes=episodes, seed=0, variant=None,
        commit=code_version(domain.rooms),
    )  # fmt: skip
    run = open_evaluation(plan, f"{name}-ladder"[:40])
    summary = evaluate(run, workers=usual_workers(), out=out, spread=spread)
    Console(file=out, highlight=False, width=WIDTH).print(*domain.tables(summary))
    return run


def _offered(run: Run) -> str:
    """Put a lab among those of this site; evaluations find it by the label of its version."""
    target = Path(settings.LABS_DIR, run.pk)
    if not target.exists():
        beside_of(run, target).rename(target)
    return read_lab(target).version


MOST_NAMESAKES = 1000


class NotSelectable(ValueError):
    """The model cannot be offered; the message says why."""


def selectable_as(run: Run) -> list[str]:
    """Name the models of this site that a run has made."""
    made = checkpoints_in(Path(settings.MODELS_DIR))
    return [one.name for one in made if one.card.made_by == run.pk]


def make_selectable(run: Run, name: str) -> Checkpoint:
    """Offer a run's model to players and evaluations; NotSelectable without model or good name.

    The site looks at the folder of models every few seconds: nothing has to be started again.
    """
    source, target = lifecycle.folder_of(run) / MODEL, Path(settings.MODELS_DIR, name)
    if not lifecycle.NAME.fullmatch(name):
        raise NotSelectable(f"A model's name is of a-z, 0-9 and hyphens; not {name[:50]!r}.")
    if target.exists() or find_checkpoint(name) is not None:
        raise NotSelectable(f"There is a model called {name} already; choose another name.")
    try:
        card = read_checkpoint(source).card
    except NoCheckpoint:
        raise NotSelectable(f"{run.pk} has left no model; it is {run.status}.") from None
    beside = beside_of(run, target)
    own = msgspec.structs.replace(card, name=name, title=f"{card.title} ({name})", made_by=run.pk)
    (beside / CARD).write_bytes(msgspec.json.format(msgspec.json.encode(own), indent=2))
    beside.rename(target)
    forget()
    return read_checkpoint(target)


def ensure_selectable(run: Run, stem: str) -> str:
    """Return a name under which a run's model can be chosen, offered if need be; NotSelectable."""
    names = selectable_as(run)
    if names:
        return names[0]
    free = (f"{stem}-{n}" if n > 1 else stem for n in range(1, MOST_NAMESAKES))
    name = next((one for one in free if find_checkpoint(one) is None), stem)
    return make_selectable(run, name).name


def take_away(run: Run) -> list[str]:
    """Offer a run's models no longer; its own files stay."""
    names = selectable_as(run)
    for one in list(checkpoints_in(Path(settings.MODELS_DIR))):
        if one.name in names:
            shutil.rmtree(one.folder)
    forget()
    return names


def beside_of(run: Run, target: Path) -> Path:
    """Lay a run's model but for a buyer's card where a rename puts it in place, in one piece."""
    folder = lifecycle.folder_of(run)
    beside = target.parent.parent / f".{target.name}.{os.getpid()}"
    shutil.rmtree(beside, ignore_errors=True)
    for path in model_files(folder):
        if path.name != CARD:
            _link(path, beside / path.relative_to(folder / MODEL))
    target.parent.mkdir(parents=True, exist_ok=True)
    return beside


def _link(source: Path, target: Path) -> None:
    # Across two disks it is copied.
    target.parent.mkdir(parents=True, exist_ok=True)
    try:
        os.link(source, target)
    except OSError:
        shutil.copyfile(source, target)


RUN, HERE, HUB, LAB, BOXED = "run:", "model:", "hub:", "lab:", "box:"
MOST_RUNS = 40


class NotAllowed(ValueError):
    """This model may not be trained on; the message names what may."""


def choices_of(stage: Stage) -> list[tuple[str, str]]:
    """List what a stage may begin with, as values and words of a form."""
    if stage == VOICE_STAGES[0]:
        return [(f"{BOXED}{BOX}", f"the model in the box ({BOX})"), *_hub()]
    if stage in VOICE_STAGES:
        return [*_runs(VOICE_STAGES)]
    if stage in MARKET_STAGES:
        return [*_runs(MARKET_STAGES), *_labs()]
    if stage in LARGE_STAGES:
        return [*_runs(LARGE_STAGES), *_hub()]
    return [*_runs(BUYER_STAGES), *_models()]


def beginning(choice: str) -> Beginning:
    """Read a choice; ``NotAllowed`` where it is none of the choices."""
    begun = (stage for stage in STAGES if stage not in FROM_NOTHING)
    if not any(choice in dict(choices_of(stage)) for stage in begun):
        allowed = ", ".join(sorted(settings.TRAINABLE_MODELS)) or "none"
        raise NotAllowed(
            f"{choice[:80]!r} may not be trained on. There are the runs that left a model, the "
            f"models of this site, and from the hub: {allowed} (BAZAAR_TRAINABLE_MODELS)."
        )
    name = choice.partition(":")[2]
    if choice.startswith(RUN):
        return Beginning(after=Run.objects.get(pk=name))
    if choice.startswith(LAB):
        return Beginning(next(str(one.folder) for one in labs() if one.card.name == name))
    if choice.startswith(HERE):
        found = find_checkpoint(name)
        return Beginning(str(found.folder) if found else name)
    return Beginning(name)


def _runs(stages: Sequence[Stage]) -> Iterator[tuple[str, str]]:
    done = Run.objects.filter(kind__in=stages, status=Run.Status.DONE)
    if stages in (BUYER_STAGES, MARKET_STAGES):
        done = done.exclude(config__config__size="large")  # of the hub, when they had that size
    for run in done.order_by("-ended_at", "-pk")[:MOST_RUNS]:
        if Path(lifecycle.folder_of(run), MODEL).is_dir():
            yield f"{RUN}{run.pk}", f"{run.what.title} of {run.name}, {run.ended_at:%d %b %H:%M}"


def _models() -> Iterator[tuple[str, str]]:
    # A model of the hub that is offered is known by the run that made it.
    for one in known().checkpoints:
        if one.card.dialect == OF_THE_HUB:
            continue
        yield f"{HERE}{one.name}", f"{one.card.title} ({one.name})"


def _labs() -> Iterator[tuple[str, str]]:
    for one in labs():
        yield f"{LAB}{one.card.name}", f"{one.card.title} ({one.card.name})"


def _hub() -> Iterator[tuple[str, str]]:
    for name in sorted(settings.TRAINABLE_MODELS):
        yield f"{HUB}{name}", f"{name}, from the hub"


RIVALS = ("rules:smart", "rules:linear")  # Whom the result of a chain is compared with
TOY_SUITES = ("single_deal", "asymmetric_pressure")
EPISODES = {"toy": 4, "mini": 100, "large": 100}
"""Bargains per policy and suite at a chain's end, where nothing else is said."""


CHAIN, MARKET_CHAIN = "chain", "market-chain"
"""What stands for all stages of a buyer, and of a lab."""


def stages_of(size: str, begins_with_model: bool) -> tuple[Stage, ...]:
    """Name the stages to a whole model; from nothing the league (teacher) and base (pupil) too."""
    if size == "large":
        return LARGE_STAGES
    polish: tuple[Stage, ...] = ("sft", "grpo", "dpo")
    return polish if begins_with_model else ("league", "base", *polish)


class RunSpec(msgspec.Struct, frozen=True, kw_only=True):
    """What somebody asks for: made once, by a form or of a command's words, and handed on.

    ``configs`` are of the stages, first to last. Runs of a chain are called ``name-sft`` and so on;
    ``episodes``, per policy and suite, are of an evaluation at its end, 0 for none.
    """

    name: str
    configs: tuple[StageConfig, ...]
    begin: Beginning = Beginning()
    is_chain: bool = False
    episodes: int = 0

    def name_of(self, config: StageConfig) -> str:
        """Name the run of a stage."""
        return f"{self.name}-{config.stage}" if self.is_chain else self.name

    def open_first(self) -> Run:
        """Write the first stage down, begun at once; ``rest_of`` opens the others. BadConfig."""
        for config in self.configs:
            check_name(self.name_of(config))
        first, *later = self.configs
        begin = self.begin
        return open_stage(
            first, self.name_of(first), source=begin.source, after=begin.after, later=later
        )

    @transaction.atomic
    def open_all(self) -> list[Run]:
        """Write all down for the worker, in the order in which they are played; BadConfig."""
        opened: list[Run] = []
        begin = self.begin
        for config in self.configs:
            opened.append(
                open_stage(
                    config,
                    self.name_of(config),
                    source=begin.source,
                    after=begin.after,
                    waits=True,
                )
            )
            begin = Beginning(after=opened[-1])
        if self.episodes:
            name, last = f"{self.name}-evaluation", self.configs[-1]
            opened.append(_evaluation(opened[-1], name, last, self.episodes))
        if self.is_chain:
            # What it begins with has its own history.
            Run.objects.filter(pk__in=[run.pk for run in opened]).update(chain=opened[0].pk)
        return opened


def spec_of(options: Mapping[str, Any]) -> RunSpec:
    """Read a command's words: stage or chain, size, name, --from, --seed and --set; BadConfig."""
    stage, source = options["stage"], options["source"]
    size: Any = options["size"] or ("large" if stage in LARGE_STAGES else "mini")
    begin = resolve(source) if source else Beginning()
    if stage == MARKET_CHAIN and source:
        raise BadConfig("A lab is made from nothing; to go on from one, train market-grpo.")
    chains = {CHAIN: stages_of(size, bool(source)), MARKET_CHAIN: MARKET_STAGES}
    changes: dict[str, object] = dict(map(_pair, options["set"] or ()))
    if "size" in changes:
        raise BadConfig("Say --size: every other setting depends on it.")
    if source and "model" in changes:
        raise BadConfig("--from and model both say what to begin with: leave one of both out.")
    if options["seed"] is not None:
        changes["seed"] = options["seed"]
    return RunSpec(
        name=options["name"] or str(stage),
        configs=tuple(make_config(one, size, **changes) for one in chains.get(stage, (stage,))),
        begin=begin,
        is_chain=stage in chains,
    )


def _pair(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals:
        raise BadConfig(f"--set takes name=value, for example steps=20; not {text[:60]!r}.")
    return name.strip(), value.strip()


def make_configs(size: Any, seed: int, begins_with_model: bool) -> tuple[StageConfig, ...]:
    """Make the settings of a chain from a size's defaults; BadConfig."""
    stages = stages_of(size, begins_with_model)
    return tuple(make_config(stage, size, seed=seed) for stage in stages)


def pin_plan(run: Run) -> None:
    """Decide what the evaluation at a chain's end plays, now that its model is there.

    The model becomes selectable under the chain's name, so that it is found; BadPlan without one.
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
