"""Learning by play: games are played in rounds, and the best checkpoint is kept."""

import abc
import shutil
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, ClassVar, Generic, Protocol, TypeVar

import msgspec
from transformers import TrainerCallback, TrainerControl, TrainerState, TrainingArguments

from agents.backends.local.player import Sampling
from agents.checkpoints import Card
from arena.gpu_market.trained.cards import LabCard
from training.stages.config import RoundsConfig
from training.stages.model_files import save_model
from training.stages.trainers import RunCallback, common, in_rounds, named, train
from training.stages.work import BEST, Work

CHECKS = "checks.json"
Figures = dict[str, Any]
WORDS_BEGIN = '"message"'  # The tokens of an answer before it decide the game
AnyConfig = TypeVar("AnyConfig", bound=RoundsConfig)
AnyCard = TypeVar("AnyCard", Card, LabCard)
AnyDeal = TypeVar("AnyDeal", bound=msgspec.Struct)
AnyGame = TypeVar("AnyGame")


class Evaluator(Protocol):
    """Measures the model that is being trained."""

    def measure(self, step: int) -> Figures:
        """Let it play on seeds that it does not learn from, and sum that up."""
        ...

    def words(self, found: Figures) -> str:
        """Return figures as a line of the log."""
        ...

    def best(self, checks: dict[int, Figures]) -> int:
        """Name the step whose model is the best so far."""
        ...

    def keep(self) -> None:
        """Keep what is to be read of the model that was just measured."""
        ...


class CheckpointSelection(TrainerCallback):
    """Has the model measured every few steps and at the end."""

    def __init__(
        self,
        work: Work,
        every: int,
        steps: int,
        evaluator: Evaluator,
        save: Callable[[Path], object],
    ) -> None:
        self._work, self._every, self._steps = work, every, steps
        self._evaluator, self._save = evaluator, save
        self.checks: dict[int, Figures] = {}

    def on_train_begin(
        self, args: TrainingArguments, state: TrainerState, control: TrainerControl, **_: Any
    ) -> None:
        """Measure the model as it comes, or take up what was measured before."""
        path = self._work.folder / CHECKS
        if path.is_file() and (self._work.folder / BEST).is_dir():
            # Also those of steps that are made again: the best of them is kept in BEST.
            self.checks = msgspec.json.decode(path.read_bytes(), type=dict[int, Figures])
        if not self.checks:
            self._check(0)

    def on_step_end(
        self, args: TrainingArguments, state: TrainerState, control: TrainerControl, **_: Any
    ) -> None:
        """Measure every few steps, and at the end."""
        step = state.global_step
        if step % self._every == 0 or step == self._steps:
            self._check(step)

    def take_best(self) -> int:
        """Make the best checkpoint the run's model."""
        # Copied, so that a run that is killed now can come here again.
        shutil.copytree(self._work.folder / BEST, self._work.model, dirs_exist_ok=True)
        return self._evaluator.best(self.checks)

    def summary(self, kept: int, before: Figures, after: Figures) -> Figures:
        """Return the summary of the choice."""
        return {
            "before": before,
            "held_out": after,
            "kept_step": kept,
            "checks": {str(at): found for at, found in sorted(self.checks.items())},
        }

    def _check(self, step: int) -> None:
        if step in self.checks:
            return
        self.checks[step] = found = self._evaluator.measure(step)
        self._work.say(f"{self._work.config.stage} step {step}, {self._evaluator.words(found)}")
        if self._evaluator.best(self.checks) == step:
            self._evaluator.keep()
            self._save(self._work.folder / BEST)
        self._work.keep(CHECKS, {str(at): one for at, one in self.checks.items()})


class Said(Protocol):
    """An answer in tokens, and whether it could be read."""

    @property
    def answer(self) -> list[int]: ...  # noqa: D102  see the class

    @property
    def valid(self) -> bool: ...  # noqa: D102


def action_length(tokenizer: Any, said: Said) -> int:
    """Count the tokens up to where the words begin; all of them where nothing could be read."""
    if not said.valid:
        return len(said.answer)
    low, high = 0, len(said.answer)
    while low < high:
        middle = (low + high) // 2
        if WORDS_BEGIN in _text(tokenizer, said.answer[:middle]):
            high = middle
        else:
            low = middle + 1
    return low


def _text(tokenizer: Any, tokens: Sequence[int]) -> str:
    return str(tokenizer.decode(tokens, skip_special_tokens=True))


class Rounds(abc.ABC, Generic[AnyConfig, AnyCard, AnyDeal, AnyGame]):
    """The games of a trainer: played with the model as it is, and summed up for the metrics.

    ``player`` is there once the trainer has the model; ``deal`` says what a row of data plays;
    ``logged`` is what is kept of the trainer's own log.
    """

    deal: type[AnyDeal]
    logged: ClassVar[tuple[str, ...]] = ("loss", "kl", "entropy")

    def __init__(self, work: Work, config: AnyConfig, card: AnyCard) -> None:
        self.player: Any
        self.work, self.config = work, config
        self.card: AnyCard = card
        self._latest: dict[str, float] = {}

    @abc.abstractmethod
    def seat(self, model: Any, tokenizer: Any) -> Evaluator:
        """Let the model that is trained be the player, and name who measures it."""

    @abc.abstractmethod
    def play(self, deals: Sequence[AnyDeal]) -> Sequence[AnyGame]:
        """Play every deal, a little more freely than when it counts."""

    @abc.abstractmethod
    def worth(self, game: AnyGame) -> float:
        """Return the reward of a game."""

    @abc.abstractmethod
    def figures(self, games: Sequence[AnyGame], rewards: Sequence[float]) -> dict[str, float]:
        """Sum a round up."""

    def play_rows(self, rows: Sequence[Mapping[str, Any]]) -> Sequence[AnyGame]:
        """Play what rows of the data set say."""
        names = self.deal.__struct_fields__
        return self.play([self.deal(**{name: row[name] for name in names}) for row in rows])

    def heard(self, games: Sequence[AnyGame], rewards: Sequence[float]) -> None:
        """Take the figures of a round."""
        self._latest = self.figures(games, rewards)

    def renamed(self, logs: Mapping[str, Any]) -> dict[str, float]:
        """Join what the trainer logs with the figures of the last round."""
        own = named({name: name for name in self.logged})(logs)
        return self._latest | own if own else {}

    def tick(self) -> None:
        """Report a sign of life between turns."""
        self.work.beat(self.work.run.done)

    @property
    def freely(self) -> Sampling:
        """How games are sampled that are learned from."""
        found: Sampling = msgspec.structs.replace(
            self.player.sampling, temperature=self.config.temperature, top_p=self.config.top_p
        )
        return found


class Weights(Protocol):
    """A model to begin with."""

    @property
    def model(self) -> Any: ...  # noqa: D102  see the class

    @property
    def tokenizer(self) -> Any: ...  # noqa: D102


def learn(
    rounds: Rounds[Any, Any, Any, Any], opened: Weights, deals: Any, adapter: Any = None
) -> CheckpointSelection:
    """Play and train, round after round, and have the model measured every few steps.

    ``deals`` are made by ``data_of``; without an ``adapter`` the weights are trained.
    """
    from trl import GRPOConfig as TrlConfig

    from training.stages.grpo_trainer import GameTrainer

    work, config, tokenizer = rounds.work, rounds.config, opened.tokenizer
    work.expect(config.steps)
    trainer = GameTrainer(
        model=opened.model,
        processing_class=tokenizer,
        train_dataset=deals,
        peft_config=adapter,
        columns=rounds.deal.__struct_fields__,
        play=rounds.play_rows,
        worth=rounds.worth,
        action_tokens=lambda turn: action_length(tokenizer, turn.said),
        heard=rounds.heard,
        args=TrlConfig(
            **common(config, work) | in_rounds(config),
            max_steps=config.steps,
            num_generations=config.group,
            beta=config.beta,
            temperature=config.temperature,
            max_completion_length=rounds.card.max_new_tokens,
            loss_type="grpo",
            lr_scheduler_type="linear",
            warmup_steps=2,
            logging_steps=1,
            remove_unused_columns=False,
            shuffle_dataset=False,
        ),
    )
    evaluator = rounds.seat(trainer.model, tokenizer)
    save = partial(save_model, work, trainer.model, tokenizer, rounds.card)
    selection = CheckpointSelection(work, config.select_every, config.steps, evaluator, save)
    trainer.add_callback(selection)
    train(trainer, work, RunCallback(work, rounds.renamed))
    return selection


def data_of(deals: Sequence[msgspec.Struct]) -> Any:
    """Write what is played as a data set of TRL, whose prompts are made in the games."""
    from datasets import Dataset

    return Dataset.from_list([{"prompt": "", **msgspec.structs.asdict(one)} for one in deals])
