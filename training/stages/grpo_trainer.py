"""TRL's GRPO on whole games: a sample is a game of many turns, a row of the loss is one turn.

A prompt stands for a deal, of which a whole game is played, every turn with the prompt of its own
position, as it will be served. All turns share the game's advantage, on the tokens that decide
something; loss, KL, clipping, accumulation and checkpoints stay TRL's.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

import msgspec
import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor
from transformers.trainer_utils import PREFIX_CHECKPOINT_DIR
from trl import GRPOTrainer

EPSILON = 1e-4  # Keeps groups without any difference from being divided by nothing

LEAST_SPREAD = 0.05
"""Shares that differ by less than this are noise: their advantages are not blown up to 1."""

ROUND = "round.pt"  # In a checkpoint: the games of a round that are not learned from yet

Play = Callable[[Sequence[Mapping[str, Any]]], Sequence[Any]]
"""Plays the game of every row with the model as it is now."""


class Said(Protocol):
    """What a model answered: tokens of the prompt and of the answer."""

    @property
    def prompt(self) -> list[int]: ...  # noqa: D102  see the class

    @property
    def answer(self) -> list[int]: ...  # noqa: D102


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
    """GRPO on whole games.

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
                found["ref_per_token_logps"] = self._reference(ids, mask, kept, size)
        return found

    def _reference(self, ids: Tensor, mask: Tensor, kept: int, size: int) -> Tensor:
        if self.ref_model is not None:
            return self._logps(self.ref_model, ids, mask, kept, size)
        from trl.trainer.utils import use_adapter  # only with PEFT

        model = self.accelerator.unwrap_model(self.model)
        with use_adapter(model, adapter_name="ref" if "ref" in model.peft_config else None):
            return self._logps(self.model, ids, mask, kept, size)

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
