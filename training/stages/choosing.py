"""Choosing a checkpoint of a model that plays to learn: measured now and then, the best is kept."""

import shutil
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
        """Save the model that was just measured, with what is to be read of it."""
        ...


class Choosing(TrainerCallback):
    """Has the model measured every few steps and at the end.

    Args:
        work: the run.
        every: steps between measurements.
        steps: how many there are in all.
        jury: measures.
    """

    def __init__(self, work: Work, every: int, steps: int, jury: Jury) -> None:
        self._work, self._every, self._steps, self._jury = work, every, steps, jury
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

    def _check(self, step: int) -> None:
        if step in self.checks:
            return
        self.checks[step] = found = self._jury.measure(step)
        self._work.say(f"{self._work.config.stage} step {step}, {self._jury.words(found)}")
        if self._jury.best(self.checks) == step:
            self._jury.keep()
        self._work.keep(CHECKS, {str(at): one for at, one in self.checks.items()})
