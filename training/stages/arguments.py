"""What every trainer is told alike."""

import os
import warnings
from typing import Any

import torch

from training.stages.config import BatchConfig, StageConfig
from training.stages.loading import is_half
from training.stages.round_config import RoundsConfig
from training.stages.work import Work


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
    """Give the arguments that all trainers of TRL share.

    Nothing is reported to other hosts, and no model is ever pushed by a trainer itself.
    """
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
    """Give the arguments of a trainer that reads rows."""
    return {
        "per_device_train_batch_size": config.rows_at_once,
        "gradient_accumulation_steps": config.accumulation,
    }


def reading(config: BatchConfig, epochs: float, length: int) -> dict[str, Any]:
    """Give the arguments of a trainer that reads lessons.

    Args:
        config: of the stage.
        epochs: how often it reads all of them.
        length: tokens of the longest.
    """
    return batches(config) | {
        "num_train_epochs": epochs,
        "max_length": length,
        "lr_scheduler_type": "cosine",
        "warmup_steps": 20,
        "logging_steps": 5,
        "logging_first_step": True,
    }


def in_rounds(config: RoundsConfig) -> dict[str, Any]:
    """Say how a round of games is cut into steps."""
    return {
        "per_device_train_batch_size": config.games // config.parts,
        "steps_per_generation": config.parts,
        "gradient_accumulation_steps": config.parts // config.updates,
    }
