"""GRPO: the model plays whole games and keeps more of what won more than its siblings."""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import cycle
from typing import Any

import msgspec
from transformers import set_seed

from agents.backends.local.player import Player
from training.data.seeds import first_seed
from training.drawn.dealing import SUITE as DRAWN
from training.stages.arguments import common
from training.stages.checking import player_of
from training.stages.choosing import Choosing
from training.stages.config import BadConfig, GrpoConfig
from training.stages.deeds import deed_length
from training.stages.following import Following, train
from training.stages.games import Deal, Game, play_games, rounds_left
from training.stages.loading import adapter_of, open_model
from training.stages.names import name_of, title_of
from training.stages.rewards import reward
from training.stages.selecting import HeldOutGames, summed_up
from training.stages.work import Work


def run_grpo(work: Work, config: GrpoConfig, source: str) -> dict[str, Any]:
    """Train on whole games, and keep the checkpoint that plays held-out games best.

    Args:
        work: the run.
        config: its settings.
        source: folder or hub name of the SFT model.

    Returns:
        The summary: how it played before and after, and which step was kept.
    """
    from trl import GRPOConfig as TrlConfig

    from training.stages.grpo_trainer import GameTrainer

    set_seed(config.seed)
    opened = open_model(source, config)
    if opened.card is None:
        raise BadConfig("GRPO begins with a model of the SFT stage, which knows the protocol.")
    card = msgspec.structs.replace(opened.card, name=name_of(config), title=title_of(config))
    work.run.total = config.steps
    work.run.save(update_fields=["total"])
    games = Rounds(work, config)
    trainer = GameTrainer(
        model=opened.model,
        processing_class=opened.tokenizer,
        train_dataset=_deals(config),
        peft_config=adapter_of(config, opened),
        columns=("suite", "seed", "left"),
        play=lambda rows: games.play(
            [Deal(row["suite"], row["seed"], row["left"]) for row in rows]
        ),
        worth=lambda game: reward(game, config),
        deeds=lambda turn: deed_length(opened.tokenizer, turn.said),
        heard=games.heard,
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
    games.player = player_of(trainer.model, opened.tokenizer, card)
    jury = HeldOutGames(work, config, games.player, trainer.model, opened.tokenizer, card)
    choosing = Choosing(work, config.select_every, config.steps, jury)
    trainer.add_callback(choosing)
    train(trainer, work, Following(work, games.renamed))
    return summed_up(work, config, source, card, choosing)


class Rounds:
    """The games of a trainer: played with the model as it is, and summed up for the metrics."""

    def __init__(self, work: Work, config: GrpoConfig) -> None:
        self.player: Player
        self._work = work
        self._config = config
        self._latest: dict[str, float] = {}

    def play(self, deals: Sequence[Deal]) -> list[Game]:
        """Play every deal, a little more freely than at a table."""
        how = msgspec.structs.replace(
            self.player.sampling, temperature=self._config.temperature, top_p=self._config.top_p
        )
        return play_games(self.player, deals, how, tick=self._tick)

    def heard(self, games: Sequence[Game], rewards: Sequence[float]) -> None:
        """Sum a round up."""
        winnable = [game for game in games if game.winnable]
        answers = sum(len(game.turns) for game in games)
        self._latest = {
            "reward": sum(rewards) / len(rewards),
            "share": sum(game.share for game in winnable) / max(1, len(winnable)),
            "deal_rate": sum(game.is_deal for game in winnable) / max(1, len(winnable)),
            "valid_json": 1 - sum(game.invalid for game in games) / answers,
            "legal": sum(turn.legal for game in games for turn in game.turns) / answers,
            "rounds": answers / len(games),
        }

    def renamed(self, logs: Mapping[str, Any]) -> dict[str, float]:
        """Join what the trainer logs with the figures of the last round."""
        if "loss" not in logs:
            return {}
        also = {name: float(logs[name]) for name in ("loss", "kl", "entropy") if name in logs}
        return self._latest | also

    def _tick(self) -> None:
        self._work.beat(self._work.run.done)


def _round(config: GrpoConfig) -> dict[str, Any]:
    """Say how a round of games is cut into steps."""
    return {
        "per_device_train_batch_size": config.deals * config.group // config.parts,
        "steps_per_generation": config.parts,
        "gradient_accumulation_steps": config.parts // config.updates,
    }


def _deals(config: GrpoConfig) -> Any:
    """List the deals that are played: suites in turn, drawn sellers and late beginnings between."""
    from datasets import Dataset

    first = first_seed("grpo", config.seed)
    suites = cycle(config.suites)
    played: Counter[str] = Counter()
    rows = []
    for number in range(config.seeds):
        is_drawn = int((number + 1) * config.drawn) > int(number * config.drawn)
        suite = DRAWN if is_drawn else next(suites)
        seed = first + played[suite]
        left = rounds_left(suite, seed, config.late)
        rows.append({"prompt": "", "suite": suite, "seed": seed, "left": left})
        played[suite] += 1
    return Dataset.from_list(rows)
