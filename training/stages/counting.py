"""How many steps a trainer is going to make, and what its last ones cost."""

import math
from typing import Any


def trainer_steps(trainer: Any) -> int:
    """Count the steps of the optimizer that a trainer is going to make."""
    args = trainer.args
    per_epoch: int = -(-len(trainer.get_train_dataloader()) // args.gradient_accumulation_steps)
    return max(1, math.ceil(per_epoch * float(args.num_train_epochs)))


def last_loss(trainer: Any) -> float | None:
    """Give the loss as it was last logged; None when the training was too short for that.

    The trainer's own mean over all steps counts only those since a run went on.
    """
    return next(
        (float(logs["loss"]) for logs in reversed(trainer.state.log_history) if "loss" in logs),
        None,
    )
