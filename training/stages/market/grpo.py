"""GRPO of a lab: it plays whole episodes and keeps more of what earned more than its siblings."""

import statistics
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from transformers import set_seed

from arena.gpu_market.engine import TASK_NAMES, make_market
from arena.gpu_market.trained.seat import Seat, seat_of
from training.data.seeds import first_seed
from training.stages.arguments import common
from training.stages.choosing import Choosing
from training.stages.deeds import deed_length
from training.stages.following import Following, train
from training.stages.market.episodes import Episode, World, play_episodes
from training.stages.market.jury import UnseenMarkets, summed_up
from training.stages.market.opening import open_lab, renamed
from training.stages.market.rewards import worth
from training.stages.market_config import MarketGrpoConfig
from training.stages.work import Work


def run_market_grpo(work: Work, config: MarketGrpoConfig, source: str) -> dict[str, Any]:
    """Train on whole episodes, and keep the checkpoint that plays unseen markets best.

    Args:
        work: the run.
        config: its settings.
        source: folder of the SFT model.

    Returns:
        The summary: how it played before and after, and which step was kept.
    """
    from trl import GRPOConfig as TrlConfig

    from training.stages.grpo_trainer import GameTrainer

    set_seed(config.seed)
    opened = open_lab(source, config)
    card = renamed(opened.card, config)
    work.run.total = config.steps
    work.run.save(update_fields=["total"])
    rounds = LabRounds(work, config)
    trainer = GameTrainer(
        model=opened.model,
        processing_class=opened.tokenizer,
        train_dataset=_worlds(config),
        columns=World.__struct_fields__,
        play=lambda rows: rounds.play([_world(row) for row in rows]),
        worth=lambda episode: worth(episode, config),
        deeds=lambda turn: deed_length(opened.tokenizer, turn.said),
        heard=rounds.heard,
        args=TrlConfig(
            **common(config, work) | _round(config),
            max_steps=config.steps,
            num_generations=config.group,
            beta=config.beta,
            temperature=config.temperature,
            max_completion_length=card.max_new_tokens,
            loss_type="grpo",
            lr_scheduler_type="linear",
            warmup_steps=2,
            logging_steps=1,
            remove_unused_columns=False,
            shuffle_dataset=False,
        ),
    )
    rounds.seat = seat_of(trainer.model, opened.tokenizer, card)
    jury = UnseenMarkets(work, config, rounds.seat, trainer.model, opened.tokenizer, card)
    choosing = Choosing(work, config.select_every, config.steps, jury)
    trainer.add_callback(choosing)
    train(trainer, work, Following(work, rounds.renamed))
    return summed_up(work, config, source, choosing)


class LabRounds:
    """The episodes of a trainer: played with the model as it is, and summed up for the metrics."""

    def __init__(self, work: Work, config: MarketGrpoConfig) -> None:
        self.seat: Seat
        self._work = work
        self._config = config
        self._latest: dict[str, float] = {}

    def play(self, worlds: Sequence[World]) -> list[Episode]:
        """Play every world, a little more freely than when it counts."""
        how = msgspec.structs.replace(
            self.seat.sampling, temperature=self._config.temperature, top_p=self._config.top_p
        )
        return play_episodes(
            self.seat, worlds, how, tick=lambda: self._work.beat(self._work.run.done)
        )

    def heard(self, episodes: Sequence[Episode], rewards: Sequence[float]) -> None:
        """Sum a round up; ``spread`` is the mean deviation within the groups."""
        answers = sum(len(one.turns) for one in episodes)
        size = self._config.group
        groups = [rewards[at : at + size] for at in range(0, len(rewards), size)]
        self._latest = {
            "reward": sum(rewards) / len(rewards),
            "return": sum(one.total for one in episodes) / len(episodes),
            "spread": sum(statistics.pstdev(one) for one in groups) / len(groups),
            "valid_json": 1 - sum(one.invalid for one in episodes) / answers,
            "legal": sum(turn.legal for one in episodes for turn in one.turns) / answers,
        }

    def renamed(self, logs: Mapping[str, Any]) -> dict[str, float]:
        """Join what the trainer logs with the figures of the last round."""
        if "loss" not in logs:
            return {}
        kept = ("loss", "kl", "entropy", "learning_rate")
        return self._latest | {name: float(logs[name]) for name in kept if name in logs}


def _round(config: MarketGrpoConfig) -> dict[str, Any]:
    """Say how a round of episodes is cut into steps."""
    return {
        "per_device_train_batch_size": config.worlds * config.group // config.parts,
        "steps_per_generation": config.parts,
        "gradient_accumulation_steps": config.parts // config.updates,
    }


def _world(row: Mapping[str, Any]) -> World:
    return World(row["task"], row["seed"], row["lab"])


def _worlds(config: MarketGrpoConfig) -> Any:
    """List the worlds that are played: the tasks in turn, and every lab is played in time."""
    from datasets import Dataset

    first = first_seed("market-grpo", config.seed)
    rows = []
    for number in range(config.seeds):
        task, seed = TASK_NAMES[number % len(TASK_NAMES)], first + number
        lab = seed % len(make_market(task, seed).labs)
        rows.append({"prompt": "", "task": task, "seed": seed, "lab": lab})
    return Dataset.from_list(rows)
