"""The stages of a model of the hub: TRL's trainers, as ``examples/large.py`` puts them together.

The script is the whole of it, for whoever has a terminal and for a run; a run adds what all runs
have: progress, curves, stopping, going on, a card.
"""

import importlib.util
import shutil
from types import ModuleType
from typing import Any

from django.conf import settings

from agents.checkpoints import Card
from agents.dialects.base import Chat
from training.data.seeds import first_seed
from training.stages.config import OF_THE_HUB, BadConfig, LargeConfig
from training.stages.model_files import check_four_bits, name_of, put_in_place, title_of
from training.stages.trainers import RunCallback, last_loss, named, train
from training.stages.work import Work

SCRIPT = "examples/large.py"
LOGGED = {
    "loss": "loss",
    "mean_token_accuracy": "accuracy",
    "rewards/accuracies": "accuracy",
    "rewards/margins": "margin",
    "reward": "reward",
    "kl": "kl",
    "frac_reward_zero_std": "groups_of_equals",
    "tools/failure_frequency": "calls_that_failed",
}
"""What is kept of the trainers' logs, by their own names."""


WORDS = {"lora_rank": "lora", "save_every": "save", "learning_rate": "learning-rate"}
"""Settings that the script calls otherwise."""

OURS = frozenset({"size", "seed", "precision", "threads", "model", "vllm"})
"""Settings that are no word of it, or said below."""


def words_for(config: LargeConfig, source: str, out: str) -> list[str]:
    """Write the settings of a stage as the script's own words."""
    told = {"model": source, "out": out, "seed": first_seed(config.stage, config.seed)}
    told |= {name: value for name, value in config.model_dump().items() if name not in OURS}
    flags = {"four-bit": config.is_four_bit, "vllm": getattr(config, "vllm", False)}
    return [
        config.stage.removeprefix("large-"),
        *(f"--{WORDS.get(name, name)}={value}" for name, value in told.items()),
        *(f"--{name}" for name, is_set in flags.items() if is_set),
    ]


def run_large(work: Work, config: LargeConfig, source: str) -> dict[str, Any]:
    """Train, and leave the whole model with its tokenizer; BadConfig where TRL cannot begin."""
    if config.is_four_bit:
        check_four_bits()
    script = _script()
    if getattr(config, "vllm", False) and not script.has_vllm():
        raise BadConfig(script.NO_VLLM)
    asked = script.read_arguments(words_for(config, source, str(work.checkpoints)))
    work.say(f"{config.stage}: {config.games} games of {config.task}")
    try:
        trainer = script.make_trainer(asked)
    except (OSError, ValueError) as wrong:
        raise BadConfig(f"The model {source[-120:]!r} cannot be trained: {wrong}") from wrong
    work.expect(config.steps)
    train(trainer, work, RunCallback(work, named(LOGGED)))
    _keep(work, script, trainer, config)
    return {"games": config.games, "loss": last_loss(trainer)}


def _script() -> ModuleType:
    # Of the checkout: a script is no package, and others install one that is called examples.
    found = importlib.util.spec_from_file_location("large", settings.BASE_DIR / SCRIPT)
    assert found is not None
    assert found.loader is not None
    script = importlib.util.module_from_spec(found)
    found.loader.exec_module(script)
    return script


def _keep(work: Work, script: ModuleType, trainer: Any, config: LargeConfig) -> None:
    # The site asks such a model in words of its own, and reads calls of tools as answers too.
    beside = work.folder / ".model"
    shutil.rmtree(beside, ignore_errors=True)
    whole = script.save(trainer, beside)
    (whole / "training_args.bin").unlink(missing_ok=True)  # no program travels with a model
    card = Card(
        name=name_of(config), title=title_of(config), dialect=OF_THE_HUB,
        prompt_version=Chat.version, max_new_tokens=96,
    )  # fmt: skip
    put_in_place(work, whole, card, work.model)
    shutil.rmtree(beside, ignore_errors=True)
