"""Choosing a checkpoint of a model that plays to learn: measured now and then, the best is kept."""

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol

import msgspec
from transformers import TrainerCallback, TrainerControl, TrainerState, TrainingArguments

from training.stages.work import BEST, Work

CHECKS = "checks.json"

Figures = dict[str, Any]


class Jury(Protocol):
    """Measures the model that is being trained."""

    def measure(self, step: int) -> Figures:
        """Let it play on seeds that it does not learn from, and sum that up."""
        ...

    def words(self, found: Figures) -> str:
        """Tell figures in a line of the log."""
        ...

    def best(self, checks: dict[int, Figures]) -> int:
        """Name the step whose model is the best so far."""
        ...

    def keep(self) -> None:
        """Keep what is to be read of the model that was just measured."""
        ...


class Choosing(TrainerCallback):
    """Has the model measured every few steps and at the end.

    Args:
        work: the run.
        every: steps between measurements.
        steps: how many there are in all.
        jury: measures.
        save: writes the model as it is to a folder.
    """

    def __init__(
        self, work: Work, every: int, steps: int, jury: Jury, save: Callable[[Path], object]
    ) -> None:
        self._work, self._every, self._steps = work, every, steps
        self._jury, self._save = jury, save
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
        """Make the best checkpoint the run's model.

        Returns:
            Its step.
        """
        # Copied, so that a run that is killed now can come here again.
        shutil.copytree(self._work.folder / BEST, self._work.model, dirs_exist_ok=True)
        return self._jury.best(self.checks)

    def summary(self, kept: int, before: Figures, after: Figures) -> Figures:
        """Tell what came of it.

        Args:
            kept: the best step.
            before: how the model played that training began with.
            after: how the best one plays, on the same seeds.
        """
        return {
            "before": before,
            "held_out": after,
            "kept_step": kept,
            "checks": {str(at): found for at, found in sorted(self.checks.items())},
        }

    def _check(self, step: int) -> None:
        if step in self.checks:
            return
        self.checks[step] = found = self._jury.measure(step)
        self._work.say(f"{self._work.config.stage} step {step}, {self._jury.words(found)}")
        if self._jury.best(self.checks) == step:
            self._jury.keep()
            self._save(self._work.folder / BEST)
        self._work.keep(CHECKS, {str(at): one for at, one in self.checks.items()})
