"""Learning by play: games are played in rounds, and the best checkpoint is kept."""

import abc
import shutil
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, ClassVar, Generic, Protocol, TypeVar

import msgspec
import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor
from transformers import TrainerCallback, TrainerControl, TrainerState, TrainingArguments
from transformers.trainer_utils import PREFIX_CHECKPOINT_DIR
from trl import GRPOTrainer

from agents.checkpoints import Card
from arena.gpu_market.trained.cards import LabCard
from training.stages.config import RoundsConfig
from training.stages.generation import Sampling
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


class Said(Protocol):
    """What a model answered: tokens of prompt and answer, and whether it could be read."""

    @property
    def prompt(self) -> list[int]: ...  # noqa: D102  see the class

    @property
    def answer(self) -> list[int]: ...  # noqa: D102

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
    def seat(self, model: Any, tokenizer: Any) -> None:
        """Let the model that is trained be the player."""

    @abc.abstractmethod
    def play(self, deals: Sequence[AnyDeal]) -> Sequence[AnyGame]:
        """Play every deal, a little more freely than when it counts."""

    @abc.abstractmethod
    def worth(self, game: AnyGame) -> float:
        """Return the reward of a game."""

    @abc.abstractmethod
    def figures(self, games: Sequence[AnyGame], rewards: Sequence[float]) -> dict[str, float]:
        """Sum a round up."""

    @abc.abstractmethod
    def measure(self, step: int) -> Figures:
        """Let the player play on seeds that it does not learn from, and sum that up."""

    @abc.abstractmethod
    def words(self, found: Figures) -> str:
        """Return what was measured as a line of the log."""

    @abc.abstractmethod
    def best(self, checks: dict[int, Figures]) -> int:
        """Name the step whose model is the best so far."""

    @abc.abstractmethod
    def afresh(self, folder: str) -> Figures:
        """Let the model in a folder play games that have no part in the choice."""

    def keep(self) -> None:
        """Keep what is to be read of the model that was just measured."""

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


class CheckpointSelection(TrainerCallback):
    """Has the model measured every few steps and at the end."""

    def __init__(self, rounds: Rounds[Any, Any, Any, Any], save: Callable[[Path], object]) -> None:
        self._rounds, self._work, self._save = rounds, rounds.work, save
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
        step, config = state.global_step, self._rounds.config
        if step % config.select_every == 0 or step == config.steps:
            self._check(step)

    def take_best(self, source: str) -> Figures:
        """Make the best checkpoint the run's model.

        Return how it and the model before play games that had no part in the choice, and every
        check.
        """
        # Copied, so that a run that is killed now can come here again.
        shutil.copytree(self._work.folder / BEST, self._work.model, dirs_exist_ok=True)
        return {
            "before": self._rounds.afresh(source),
            "held_out": self._rounds.afresh(str(self._work.model)),
            "kept_step": self._rounds.best(self.checks),
            "checks": {str(at): found for at, found in sorted(self.checks.items())},
        }

    def _check(self, step: int) -> None:
        if step in self.checks:
            return
        self.checks[step] = found = self._rounds.measure(step)
        self._work.say(f"{self._work.config.stage} step {step}, {self._rounds.words(found)}")
        if self._rounds.best(self.checks) == step:
            self._rounds.keep()
            self._save(self._work.folder / BEST)
        self._work.keep(CHECKS, {str(at): one for at, one in self.checks.items()})


def learn(
    rounds: Rounds[Any, Any, Any, Any], model: Any, tokenizer: Any, deals: Any, source: str
) -> Figures:
    """Play and train, round after round, and make the best checkpoint the run's model.

    ``deals`` are made by ``data_of``; returned is what ``take_best`` found.
    """
    from trl import GRPOConfig as TrlConfig

    work, config = rounds.work, rounds.config
    work.expect(config.steps)
    trainer = GameTrainer(
        model=model,
        processing_class=tokenizer,
        train_dataset=deals,
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
    rounds.seat(trainer.model, tokenizer)
    save = partial(save_model, work, trainer.model, tokenizer, rounds.card)
    selection = CheckpointSelection(rounds, save)
    trainer.add_callback(selection)
    train(trainer, work, RunCallback(work, rounds.renamed))
    return selection.take_best(source)


def data_of(deals: Sequence[msgspec.Struct]) -> Any:
    """Write what is played as a data set of TRL, whose prompts are made in the games."""
    from datasets import Dataset

    return Dataset.from_list([{"prompt": "", **msgspec.structs.asdict(one)} for one in deals])


EPSILON = 1e-4  # Keeps groups without any difference from being divided by nothing

LEAST_SPREAD = 0.05
"""Shares that differ by less than this are noise: their advantages are not blown up to 1."""

ROUND = "round.pt"  # In a checkpoint: the games of a round that are not learned from yet

Play = Callable[[Sequence[Mapping[str, Any]]], Sequence[Any]]
"""Plays the game of every row with the model as it is now."""


class Turn(Protocol):
    """One turn of a game."""

    @property
    def said(self) -> Said: ...  # noqa: D102  see the class


class Game(Protocol):
    """A whole game, with all that the model said in it."""

    @property
    def turns(self) -> Sequence[Turn]: ...  # noqa: D102  see the class


class Rows(msgspec.Struct, frozen=True):
    """Turns as tensors; (turns, tokens), prompts padded left, answers right."""

    prompt_ids: Tensor
    prompt_mask: Tensor
    completion_ids: Tensor
    completion_mask: Tensor
    advantages: Tensor


class GameTrainer(GRPOTrainer):  # type: ignore[misc]  # TRL has no types
    """TRL's GRPO on whole games: a sample is a game, a row of the loss is one turn of it.

    A prompt stands for a deal, of which a whole game is played, every turn with the prompt of its
    own position, as it will be served. All turns share the game's advantage, on the tokens that
    decide something; loss, KL, clipping, accumulation and checkpoints stay TRL's.

    Args:
        columns: of a row of the data set, which says what is played.
        play: plays the games of rows.
        worth: the reward of a game.
        action_tokens: tokens of a turn's answer that share in the game's advantage.
        heard: told of every batch of games with their rewards.
    """

    def __init__(
        self,
        *args: Any,
        columns: Sequence[str],
        play: Play,
        worth: Callable[[Any], float],
        action_tokens: Callable[[Any], int],
        heard: Callable[[Sequence[Any], Sequence[float]], None],
        **options: Any,
    ) -> None:
        super().__init__(*args, reward_funcs=_unused, **options)
        self._play = play
        self._worth = worth
        self._action_tokens = action_tokens
        self._heard = heard
        # What is played reaches us through TRL's data loader under these names.
        self._signature_columns = ["prompt", *columns]

    def _generate_and_score_completions(self, inputs: list[dict[str, Any]]) -> dict[str, Any]:
        games = self._play(inputs)
        rewards = [self._worth(game) for game in games]
        self._heard(games, rewards)
        better = advantages(rewards, self.num_generations)
        rows = _rows(games, better, self._action_tokens, int(self._tokenizer.pad_token_id))
        rows = _fitted(rows, self.args.steps_per_generation, self.args.seed + self._step)
        found = {
            name: getattr(rows, name).to(self.accelerator.device) for name in Rows.__struct_fields__
        }
        ids = torch.cat([found["prompt_ids"], found["completion_ids"]], dim=1)
        mask = torch.cat([found["prompt_mask"], found["completion_mask"]], dim=1)
        found |= self._earlier(ids, mask, found["completion_ids"].size(1))
        self._metrics["train"]["reward"].append(sum(rewards) / len(rewards))
        return found | {"num_items_in_batch": found["completion_mask"].sum()}

    def _save_checkpoint(self, model: Any, trial: Any) -> None:
        # The rest of a round is kept, so that a run that goes on within one learns from all of it.
        folder = Path(self._get_output_dir(trial=trial))
        folder /= f"{PREFIX_CHECKPOINT_DIR}-{self.state.global_step}"
        folder.mkdir(parents=True, exist_ok=True)
        is_over = self._step % self.args.steps_per_generation == 0
        rest = None if is_over else self._buffered_inputs
        torch.save({"step": self._step, "rest": rest}, folder / ROUND)
        # What super writes last says that the checkpoint is whole.
        super()._save_checkpoint(model, trial)

    def _load_from_checkpoint(self, resume_from_checkpoint: str, model: Any = None) -> None:
        super()._load_from_checkpoint(resume_from_checkpoint, model)
        path = Path(resume_from_checkpoint) / ROUND
        kept = torch.load(path, map_location=self.accelerator.device, weights_only=True)
        self._step, self._buffered_inputs = kept["step"], kept["rest"]

    def _earlier(self, ids: Tensor, mask: Tensor, kept: int) -> dict[str, Tensor]:
        # The reference, and the model before this round's steps, are asked for the same tokens.
        found: dict[str, Tensor] = {}
        size = self.args.per_device_train_batch_size
        with torch.no_grad():
            if self.args.gradient_accumulation_steps % self.args.steps_per_generation:
                found["old_per_token_logps"] = self._logps(self.model, ids, mask, kept, size)
            if self.beta:
                found["ref_per_token_logps"] = self._logps(self.ref_model, ids, mask, kept, size)
        return found

    def _logps(self, model: Any, ids: Tensor, mask: Tensor, kept: int, size: int) -> Tensor:
        logps, _, _ = self._get_per_token_logps_and_entropies(
            model, ids, mask, kept, batch_size=size
        )
        return torch.as_tensor(logps)


def _unused(completions: list[Any], **_: Any) -> list[float]:
    # Stands where TRL wants a reward; games are judged whole.
    return [0.0] * len(completions)


def _rows(
    games: Sequence[Game], better: Iterable[float], action_tokens: Callable[[Any], int], pad: int
) -> Rows:
    turns = [
        (turn, float(worth))
        for game, worth in zip(games, better, strict=True)
        for turn in game.turns
    ]
    prompts = [turn.said.prompt for turn, _ in turns]
    answers = [turn.said.answer for turn, _ in turns]
    wide, long = max(map(len, prompts)), max(map(len, answers))
    prompt_ids = torch.full((len(turns), wide), pad)
    prompt_mask = torch.zeros((len(turns), wide), dtype=torch.long)
    answer_ids = torch.full((len(turns), long), pad)
    answer_mask = torch.zeros((len(turns), long), dtype=torch.long)
    worths = torch.zeros((len(turns), long))
    for row, ((turn, worth), prompt, answer) in enumerate(
        zip(turns, prompts, answers, strict=True)
    ):
        prompt_ids[row, wide - len(prompt) :] = torch.tensor(prompt)
        prompt_mask[row, wide - len(prompt) :] = 1
        answer_ids[row, : len(answer)] = torch.tensor(answer)
        answer_mask[row, : len(answer)] = 1
        worths[row, : action_tokens(turn)] = worth
    return Rows(prompt_ids, prompt_mask, answer_ids, answer_mask, worths)


def _fitted(rows: Rows, parts: int, seed: int) -> Rows:
    # TRL cuts off what makes no equal parts: so a few rows come twice instead.
    count = len(rows.prompt_ids)
    order = torch.randperm(count, generator=torch.Generator().manual_seed(seed))
    missing = -count % parts
    order = torch.cat([order, order[torch.arange(missing) % count]])
    return Rows(**{name: getattr(rows, name)[order] for name in Rows.__struct_fields__})


def advantages(rewards: Sequence[float], group: int) -> npt.NDArray[np.float64]:
    """Return (reward - mean) / max(standard deviation, ``LEAST_SPREAD``) within each group.

    Source: Shao et al. (2024), DeepSeekMath, section 4.1.
    """
    grouped = np.asarray(rewards, dtype=np.float64).reshape(-1, group)
    spread = np.maximum(grouped.std(axis=1, ddof=1, keepdims=True), LEAST_SPREAD)
    better: npt.NDArray[np.float64] = (grouped - grouped.mean(axis=1, keepdims=True)) / (
        spread + EPSILON
    )
    return better.ravel()
