"""What ties transformers' trainers to a run: metrics, signs of life, stopping, going on."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from transformers import (
    PrinterCallback,
    TrainerCallback,
    TrainerControl,
    TrainerState,
    TrainingArguments,
)

from training.runs.work import Stopped
from training.stages.work import Work

STATE = "trainer_state.json"
"""Written last: a checkpoint that has it is whole."""

Rename = Callable[[Mapping[str, Any]], dict[str, float]]
"""Chooses from what a trainer logs, under the names of our metrics."""


def named(names: Mapping[str, str]) -> Rename:
    """Keep some numbers of every log that has a loss.

    Args:
        names: ours, by the trainer's.
    """

    def rename(logs: Mapping[str, Any]) -> dict[str, float]:
        if "loss" not in logs:
            return {}
        return {ours: float(logs[theirs]) for theirs, ours in names.items() if theirs in logs}

    return rename


class Following(TrainerCallback):
    """Follows one trainer.

    Args:
        work: the run.
        rename: which of the trainer's numbers are kept, and under which names.
        begun: pieces of work of the run that were done before this trainer.
        steps: that earlier trainers of the run have made.

    Attributes:
        steps: see above.
        stopped: somebody asked for the end.
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
        """Give a sign of life within long steps."""
        self._look(state, control)

    def on_step_end(
        self, args: TrainingArguments, state: TrainerState, control: TrainerControl, **_: Any
    ) -> None:
        """Give a sign of life; save and stop where that is wanted."""
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


def train(trainer: Any, work: Work, following: Following) -> None:
    """Let a trainer run from its last whole checkpoint, or from the beginning.

    Raises:
        Stopped: somebody asked for it; what was done is kept.
    """
    last = last_checkpoint(work.checkpoints)
    done = following.steps + (0 if last is None else _steps_of(last))
    work.forget_after(done)
    if last is not None:
        work.say(f"{work.config.stage} goes on from step {done}")
    trainer.remove_callback(PrinterCallback)
    trainer.add_callback(following)
    trainer.train(resume_from_checkpoint=None if last is None else str(last))
    if following.stopped:
        raise Stopped


def last_checkpoint(folder: Path) -> Path | None:
    """Find the newest whole checkpoint of a trainer."""
    whole = [path.parent for path in folder.glob(f"checkpoint-*/{STATE}")]
    return max(whole, key=_steps_of, default=None)


def _steps_of(checkpoint: Path) -> int:
    return int(checkpoint.name.rpartition("-")[2])
