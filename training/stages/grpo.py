"""GRPO: the model plays whole games and keeps more of what won more than its siblings."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import cycle
from typing import Any

from transformers import set_seed

from agents.checkpoints import Card
from training.data.seeds import FRESH_FROM, HELD_OUT_FROM, first_seed
from training.data.teaching import PEOPLE
from training.sellers.random_sellers import SUITE as DRAWN
from training.stages.config import GrpoConfig
from training.stages.games import (
    Deal,
    Game,
    answers_in,
    figures,
    held_out,
    keep_samples,
    obeyed,
    play_games,
    player_of,
    rounds_left,
    steady,
)
from training.stages.generation import Player
from training.stages.model_files import open_model, renamed
from training.stages.rounds import Figures, Rounds, data_of, learn
from training.stages.work import Work

LEAST_VALID = 0.99  # A checkpoint that writes less valid JSON is never kept

LEAST_DEALS = 0.95
"""Nor one that closes fewer than this part of the deals that the first one closed."""


def share(game: Game) -> float:
    """Return the buyer's share of the zone; 0 without a deal, or where none was possible."""
    return game.share if game.winnable else 0.0


def missed(game: Game) -> float:
    """Whether a deal was possible and was not made: 1 or 0."""
    return float(game.winnable and not game.is_deal)


def format_fault(game: Game) -> float:
    """Return the part of the answers that were not exactly the protocol's JSON, 0..1."""
    return game.invalid / max(1, len(game.turns))


def illegality(game: Game) -> float:
    """Return the part of the answers that guards had to change, 0..1."""
    return sum(not turn.legal for turn in game.turns) / max(1, len(game.turns))


TERMS: Mapping[str, Callable[[Game], float]] = {
    "share": share,
    "missed": lambda game: -missed(game),
    "format": lambda game: -format_fault(game),
    "legality": lambda game: -illegality(game),
}
"""Every term of the reward by its name in the metrics; the KL term keeps the words."""


def weights(config: GrpoConfig) -> dict[str, float]:
    """Return how much each term counts."""
    return {
        "share": 1.0,
        "missed": config.missed_weight,
        "format": config.format_weight,
        "legality": config.legality_weight,
    }


def reward(game: Game, config: GrpoConfig) -> float:
    """Add the weighted terms up."""
    return sum(weight * TERMS[name](game) for name, weight in weights(config).items())


def best_step(checks: dict[int, Figures]) -> int:
    """Choose the step with the highest share that keeps format and deals, or the first."""
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


def run_grpo(work: Work, config: GrpoConfig, source: str) -> dict[str, Any]:
    """Train on whole games, and keep the checkpoint that plays held-out games best."""
    set_seed(config.seed)
    opened = open_model(source, config)
    rounds = BuyerRounds(work, config, renamed(opened.card, config))
    return learn(rounds, opened.model, opened.tokenizer, _deals(config), source)


class BuyerRounds(Rounds[GrpoConfig, Card, Deal, Game]):
    """Bargains of the buyer that is trained."""

    player: Player
    deal = Deal
    measured: Sequence[Game] = ()

    def seat(self, model: Any, tokenizer: Any) -> None:
        """Let the model that is trained be the player."""
        self.player = player_of(model, tokenizer, self.card)

    def play(self, deals: Sequence[Deal]) -> list[Game]:
        """Play every deal."""
        return play_games(self.player, deals, self.freely, tick=self.tick)

    def worth(self, game: Game) -> float:
        """Add the weighted terms of the reward up."""
        return reward(game, self.config)

    def figures(self, games: Sequence[Game], rewards: Sequence[float]) -> dict[str, float]:
        """Sum a round up."""
        winnable = [game for game in games if game.winnable]
        return {
            "reward": sum(rewards) / len(rewards),
            "share": sum(game.share for game in winnable) / max(1, len(winnable)),
            "deal_rate": sum(game.is_deal for game in winnable) / max(1, len(winnable)),
            **obeyed(games),
            "rounds": answers_in(games) / len(games),
        }

    def measure(self, step: int) -> Figures:
        """Play held-out games."""
        self.measured = self._unseen(self.player, step, HELD_OUT_FROM)
        return figures(self.measured)

    def words(self, found: Figures) -> str:
        """Return figures as a line of the log."""
        return (
            f"held-out games: share {_mean(found, 'share'):.3f}, "
            f"deals {_mean(found, 'deal_rate'):.3f}, "
            f"valid {found['valid_json']:.4f}, rounds {found['rounds']['mean']:.2f}"
        )

    def best(self, checks: dict[int, Figures]) -> int:
        """Choose by share, format and deals."""
        return best_step(checks)

    def keep(self) -> None:
        """Keep the first games."""
        keep_samples(self.work, self.measured, self.card.name, self.card.title)

    def afresh(self, folder: str) -> Figures:
        """Play games of other seeds."""
        opened = open_model(folder, self.config)
        player = player_of(opened.model.eval(), opened.tokenizer, self.card)
        return figures(self._unseen(player, self.work.run.done, FRESH_FROM))

    def _unseen(self, player: Player, step: int, first: int) -> Sequence[Game]:
        deals = held_out(self.config.check_games, first, self.config.people)
        with steady(self.config.seed):
            return play_games(player, deals, tick=lambda: self.work.beat(step))


def _deals(config: GrpoConfig) -> Any:
    # Drawn sellers come between the suites. People wait for nobody: their games never begin late.
    first = first_seed("grpo", config.seed)
    suites = cycle(config.suites)
    played: Counter[str] = Counter()
    deals = []
    for number in range(config.seeds):
        if _is_due(number, config.people):
            suite = PEOPLE
        else:
            is_drawn = _is_due(number - played[PEOPLE], config.drawn)
            suite = DRAWN if is_drawn else next(suites)
        seed = first + played[suite]
        left = None if suite == PEOPLE else rounds_left(suite, seed, config.late)
        deals.append(Deal(suite, seed, left))
        played[suite] += 1
    return data_of(deals)


def _is_due(number: int, part: float) -> bool:
    # A part (0..1) is spread evenly over all.
    return int((number + 1) * part) > int(number * part)
