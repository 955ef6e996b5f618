"""GRPO of a lab: it plays whole episodes and keeps more of what earned more than its siblings."""

import statistics
from collections.abc import Sequence
from typing import Any

from transformers import set_seed

from arena.gpu_market.engine import TASK_NAMES, make_market
from arena.gpu_market.trained.cards import LabCard
from arena.gpu_market.trained.seat import Seat, seat_of
from training.data.seeds import first_seed
from training.stages.market.episodes import Episode, World, play_episodes
from training.stages.market.jury import UnseenMarkets, summed_up
from training.stages.market.opening import open_lab
from training.stages.market.rewards import worth
from training.stages.market_config import MarketGrpoConfig
from training.stages.measuring import obeyed
from training.stages.names import renamed
from training.stages.rounds import Rounds, data_of, learn
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
    set_seed(config.seed)
    opened = open_lab(source, config)
    rounds = LabRounds(work, config, renamed(opened.card, config))
    choosing = learn(rounds, opened, _worlds(config))
    return summed_up(work, config, source, choosing)


class LabRounds(Rounds[MarketGrpoConfig, LabCard, World, Episode]):
    """Episodes of the lab that is trained."""

    player: Seat
    deal = World
    logged = (*Rounds.logged, "learning_rate")

    def seat(self, model: Any, tokenizer: Any) -> UnseenMarkets:
        """Let the model that is trained be the player."""
        self.player = seat_of(model, tokenizer, self.card)
        return UnseenMarkets(self.work, self.config, self.player)

    def play(self, worlds: Sequence[World]) -> list[Episode]:
        """Play every world."""
        return play_episodes(self.player, worlds, self.freely, tick=self.tick)

    def worth(self, episode: Episode) -> float:
        """Give the return, less what unreadable answers cost."""
        return worth(episode, self.config)

    def figures(self, episodes: Sequence[Episode], rewards: Sequence[float]) -> dict[str, float]:
        """Sum a round up; ``spread`` is the mean deviation within the groups."""
        size = self.config.group
        groups = [rewards[at : at + size] for at in range(0, len(rewards), size)]
        return {
            "reward": sum(rewards) / len(rewards),
            "return": sum(one.total for one in episodes) / len(episodes),
            "spread": sum(statistics.pstdev(one) for one in groups) / len(groups),
            **obeyed(episodes),
        }


def _worlds(config: MarketGrpoConfig) -> Any:
    """List the worlds that are played: the tasks in turn, and every lab is played in time."""
    first = first_seed("market-grpo", config.seed)
    worlds = []
    for number in range(config.seeds):
        task, seed = TASK_NAMES[number % len(TASK_NAMES)], first + number
        worlds.append(World(task, seed, seed % len(make_market(task, seed).labs)))
    return data_of(worlds)
