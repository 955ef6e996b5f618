"""From nothing to a lab: it answers as its teacher did, then by what whole episodes earn."""

import hashlib
import statistics
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

import msgspec
from transformers import set_seed

from agents.checkpoints import NoCheckpoint
from agents.prompts.chats import Message
from arena.gpu_market import dialect
from arena.gpu_market.dialect.text import FRAMES, SHORTS
from arena.gpu_market.trained.cards import LabCard, read_lab
from bazaarbatna import market as engine
from bazaarbatna.market import (
    TASK_NAMES,
    Malformed,
    MarketAction,
    Observation,
    advance,
    make_market,
    observe,
    planner,
    policies,
    start,
    step,
)
from bazaarbatna.market.policies.registry import make_policy
from training.data.seeds import MARKET_CHOOSE_FROM, MARKET_HELD_OUT_FROM, first_seed
from training.disk import Made, made_once, read_rows, write_rows
from training.stages.base import new_llama, train_tokenizer
from training.stages.config import BadConfig, MarketGrpoConfig, MarketSftConfig, StageConfig
from training.stages.games import answers_in, mean_of, obeyed, steady
from training.stages.generation import Sampling, Writer
from training.stages.market.episodes import (
    Episode,
    LabSpoken,
    World,
    play_episodes,
    write_records,
)
from training.stages.model_files import Opened, load_weights, name_of, renamed, save_model, title_of
from training.stages.rounds import Figures, Rounds, data_of, learn
from training.stages.trainers import common, in_tokens, last_loss, reading, train_whole
from training.stages.work import Work

NUMBER = 1  # Version of how traces are made; raise it with every change
WANDERER = "random_valid"


class Seat:
    """Asks one model (of ``AutoModelForCausalLM``) what a lab does."""

    def __init__(self, model: Any, tokenizer: Any, sampling: Sampling) -> None:
        self.sampling = sampling
        self._writer = Writer(model, tokenizer)

    def answers(
        self, seen: Sequence[Observation], sampling: Sampling | None = None
    ) -> list[LabSpoken]:
        """Answer every position, in order."""
        chats = [(Message("user", dialect.render(one)),) for one in seen]
        made = self._writer.write(chats, sampling or self.sampling)
        return [
            LabSpoken(said.prompt, said.answer, said.text, dialect.read(one, said.text))
            for one, said in zip(seen, made, strict=True)
        ]


def seat_of(model: Any, tokenizer: Any, card: LabCard) -> Seat:
    """Seat a model as its card says."""
    return Seat(model, tokenizer, Sampling(card.temperature, card.top_p, card.max_new_tokens))


class Trace(msgspec.Struct, frozen=True):
    """One turn: the prompt, the teacher's answer, and which action that is."""

    prompt: str
    answer: str
    action: str


class TraceRecipe(msgspec.Struct, frozen=True):
    """Everything that decides traces; ``wander``: turns off the way, 0..1.

    From them a pupil also learns the way back.
    """

    teacher: str
    episodes: int
    wander: float = 0.15
    seed: int = 0

    @property
    def key(self) -> str:
        """Name the traces: equal recipes with equal rules, players and prompts give the same."""
        facts = (NUMBER, msgspec.to_builtins(self), dialect.VERSION, _code())
        digest = hashlib.sha256(msgspec.json.encode(facts)).hexdigest()[:10]
        return f"lab-{self.episodes}-{digest}"


class Traces(Made, frozen=True):
    """Traces that lie in a folder."""

    def all(self) -> list[Trace]:
        """Read them."""
        return list(read_rows(self.folder / "traces.jsonl", Trace))


def traces(recipe: TraceRecipe) -> Traces:
    """Return the traces of a recipe; they are made the first time."""
    return made_once(Traces, recipe.key, lambda folder: _make(recipe, folder))


def _make(recipe: TraceRecipe, folder: Path) -> dict[str, Any]:
    first = first_seed("market-sft", recipe.seed)
    made = [
        trace
        for task in TASK_NAMES
        for seed in range(first, first + recipe.episodes)
        for trace in _trace_episode(task, seed, recipe)
    ]
    kept = list(dict.fromkeys(made))
    write_rows(folder / "traces.jsonl", kept)
    return {
        "recipe": msgspec.to_builtins(recipe),
        "prompt": dialect.VERSION,
        "tasks": TASK_NAMES,
        "first seed": first,
        "lessons": len(kept),
        "doubles left out": len(made) - len(kept),
        "lessons by action": Counter(trace.action for trace in kept),
    }


def _trace_episode(task: str, seed: int, recipe: TraceRecipe) -> Iterator[Trace]:
    scenario = make_market(task, seed)
    lab = seed % len(scenario.labs)
    teacher, other = make_policy(recipe.teacher, seed), make_policy(WANDERER, seed)
    dice = Random(f"wander:{task}:{seed}:{recipe.seed}")
    state, _ = advance(start(scenario)[0], (lab,))
    while state.ended is None:
        seen = observe(state, lab)
        says = teacher(seen)
        yield from _lesson(seen, says)
        state, _ = step(state, lab, other(seen) if dice.random() < recipe.wander else says)


def _lesson(seen: Observation, says: MarketAction | Malformed) -> Iterator[Trace]:
    answer = dialect.write(seen, says) if isinstance(says, MarketAction) else None
    if isinstance(says, MarketAction) and answer is not None:
        yield Trace(dialect.render(seen), answer, says.action)


def _code() -> str:
    # All code and tables that decide how a lab plays and what it is shown.
    homes = [Path(str(package.__file__)).parent for package in (engine, planner, policies, dialect)]
    found = hashlib.sha256()
    kinds = ("*.py", "*.toml")
    for path in sorted(file for home in homes for kind in kinds for file in home.rglob(kind)):
        found.update(path.read_bytes())
    return found.hexdigest()


READ_FOR_TOKENS = 20_000  # Lessons from which the tokenizer is made

LOGGED = {"loss": "loss", "mean_token_accuracy": "accuracy", "learning_rate": "learning_rate"}
"""What is kept of the trainer's log, by its own names."""

RECORDED = 3  # Episodes that are kept to be read, one of each task


def unseen(episodes: int, first: int = MARKET_CHOOSE_FROM) -> list[World]:
    """Choose worlds: the tasks in turn, each with seeds from ``first`` on; lab_0 is played."""
    count = len(TASK_NAMES)
    return [World(TASK_NAMES[n % count], first + n // count) for n in range(episodes)]


def lab_figures(episodes: Sequence[Episode], seed: int = 0) -> dict[str, Any]:
    """Sum episodes up: ``return`` with its 95 % interval, the same of each task under ``tasks``.

    ``valid_json`` and ``legal`` are parts of all answers, 0..1.
    """
    by_task = {
        task: mean_of([one.total for one in episodes if one.world.task == task], seed)
        for task in TASK_NAMES
    }
    return {
        "episodes": len(episodes),
        "answers": answers_in(episodes),
        "return": mean_of([one.total for one in episodes], seed),
        "tasks": by_task,
        **obeyed(episodes),
    }


def in_words(found: dict[str, Any]) -> str:
    """Return figures in a line."""
    tasks = ", ".join(f"{task} {one['mean']:.3f}" for task, one in found["tasks"].items() if one)
    return (
        f"unseen markets: return {found['return']['mean']:.3f} ({tasks}), "
        f"valid {found['valid_json']:.4f}, legal {found['legal']:.4f}"
    )


def run_market_sft(work: Work, config: MarketSftConfig) -> dict[str, Any]:
    """Make tokenizer and model, train on traces, and let the lab play unseen markets."""
    from trl import SFTConfig as TrlConfig
    from trl import SFTTrainer

    set_seed(config.seed)
    work.say(f"market-sft: traces of {config.teacher}")
    found = traces(TraceRecipe(config.teacher, config.episodes, config.wander, config.seed))
    lessons = found.all()
    texts = [part for one in lessons[:: _pace(lessons)] for part in (one.prompt, one.answer)]
    tokenizer = train_tokenizer(texts, config.vocabulary, config.context, FRAMES, close=SHORTS)
    model = new_llama(config, tokenizer)
    trainer = SFTTrainer(
        model=model,
        processing_class=tokenizer,
        # As the tokenizer's template would; TRL takes minutes for that.
        train_dataset=in_tokens(tokenizer, _weighed(lessons, config.deeds), config),
        args=TrlConfig(
            **common(config, work) | reading(config, config.epochs, config.context),
            completion_only_loss=True,
            # The order is made beforehand, see in_batches.
            train_sampling_strategy="sequential",
        ),
    )
    train_whole(trainer, work, LOGGED)
    card = LabCard(name=name_of(config), title=title_of(config), teacher=config.teacher)
    save_model(work, trainer.model, tokenizer, card)
    work.say(f"market-sft: {config.check_episodes} unseen markets")
    with steady(config.seed):
        played = play_episodes(
            seat_of(trainer.model, tokenizer, card),
            unseen(config.check_episodes),
            tick=lambda: work.beat(work.run.done),
        )
    write_records(work.folder, [(card.name, one) for one in played[:RECORDED]])
    figures = lab_figures(played)
    work.say(f"market-sft: {in_words(figures)}")
    return {
        "parameters": sum(part.numel() for part in model.parameters()),
        "vocabulary": len(tokenizer),
        "lessons": found.card["lessons"],
        "by_action": found.card["lessons by action"],
        "loss": last_loss(trainer),
        "held_out": figures,
    }


def _pace(lessons: Sequence[Trace]) -> int:
    return max(1, len(lessons) // READ_FOR_TOKENS)


def _weighed(lessons: Sequence[Trace], times: int) -> list[tuple[str, str]]:
    # In most turns a teacher waits.
    return [
        (f"{one.prompt}\n", one.answer)
        for one in lessons
        for _ in range(1 if one.action == "wait" else times)
    ]


LEAST_VALID = 0.99  # A checkpoint that writes less readable actions is never kept


def worth(episode: Episode, config: MarketGrpoConfig) -> float:
    """Return the return, in which what the rules refuse has cost already, less a format term."""
    faults = episode.invalid / max(1, len(episode.turns))
    return episode.total - config.format_weight * faults


def open_lab(source: str, config: StageConfig) -> Opened[LabCard]:
    """Load the lab in a folder; BadConfig when there is none, or this machine cannot."""
    try:
        card = read_lab(Path(source)).card
    except NoCheckpoint as wrong:
        raise BadConfig(
            f"{config.stage} begins with a lab of the stage market-sft. {wrong}"
        ) from wrong
    return Opened(*load_weights(source, config), card)


def run_market_grpo(work: Work, config: MarketGrpoConfig, source: str) -> dict[str, Any]:
    """Train on whole episodes, and keep the checkpoint that plays unseen markets best."""
    set_seed(config.seed)
    opened = open_lab(source, config)
    rounds = LabRounds(work, config, renamed(opened.card, config))
    return learn(rounds, opened.model, opened.tokenizer, _worlds(config), source)


class LabRounds(Rounds[MarketGrpoConfig, LabCard, World, Episode]):
    """Episodes of the lab that is trained."""

    player: Seat
    deal = World
    logged = (*Rounds.logged, "learning_rate")
    recorded: tuple[tuple[str, Episode], ...] = ()

    def seat(self, model: Any, tokenizer: Any) -> None:
        """Let the model that is trained be the player."""
        self.player = seat_of(model, tokenizer, self.card)

    def play(self, worlds: Sequence[World]) -> list[Episode]:
        """Play every world."""
        return play_episodes(self.player, worlds, self.freely, tick=self.tick)

    def worth(self, episode: Episode) -> float:
        """Return the return, less what unreadable answers cost."""
        return worth(episode, self.config)

    def figures(self, episodes: Sequence[Episode], rewards: Sequence[float]) -> dict[str, float]:
        """Sum a round up; ``spread`` is the mean deviation within the groups."""
        size = self.config.group
        groups = [rewards[at : at + size] for at in range(0, len(rewards), size)]
        return {
            "reward": sum(rewards) / len(rewards),
            "return": sum(one.total for one in episodes) / len(episodes),
            "spread": sum(statistics.pstdev(one) for one in groups) / len(groups),
            **obeyed(episodes),
        }

    def measure(self, step: int) -> Figures:
        """Play markets that choose: neither learned from nor reported."""
        return lab_figures(self._unseen(self.player, step, MARKET_CHOOSE_FROM))

    def words(self, found: Figures) -> str:
        """Return figures as a line of the log."""
        return in_words(found)

    def best(self, checks: dict[int, Figures]) -> int:
        """Choose the highest return among those that keep the format; the first of equals."""
        fit = [step for step, found in checks.items() if found["valid_json"] >= LEAST_VALID]
        return max(fit, key=lambda step: (checks[step]["return"]["mean"], -step), default=0)

    def afresh(self, folder: str) -> Figures:
        """Play the markets that are reported, and keep the first of every model's."""
        opened = open_lab(folder, self.config)
        seat = seat_of(opened.model.eval(), opened.tokenizer, opened.card)
        played = self._unseen(seat, self.work.run.done, MARKET_HELD_OUT_FROM)
        self.recorded += tuple((opened.card.name, one) for one in played[:RECORDED])
        write_records(self.work.folder, self.recorded)
        return lab_figures(played)

    def _unseen(self, seat: Seat, step: int, first: int) -> Sequence[Episode]:
        worlds = unseen(self.config.check_episodes, first)
        with steady(self.config.seed):
            return play_episodes(seat, worlds, tick=lambda: self.work.beat(step))


def _worlds(config: MarketGrpoConfig) -> Any:
    # The tasks in turn, and every lab is played in time.
    first = first_seed("market-grpo", config.seed)
    worlds = []
    for number in range(config.seeds):
        task, seed = TASK_NAMES[number % len(TASK_NAMES)], first + number
        worlds.append(World(task, seed, seed % len(make_market(task, seed).labs)))
    return data_of(worlds)
