"""GRPO of a lab: it plays whole episodes and keeps more of what earned more than its siblings."""

import statistics
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from transformers import set_seed

from agents.checkpoints import NoCheckpoint
from arena.gpu_market.trained.cards import LabCard, read_lab
from arena.gpu_market.trained.seat import Seat, seat_of
from bazaarbatna.market import TASK_NAMES, make_market
from training.data.seeds import MARKET_HELD_OUT_FROM, first_seed
from training.stages.config import BadConfig, MarketGrpoConfig, StageConfig
from training.stages.games import obeyed, steady
from training.stages.market.episodes import Episode, World, play_episodes, write_records
from training.stages.market.sft import RECORDED, in_words, lab_figures, unseen
from training.stages.model_files import Opened, load_weights, renamed
from training.stages.rounds import CheckpointSelection, Figures, Rounds, data_of, learn
from training.stages.work import Work

LEAST_VALID = 0.99  # A checkpoint that writes less readable actions is never kept


def worth(episode: Episode, config: MarketGrpoConfig) -> float:
    """Return the return, in which what the rules refuse has cost already, less a format term."""
    faults = episode.invalid / max(1, len(episode.turns))
    return episode.total - config.format_weight * faults


def open_lab(source: str, config: StageConfig) -> tuple[Opened, LabCard]:
    """Load the lab in a folder; BadConfig when there is none, or this machine cannot."""
    try:
        card = read_lab(Path(source)).card
    except NoCheckpoint as wrong:
        raise BadConfig(
            f"{config.stage} begins with a lab of the stage market-sft. {wrong}"
        ) from wrong
    return Opened(*load_weights(source, source, config), None, source), card


class UnseenMarkets:
    """Plays markets that choose: neither learned from nor reported."""

    def __init__(self, work: Work, config: MarketGrpoConfig, seat: Seat) -> None:
        self._work, self._config, self._seat = work, config, seat

    def measure(self, step: int) -> Figures:
        """Play them."""
        worlds = unseen(self._config.check_episodes)
        with steady(self._config.seed):
            played = play_episodes(self._seat, worlds, tick=lambda: self._work.beat(step))
        return lab_figures(played)

    def words(self, found: Figures) -> str:
        """Return figures as a line of the log."""
        return in_words(found)

    def best(self, checks: dict[int, Figures]) -> int:
        """Choose the highest return among those that keep the format; the first of equals."""
        fit = [step for step, found in checks.items() if found["valid_json"] >= LEAST_VALID]
        return max(fit, key=lambda step: (checks[step]["return"]["mean"], -step), default=0)

    def keep(self) -> None:
        """Keep nothing: episodes are kept of the model before and of the best one."""


def summed_up(
    work: Work, config: MarketGrpoConfig, source: str, selection: CheckpointSelection
) -> Figures:
    """Make the best checkpoint the run's model.

    Return how it and the model before play markets that had no part in the choice, and every check.
    """
    kept = selection.take_best()

    def afresh(folder: str) -> tuple[str, Sequence[Episode]]:
        opened, card = open_lab(folder, config)
        seat = seat_of(opened.model.eval(), opened.tokenizer, card)
        worlds = unseen(config.check_episodes, MARKET_HELD_OUT_FROM)
        with steady(config.seed):
            played = play_episodes(seat, worlds, tick=lambda: work.beat(work.run.done))
        return card.name, played

    before, after = afresh(source), afresh(str(work.model))
    write_records(work.folder, [(name, one) for name, all_ in (before, after)
                                for one in all_[:RECORDED]])  # fmt: skip
    return selection.summary(kept, lab_figures(before[1]), lab_figures(after[1]))


def run_market_grpo(work: Work, config: MarketGrpoConfig, source: str) -> dict[str, Any]:
    """Train on whole episodes, and keep the checkpoint that plays unseen markets best."""
    set_seed(config.seed)
    opened, card = open_lab(source, config)
    rounds = LabRounds(work, config, renamed(card, config))
    selection = learn(rounds, opened, _worlds(config))
    return summed_up(work, config, source, selection)


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
        """Return the return, less what unreadable answers cost."""
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
    # The tasks in turn, and every lab is played in time.
    first = first_seed("market-grpo", config.seed)
    worlds = []
    for number in range(config.seeds):
        task, seed = TASK_NAMES[number % len(TASK_NAMES)], first + number
        worlds.append(World(task, seed, seed % len(make_market(task, seed).labs)))
    return data_of(worlds)
