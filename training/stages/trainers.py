"""What ties TRL's trainers to a run: arguments, metrics, signs of life, stopping, going on."""

import math
import os
import warnings
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any

import torch
from transformers import (
    PrinterCallback,
    TrainerCallback,
    TrainerControl,
    TrainerState,
    TrainingArguments,
)

from training.runs.lifecycle import Stopped
from training.stages.config import BatchConfig, RoundsConfig, StageConfig
from training.stages.model_files import is_half
from training.stages.work import Work

POOL = 8  # So many batches are sorted by length together
Tokens = tuple[list[int], list[int]]
STATE = "trainer_state.json"  # Written last: a checkpoint that has it is whole

Rename = Callable[[Mapping[str, Any]], dict[str, float]]
"""Chooses from what a trainer logs, under the names of our metrics."""


def prepare(config: StageConfig) -> None:
    """Take so many threads, and keep libraries from drawing bars: a log is read line by line."""
    from datasets.utils.logging import disable_progress_bar
    from transformers.utils import logging

    disable_progress_bar()
    logging.disable_progress_bar()
    logging.set_verbosity_error()
    # TRL 1.16 asks transformers 5.23 for names that are on their way out.
    warnings.filterwarnings("ignore", ".*gradient_checkpointing.* is deprecated", FutureWarning)
    torch.set_num_threads(config.threads or os.cpu_count() or 1)


def common(config: StageConfig, work: Work) -> dict[str, Any]:
    """Return the arguments that all trainers of TRL share; nothing goes to other hosts."""
    return {
        "output_dir": str(work.checkpoints),
        "seed": config.seed,
        "data_seed": config.seed,
        "learning_rate": config.learning_rate,
        "bf16": is_half(config),
        "use_cpu": not torch.cuda.is_available(),
        "save_strategy": "steps",
        "save_steps": config.save_every,
        "save_total_limit": 2,
        "report_to": "none",
        "disable_tqdm": True,
        "dataloader_pin_memory": False,
        "logging_strategy": "steps",
        "activation_checkpointing": config.size == "large",
        "push_to_hub": False,
    }


def batches(config: BatchConfig) -> dict[str, Any]:
    """Return the arguments of a trainer that reads rows."""
    return {
        "per_device_train_batch_size": config.rows_at_once,
        "gradient_accumulation_steps": config.accumulation,
    }


def reading(config: BatchConfig, epochs: float, length: int) -> dict[str, Any]:
    """Return the arguments of a trainer that reads lessons."""
    return batches(config) | {
        "num_train_epochs": epochs,
        "max_length": length,
        "lr_scheduler_type": "cosine",
        "warmup_steps": 20,
        "logging_steps": 5,
        "logging_first_step": True,
    }


def in_rounds(config: RoundsConfig) -> dict[str, Any]:
    """Return how a round of games is cut into steps."""
    return {
        "per_device_train_batch_size": config.games // config.parts,
        "steps_per_generation": config.parts,
        "gradient_accumulation_steps": config.parts // config.updates,
    }


def in_batches(pairs: list[Tokens], config: BatchConfig) -> list[Tokens]:
    """Put rows of like length side by side, and the batches that this makes in any order.

    Padding would cost as much as reading; sorted over the whole, short ones would all come first.
    """
    dice, size = Random(f"batches:{config.seed}"), config.batch
    dice.shuffle(pairs)
    batches_ = []
    for at in range(0, len(pairs), POOL * size):
        pool = sorted(pairs[at : at + POOL * size], key=lambda pair: len(pair[0]))
        batches_ += [pool[place : place + size] for place in range(0, len(pool), size)]
    dice.shuffle(batches_)
    return [pair for batch in batches_ for pair in batch]


def in_tokens(
    tokenizer: Any,
    texts: Sequence[tuple[str, str]],
    config: BatchConfig,
    longest: int | None = None,
) -> Any:
    """Write prompts and answers as a data set whose loss is on the answers, batch by batch.

    What has more than the ``longest`` number of tokens is left out.
    """
    from datasets import Dataset

    prompts = tokenizer([prompt for prompt, _ in texts]).input_ids
    answers = tokenizer([f"{answer}{tokenizer.eos_token}" for _, answer in texts]).input_ids
    pairs: list[Tokens] = list(zip(prompts, answers, strict=True))
    if longest is not None:
        pairs = [pair for pair in pairs if len(pair[0]) + len(pair[1]) <= longest]
    pairs = in_batches(pairs, config)
    return Dataset.from_dict(
        {
            "input_ids": [prompt + answer for prompt, answer in pairs],
            "completion_mask": [[0] * len(prompt) + [1] * len(answer) for prompt, answer in pairs],
        }
    )


def trainer_steps(trainer: Any) -> int:
    """Count the steps of the optimizer that a trainer is going to make."""
    args = trainer.args
    per_epoch: int = -(-len(trainer.get_train_dataloader()) // args.gradient_accumulation_steps)
    return max(1, math.ceil(per_epoch * float(args.num_train_epochs)))


def last_loss(trainer: Any) -> float | None:
    """Return the loss as last logged, if any: the trainer's mean forgets steps before a resume."""
    return next(
        (float(logs["loss"]) for logs in reversed(trainer.state.log_history) if "loss" in logs),
        None,
    )


def named(names: Mapping[str, str]) -> Rename:
    """Keep some numbers of every log that has a loss."""

    def rename(logs: Mapping[str, Any]) -> dict[str, float]:
        if "loss" not in logs:
            return {}
        return {ours: float(logs[theirs]) for theirs, ours in names.items() if theirs in logs}

    return rename


class RunCallback(TrainerCallback):
    """Follows one trainer; ``rename`` says which of its numbers are kept, and under which names.

    ``begun`` pieces of work and ``steps`` were done before this trainer.
    """

    def __init__(self, work: Work, rename: Rename, begun: int = 0, steps: int = 0) -> None:
        self._work = work
        self._rename = rename
        self._begun = begun
        self.steps = steps
        self.stopped = False

    def on_substep_end(
        self, args: TrainingArguments, state: TrainerState, control: TrainerControl, **_: Any
    ) -> None:
        """Report a sign of life within long steps."""
        self._look(state, control)

    def on_step_end(
        self, args: TrainingArguments, state: TrainerState, control: TrainerControl, **_: Any
    ) -> None:
        """Report a sign of life; save and stop where that is wanted."""
        self._look(state, control)
        if self.stopped:
            control.should_save = True

    def on_log(
        self,
        args: TrainingArguments,
        state: TrainerState,
        control: TrainerControl,
        logs: dict[str, Any] | None = None,
        **_: Any,
    ) -> None:
        """Write the numbers of a step down."""
        numbers = self._rename(logs or {})
        if numbers:
            self._work.measured(self.steps + state.global_step, numbers)

    def _look(self, state: TrainerState, control: TrainerControl) -> None:
        try:
            self._work.beat(self._begun + state.global_step)
        except Stopped:
            self.stopped = True
            control.should_training_stop = True


def train_whole(trainer: Any, work: Work, logged: Mapping[str, str]) -> None:
    """Let a trainer do all of a run's work; ``logged`` names what is kept of its log."""
    work.expect(trainer_steps(trainer))
    train(trainer, work, RunCallback(work, named(logged)))


def train(trainer: Any, work: Work, callback: RunCallback) -> None:
    """Let a trainer run from its last whole checkpoint, or from the beginning; Stopped if asked."""
    last = _last_checkpoint(work.checkpoints)
    done = callback.steps + (0 if last is None else _steps_of(last))
    work.forget_after(done)
    if last is not None:
        work.say(f"{work.config.stage} goes on from step {done}")
    trainer.remove_callback(PrinterCallback)
    trainer.add_callback(callback)
    trainer.train(resume_from_checkpoint=None if last is None else str(last))
    if callback.stopped:
        raise Stopped


def _last_checkpoint(folder: Path) -> Path | None:
    whole = [path.parent for path in folder.glob(f"checkpoint-*/{STATE}")]
    return max(whole, key=_steps_of, default=None)


def _steps_of(checkpoint: Path) -> int:
    return int(checkpoint.name.rpartition("-")[2])
