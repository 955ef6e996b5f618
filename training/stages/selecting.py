"""Choosing a checkpoint: games on held-out seeds every few steps, and the best is kept."""

from collections.abc import Sequence

from agents.backends.local.player import Player
from agents.checkpoints import Card
from training.data.seeds import FRESH_FROM
from training.stages.checking import held_out, keep_samples, player_of, steady
from training.stages.choosing import Choosing, Figures
from training.stages.config import GrpoConfig
from training.stages.games import Game, play_games
from training.stages.loading import open_model
from training.stages.measuring import figures
from training.stages.work import Work

LEAST_VALID = 0.99
"""A checkpoint that writes less valid JSON is never kept."""

LEAST_DEALS = 0.95
"""Nor one that closes fewer than this part of the deals that the first one closed."""


class HeldOutGames:
    """Plays held-out games with the buyer that is being trained.

    Args:
        work: the run.
        config: how many games.
        player: plays with the model that is being trained.
        card: what the kept model says of itself.
    """

    def __init__(self, work: Work, config: GrpoConfig, player: Player, card: Card) -> None:
        self._work, self._config, self._player, self._card = work, config, player, card
        self._games: Sequence[Game] = ()

    def measure(self, step: int) -> Figures:
        """Play them."""
        deals = held_out(self._config.check_games, people=self._config.people)
        with steady(self._config.seed):
            self._games = play_games(self._player, deals, tick=lambda: self._work.beat(step))
        return figures(self._games)

    def words(self, found: Figures) -> str:
        """Tell what came out."""
        share = found["share"]["mean"] if found["share"] else 0.0
        return (
            f"held-out games: share {share:.3f}, "
            f"deals {found['deal_rate']['mean'] if found['deal_rate'] else 0:.3f}, "
            f"valid {found['valid_json']:.4f}, rounds {found['rounds']['mean']:.2f}"
        )

    def best(self, checks: dict[int, Figures]) -> int:
        """Choose by share, format and deals."""
        return best_step(checks)

    def keep(self) -> None:
        """Keep the first games."""
        keep_samples(self._work, self._games, self._card.name, self._card.title)


def summed_up(
    work: Work, config: GrpoConfig, source: str, card: Card, choosing: Choosing
) -> Figures:
    """Make the best checkpoint the run's model.

    Returns:
        How it plays, and how the model before did, in games that had no part in the choice; which
        step was kept, and every check.
    """
    kept = choosing.take_best()

    def afresh(folder: str) -> Figures:
        opened = open_model(folder, config)
        player = player_of(opened.model.eval(), opened.tokenizer, card)
        deals = held_out(config.check_games, FRESH_FROM, config.people)
        with steady(config.seed):
            return figures(play_games(player, deals, tick=lambda: work.beat(work.run.done)))

    return choosing.summary(kept, afresh(source), afresh(str(work.model)))


def best_step(checks: dict[int, Figures]) -> int:
    """Choose the step with the highest share among those that keep format and deals.

    The first check stands when nothing after it may be kept.
    """
    first = checks[0]
    deals = _mean(first, "deal_rate")
    fit = [
        step
        for step, found in checks.items()
        if found["valid_json"] >= LEAST_VALID and _mean(found, "deal_rate") >= LEAST_DEALS * deals
    ]
    return max(fit, key=lambda step: (_mean(checks[step], "share"), -step), default=0)


def _mean(found: Figures, name: str) -> float:
    return float(found[name]["mean"]) if found[name] else 0.0
